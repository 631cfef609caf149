"""`jiyi ingest`: take in conversations that were held elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from graph.settings import settings
from jiyi.cli.failures import CommandError
from jiyi.cli.opening import store_to_write
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption
from jiyi.cli.output import say, say_json, tell
from jiyi.cli.progress import progress
from jiyi.reading.files import read_file
from jiyi.reading.keeping import TakenIdError, Tally, keep_conversations
from jiyi.reading.said import USER, Conversation, FormatError
from memory.namespaces import Owner
from store.tag.choice import tagger_named

MOST_NAMED = 10


def ingest(
    files: Annotated[list[Path], typer.Argument(help="Conversations: JSON or JSON Lines.", show_default=False)],
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    corpus: Annotated[str | None, typer.Option(help="Only the corpus (or thread) of this id.")] = None,
    speaker: Annotated[str | None, typer.Option("--as", help="Which speaker is the user.")] = None,
    knowledge: Annotated[str | None, typer.Option(help="Not built yet.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Take in FILES: the turns format, OpenAI messages, or ChatGPT's export; it can be repeated.

    All files are read before anything is kept. A second run adds only what is new.
    """
    if knowledge is not None:
        raise typer.BadParameter("documents cannot be ingested yet; leave it out.", param_hint="--knowledge")
    conversations = _heard_by(_chosen(_read(files), corpus), speaker)
    tally = asyncio.run(_kept(Owner(user=user, agent=agent), conversations))
    if as_json:
        say_json(_json(files, conversations, tally))
    else:
        _say(user, conversations, tally)


def _read(files: Sequence[Path]) -> list[Conversation]:
    zone = ZoneInfo(settings().jiyi_timezone)
    try:
        return [conversation for file in files for conversation in read_file(file, zone)]
    except FormatError as error:
        raise CommandError(str(error)) from error


def _chosen(conversations: list[Conversation], corpus: str | None) -> list[Conversation]:
    if corpus is None:
        return conversations
    chosen = [one for one in conversations if one.name == corpus]
    if not chosen:
        raise CommandError(f"Cannot ingest corpus {corpus!r}: there are only {_named(c.name for c in conversations)}.")
    return chosen


def _heard_by(conversations: list[Conversation], speaker: str | None) -> list[Conversation]:
    """Let the speaker that `--as` names be the user."""
    if speaker is None or speaker == USER:
        return conversations
    speakers = list(dict.fromkeys(name for one in conversations for name in one.speakers))
    if speaker not in speakers:
        raise CommandError(f"Cannot take {speaker!r} for the user: only {_named(speakers)} speak there.")
    if USER in speakers:
        raise CommandError(
            f"Cannot take {speaker!r} for the user: the files say themselves what the user said. Leave out --as."
        )
    return [one.as_heard_by(speaker) for one in conversations]


async def _kept(owner: Owner, conversations: Sequence[Conversation]) -> Tally:
    timezone, tagger = settings().jiyi_timezone, tagger_named(settings().tagger)
    async with store_to_write() as store:
        with progress("ingesting", total=_turns(conversations), what="turns") as advance:
            try:
                return await keep_conversations(
                    store, owner, conversations, timezone=timezone, tagger=tagger, on_kept=advance
                )
            except TakenIdError as error:
                raise CommandError(str(error)) from error


def _turns(conversations: Iterable[Conversation]) -> int:
    return sum(len(one.said) for one in conversations)


def _json(files: Sequence[Path], conversations: Sequence[Conversation], tally: Tally) -> dict[str, object]:
    return {
        "files": len(files),
        "turns": _turns(conversations),
        "new": tally.new,
        "known": tally.known,
        "skipped": _skipped(conversations),
        "facts": len(tally.facts),
        "refused": dict(sorted(tally.refused.items())),
    }


def _say(user: str, conversations: Sequence[Conversation], tally: Tally) -> None:
    if refused := ", ".join(f"{reason} {number}" for reason, number in sorted(tally.refused.items())):
        tell(f"not kept as facts: {refused}")
    if skipped := _skipped(conversations):
        tell(f"skipped {skipped} without words of a user or an assistant")
    there = f"({tally.known} already there)"
    say(f"ingested {tally.new} turns {there} for user {user}, {len(tally.facts)} facts")


def _skipped(conversations: Iterable[Conversation]) -> int:
    return sum(one.skipped for one in conversations)


def _named(names: Iterable[str]) -> str:
    shown = list(dict.fromkeys(names))
    more = f" and {len(shown) - MOST_NAMED} more" if len(shown) > MOST_NAMED else ""
    return (", ".join(repr(name) for name in shown[:MOST_NAMED]) or "none") + more
