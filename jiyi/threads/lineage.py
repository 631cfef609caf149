"""Lineage: which of a thread's checkpoints the conversation as it stands came from, and where other ways end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A checkpoint: `upto` is the last message of the turn that was extracted last in it, "" where none was."""

    id: str
    parent_id: str | None
    upto: str


def standing(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Give the newest moment and those that it came from, as far as they are kept, the newest first."""
    by_id = {moment.id: moment for moment in moments}
    at = by_id.get(max(by_id, default=""))
    found: dict[str, Moment] = {}
    while at is not None and at.id not in found:
        found[at.id] = at
        at = by_id.get(at.parent_id or "")
    return tuple(found.values())


def given_up(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Give the ends of the ways that were given up, the newest first: nothing came of them, and they do not stand."""
    stands = {moment.id for moment in standing(moments)}
    parents = {moment.parent_id for moment in moments}
    return _newest_first(one for one in moments if one.id not in stands and one.id not in parents)


def ends_of(moments: Sequence[Moment], message_id: str) -> tuple[Moment, ...]:
    """Give where a turn may have ended whose last message this is: first on the way that stands, the newest first."""
    stands = standing(moments)
    others = _newest_first(set(moments) - set(stands))
    return tuple(one for one in (*stands, *others) if message_id and one.upto == message_id)


def ranges(numbers: Iterable[int]) -> str:
    """Write numbers in few words: "3, 5 to 9"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _newest_first(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    return tuple(sorted(moments, key=lambda moment: moment.id, reverse=True))
