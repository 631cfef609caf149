"""`jiyi recall`: what the agent would recall for a query, best first, with the parts of each score."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from graph.clock import utc_now
from graph.counting import counter_named
from graph.settings import settings
from jiyi.cli.opening import store_to_read
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption, moment
from jiyi.cli.output import day_and_time, iso, one_line, say, say_json, tell, well_formed
from memory.ids import thread_id_of
from memory.namespaces import Owner, user_root
from memory.prompt_texts import Language
from memory.recalled import Recalled, RecalledKind
from memory.tokens import count_tokens
from memory.words import has_cjk
from store.memory_store import MemoryStore
from store.recall import recall as recall_from
from store.wanted import DEFAULT_LIMIT, Wanted

MAX_LIMIT = 1000
DECIMALS = 4


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is looked for, whose, and as of when (None: now)."""

    query: str
    owner: Owner
    kind: RecalledKind
    limit: int
    max_tokens: int | None
    thread: str | None
    since: datetime | None
    until: datetime | None
    as_of: datetime | None

    @property
    def language(self) -> Language:
        """Say in which language the reasons are given: that of the query."""
        return "zh" if has_cjk(self.query) else "en"


def recall(
    query: Annotated[str, typer.Argument(help="Plain words, in any language.")],
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="At most how many.")] = DEFAULT_LIMIT,
    max_tokens: Annotated[
        int | None, typer.Option(min=0, help="Only as many as take no more tokens of a prompt.")
    ] = None,
    thread: Annotated[str | None, typer.Option(help="Only what was said in this thread (its name or id).")] = None,
    kind: Annotated[RecalledKind, typer.Option(help="What to look for.")] = "episodes",
    since: Annotated[str | None, typer.Option(help="Said on this day or later.")] = None,
    until: Annotated[str | None, typer.Option(help="Said on this day or earlier.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="As it would have been recalled then.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each was recalled.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Recall what bears on QUERY, best first."""
    if kind == "facts" and as_of:
        raise typer.BadParameter("facts as of a day are listed by `jiyi facts --as-of`.", param_hint="--as-of")
    asked = Asked(
        query=well_formed(query),
        owner=Owner(user=user, agent=agent),
        kind=kind,
        limit=limit,
        max_tokens=max_tokens,
        thread=thread,
        since=moment(since, "--since"),
        until=moment(until, "--until", end_of_day=True),
        as_of=moment(as_of, "--as-of", end_of_day=True),
    )
    found = asyncio.run(_recalled(asked))
    if as_json:
        say_json({"query": asked.query, "user": user, "memories": [_json(one, asked.language) for one in found]})
    else:
        _say(found, explain_in=asked.language if explain else None)


async def _recalled(asked: Asked) -> tuple[Recalled, ...]:
    ends = [end for end in (asked.until, asked.as_of) if end is not None]
    async with store_to_read(by_meaning=True) as store:
        wanted = Wanted(
            kind=asked.kind,
            limit=asked.limit,
            max_tokens=asked.max_tokens,
            count=count_tokens if asked.max_tokens is None else counter_named("", chosen=settings()).text,
            since=asked.since,
            until=min(ends, default=None),
            thread_id=await _thread_id(store, asked),
        )
        return await recall_from(
            store,
            asked.owner,
            asked.query,
            wanted,
            now=(asked.as_of or utc_now()).astimezone(ZoneInfo(settings().jiyi_timezone)),
        )


async def _thread_id(store: MemoryStore, asked: Asked) -> str | None:
    """Give the thread that is meant: one of this very id (ingested ones have names), else the one of this name."""
    name = asked.thread
    if name is None:
        return None
    place = user_root(asked.owner.user)
    exact = await store.look(lambda transaction: transaction.find(place, {"thread_id": name}))
    return name if exact else thread_id_of(name, user=asked.owner.user)


def _json(one: Recalled, language: Language) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "thread_id": one.thread_id,
        "turn_id": one.turn_id,
        "speaker": one.speaker,
        "text": one.text,
        "said_at": iso(one.said_at),
        "score": round(one.score, DECIMALS),
        "parts": {name: round(value, DECIMALS) for name, value in asdict(one.parts).items()},
        "signals": {name: round(value, DECIMALS) for name, value in one.signals.items()},
        "why": one.why(language),
    }


def _say(found: Sequence[Recalled], *, explain_in: Language | None) -> None:
    if not found:
        tell("Nothing that bears on it is remembered.")
    for rank, one in enumerate(found, start=1):
        speaker = f"  {one_line(one.speaker)}" if one.speaker else ""
        say(f"{rank}. {one.score:.2f}  {day_and_time(one.said_at)}{speaker}  {one_line(one.text)}")
        if explain_in is not None:
            say(f"   {one_line(one.why(explain_in))}")
            say(f"   {_figures(one)}  {one_line(one.thread_id)} {one.id}".rstrip())


def _figures(one: Recalled) -> str:
    """Write what each group of signals adds (log odds), and the parts (0..1)."""
    signals = "".join(f"{group} {value:+.2f}  " for group, value in one.signals.items())
    parts = "  ".join(f"{name} {value:.2f}" for name, value in asdict(one.parts).items())
    return f"{signals}({parts})"
