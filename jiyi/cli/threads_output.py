"""What `jiyi threads` prints: for people, and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jiyi.cli.output import day_and_time, iso, one_line, plain, say, tell
from jiyi.threads.lineage import ranges
from store.resting import Resting, RestingFact

if TYPE_CHECKING:
    from jiyi.threads.told import Branched, Deleted, Rewound, ShownThread, ShownTurn, ThreadLine

FIRST_CHARS = 60
SHORT_ID = 8
INDENT = "   "


def line_json(line: ThreadLine) -> dict[str, Any]:
    """Give a thread of the list."""
    return {
        "id": line.thread_id,
        "name": line.name or None,
        "turns": line.turns,
        "first": line.first,
        "task": line.task or None,
        "summary": line.summary or None,
        "begun_at": iso(line.begun_at),
        "last_at": iso(line.last_at),
        "seconds": _seconds(line),
    }


def _seconds(line: ThreadLine) -> float | None:
    """Say how long was talked in a thread; None where it is not known when it began."""
    return max((line.last_at - line.begun_at).total_seconds(), 0) if line.last_at and line.begun_at else None


def say_line(line: ThreadLine) -> None:
    """Print a thread of the list."""
    words = one_line(line.first)
    shown = words if len(words) <= FIRST_CHARS else f"{words[:FIRST_CHARS]}…"
    say(f"{_called(line)}  {_count(line.turns, 'turn')}  {day_and_time(line.last_at)}  “{shown}”")


def shown_json(user: str, shown: ShownThread) -> dict[str, Any]:
    """Give a whole conversation."""
    turns = [_turn_json(turn) for turn in shown.turns]
    return {**_head(user, shown), "before": list(shown.before), "turns": turns, "unfinished": shown.unfinished}


def say_shown(shown: ShownThread) -> None:
    """Print a whole conversation."""
    for line in shown.before:
        say(plain(line))
    for turn in shown.turns:
        back = f"  [taken back, {turn.turn_id[:SHORT_ID]}]" if turn.taken_back else ""
        say(f"{turn.number}  {day_and_time(turn.said_at)}{back}")
        _say_text("user", turn.said)
        for tool in turn.tools:
            _say_text("tool", tool)
        for reply in turn.replies:
            _say_text("assistant", reply)
    if shown.unfinished:
        say("(The last turn is not finished: it was cut off, or waits for an answer.)")


def rewound_json(user: str, done: Rewound) -> dict[str, Any]:
    """Give what taking a thread back did."""
    return {
        **_head(user, done),
        "to": _turn_json(done.to),
        "taken_back": [_turn_json(turn) for turn in done.taken_back],
        "restored": [_turn_json(turn) for turn in done.restored],
        **_resting_json(done.resting, forgotten=done.forgotten),
    }


def say_rewound(done: Rewound) -> None:
    """Print what taking a thread back did."""
    say(f"{_called(done)} is at the end of turn {done.to.number}.")
    if done.restored:
        say(f"Standing again: {_numbers(done.restored)}.")
    if done.taken_back:
        back = done.taken_back[-1].turn_id[:SHORT_ID]
        say(
            f"Taken back: {_numbers(done.taken_back)}; `--to {back}` brings that back, as long as it is among the last kept."
        )
        _say_resting(done.resting, forgotten=done.forgotten, of="what was taken back")
    elif not done.restored:
        say("Nothing came after it; nothing was taken back.")


def branched_json(user: str, done: Branched) -> dict[str, Any]:
    """Give what branching did."""
    source = {"id": done.source_id, "name": done.source_name or None}
    return {**_head(user, done), "from": source, "at": _turn_json(done.at)}


def say_branched(user: str, done: Branched) -> None:
    """Print what branching did."""
    source = one_line(done.source_name or done.source_id)
    say(f"{_called(done)} begins at the end of turn {done.at.number} of {source}, which stays as it is.")
    say(f"`jiyi chat --user {shlex.quote(one_line(user))} --thread {shlex.quote(_called(done))}` goes on there.")


def deleted_json(user: str, done: Deleted) -> dict[str, Any]:
    """Give what deleting did."""
    return {
        **_head(user, done),
        "turns": done.turns,
        **_resting_json(done.resting, forgotten=done.forgotten),
        "scrubbed": done.scrubbed,
    }


def say_deleted(done: Deleted) -> None:
    """Print what deleting did."""
    say(f"{_called(done)} is deleted: {_count(done.turns, 'turn')} and all its checkpoints.")
    _say_resting(done.resting, forgotten=done.forgotten, of="it")
    if not done.scrubbed:
        tell("Another process has the threads open: until it goes on, deleted bytes stand in the write-ahead log.")


def _head(user: str, one: ShownThread | Rewound | Branched | Deleted) -> dict[str, Any]:
    return {"user": user, "id": one.thread_id, "name": one.name or None}


def _called(one: ThreadLine | Rewound | Branched | Deleted) -> str:
    return one_line(one.name or one.thread_id)


def _turn_json(turn: ShownTurn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "id": turn.turn_id,
        "said_at": iso(turn.said_at),
        "user": turn.said,
        "assistant": list(turn.replies),
        "tools": list(turn.tools),
        "taken_back": turn.taken_back,
        "can_rewind": turn.can_rewind,
    }


def _resting_json(resting: Resting, *, forgotten: bool) -> dict[str, Any]:
    facts = [
        {"agent": one.agent, "id": one.fact.id, "key": one.fact.key, "value": one.fact.value, "only_from_it": one.alone}
        for one in resting.facts
    ]
    remembered = {"facts": facts, "episodes": list(resting.episodes), "waiting": list(resting.waiting)}
    return {"remembered": remembered, "memories": "forgotten" if forgotten else "kept"}


def _say_resting(resting: Resting, *, forgotten: bool, of: str) -> None:
    """Say what is remembered of what is gone, and whether it stays."""
    if resting.is_empty:
        say(f"Nothing is remembered of {of}.")
        return
    heard = _count(len(resting.episodes), "thing") + " said"
    waiting = f", {_count(len(resting.waiting), 'turn')} still to be remembered" if resting.waiting else ""
    facts = f", {_count(len(resting.facts), 'fact')}:" if resting.facts else ""
    if forgotten:
        say(f"Forgotten with it: {heard}{waiting}{facts}")
    else:
        say(f"What is remembered of {of} stays (--memories forgets it): {heard}{waiting}{facts}")
    for one in resting.facts:
        say(f"{INDENT}{_fact_line(one, forgotten=forgotten)}")


def _fact_line(one: RestingFact, *, forgotten: bool) -> str:
    also = "" if one.alone else "  (still believed: said elsewhere too)" if forgotten else "  (said elsewhere too)"
    return f"{one_line(one.fact.key)}  {one_line(one.fact.value)}{also}"


def _say_text(speaker: str, text: str) -> None:
    lines = plain(text).splitlines() or [""]
    say(f"{INDENT}{speaker}: " + f"\n{INDENT}  ".join(lines))


def _numbers(turns: Sequence[ShownTurn]) -> str:
    return f"turn{'s' if len(turns) > 1 else ''} {ranges(turn.number for turn in turns)}"


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"
