"""recall: the one way in which memories are found, for nodes, commands and other people's code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, takewhile

from langchain_core.messages import HumanMessage

from memory.diversity import repeats_last
from memory.guard.guard import Guard
from memory.kinds import Fact, from_value
from memory.namespaces import Owner, in_reach, user_space
from memory.prompt import within_budget
from memory.prompt_parts import PromptParts, ShownExchange
from memory.ranking.abstention import shown
from memory.ranking.overtaken import asks_for_past, current_first, newest_of_alike, with_newer, without_overtaken
from memory.ranking.question import question_of
from memory.recalled import Recalled, RecalledKind, asks_for_memory, bears_on, fit_of, parts_of, same_words, score_of
from memory.score import OVER_FETCH
from store.exchanges import exchanges_around
from store.found_episodes import CANDIDATES, found_episodes
from store.memory_store import MemoryStore
from store.search import Found
from store.wanted import Wanted

MAX_QUERY_CHARS = 4_000


async def recall(
    store: MemoryStore, owner: Owner, query: str, wanted: Wanted | None = None, *, now: datetime
) -> tuple[Recalled, ...]:
    """Find what is known of this user that bears on a query, best first; reads only.

    What the user has said otherwise since comes after what holds now, unless the past is asked for.

    Args:
        store: Where.
        owner: Whose memory; what all agents share is searched as well.
        query: Plain words, in any language.
        wanted: Which memories, at most how many.
        now: The time of asking, aware.
    """
    wanted, query = wanted or Wanted(), query[:MAX_QUERY_CHARS]
    if wanted.gated and not asks_for_memory(query):
        return ()
    of_now = wanted.kind == "episodes" and wanted.is_of_now and not asks_for_past(query, now)
    found = [one for place in in_reach(owner) for one in await _found(store, place, query, wanted, now, of_now=of_now)]
    fits = [one for one in found if one.score > 0 or not wanted.without]
    best = sorted(_worth_showing(fits) if wanted.gated else fits, key=lambda one: -one.score)
    if of_now:
        best = _of_now(best, fits, query, gated=wanted.gated)
    if wanted.gated:
        best[: wanted.limit * OVER_FETCH] = repeats_last(best[: wanted.limit * OVER_FETCH], query)
        best = list(islice(_harmless(best, store.policies.guard), wanted.limit))
    chosen = await _within_budget(store, owner, query, best[: wanted.limit], wanted)
    asked = question_of(query, ()).text
    return tuple(replace(one, matched=same_words(asked, one.text)) for one in chosen)


def _of_now(best: Sequence[Recalled], fits: Sequence[Recalled], query: str, *, gated: bool) -> list[Recalled]:
    """Put what holds now before what held once; of what is shown, leave out what says nothing but that."""
    order = newest_of_alike(current_first(sorted(with_newer(best, fits), key=lambda one: -one.score)), query)
    return without_overtaken(order) if gated else order


def _worth_showing(found: Sequence[Recalled]) -> list[Recalled]:
    """Keep what has enough to do with the query to be shown; what was ranked, compared with the best of it."""
    ranked = [one for one in found if one.signals]
    marks = shown([sum(one.signals.values()) for one in ranked], [bears_on(one.parts) for one in ranked])
    kept = [one for one, is_shown in zip(ranked, marks, strict=True) if is_shown]
    return [*kept, *(one for one in found if not one.signals and bears_on(one.parts))]


def _harmless(found: Iterable[Recalled], guard: Guard) -> Iterator[Recalled]:
    """Leave out what the guard withholds."""
    return (one for one in found if not guard.withholds(one.text, cleared=one.cleared))


async def _within_budget(
    store: MemoryStore, owner: Owner, query: str, best: Sequence[Recalled], wanted: Wanted
) -> Sequence[Recalled]:
    """Keep the best whose exchanges, as a prompt shows them, take no more tokens than are wanted."""
    if wanted.max_tokens is None:
        return best
    parts = PromptParts(
        window=(HumanMessage(query),),
        count=wanted.count,
        recalled=await _as_shown(store, owner, best, wanted.kind),
        max_tokens=wanted.max_tokens,
    )
    kept = {one.id for one in within_budget(parts).recalled}
    return list(takewhile(lambda one: (one.turn_id or one.id) in kept, best))


async def _as_shown(
    store: MemoryStore, owner: Owner, best: Sequence[Recalled], kind: RecalledKind
) -> tuple[ShownExchange, ...]:
    """Give the exchanges around episodes; a fact is a line of its own."""
    if kind == "facts":
        return tuple(ShownExchange(id=one.id, said_at=one.said_at, lines=(("", one.text),)) for one in best)
    return tuple(one.shown for one in await exchanges_around(store, owner, [(one.agent, one.id) for one in best]))


async def _found(
    store: MemoryStore, owner: Owner, query: str, wanted: Wanted, now: datetime, *, of_now: bool
) -> list[Recalled]:
    if wanted.kind == "episodes":
        return await found_episodes(store, owner, query, wanted, now=now, of_now=of_now)
    limit = max(wanted.limit * OVER_FETCH, CANDIDATES)
    found = await store.find(user_space(owner, "facts"), query, wanted=wanted.as_filter(now=now), limit=limit)
    return [_fact(one, owner.agent, now, wanted.without) for one in found]


def _fact(one: Found, agent: str, now: datetime, without: frozenset[str]) -> Recalled:
    fact = from_value(Fact, one.row.value)
    parts = parts_of(
        lexical=one.fused.lexical,
        semantic=one.fused.semantic,
        said_at=fact.last_confirmed,
        uses=0,
        now=now,
    )
    return Recalled(
        id=fact.id,
        kind="facts",
        agent=agent,
        text=f"{fact.key}: {fact.value}{_end_of(fact)}",
        speaker="",
        thread_id="",
        turn_id="",
        said_at=fact.last_confirmed,
        score=score_of(fit_of(one.fused, without), parts, without=without),
        parts=parts,
    )


def _end_of(fact: Fact) -> str:
    """Say of a fact that does not hold what became of it, and since when."""
    if fact.status == "active":
        return ""
    return f" ({fact.status})" if fact.valid_to is None else f" ({fact.status}, until {fact.valid_to:%Y-%m-%d})"
