"""recall: the one way in which memories are found, for nodes, commands and other people's code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory.fusion import Fused
from memory.kinds import Episode, Fact, from_value, stamp_of
from memory.namespaces import SHARED_AGENT, Namespace, Owner, user_space
from memory.recalled import Recalled, RecalledKind, asks_for_memory, bears_on, parts_of, score_of, tells, with_use
from memory.score import OVER_FETCH
from store.memory_store import MemoryStore
from store.ranking import RankedSpace
from store.search import Found
from store.transaction import Row

DEFAULT_LIMIT = 8
MAX_QUERY_CHARS = 4_000
CANDIDATES = 300
RANKED_CANDIDATES = 100


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is looked for besides the words: which kind, when it was said, where, and how many.

    `gated` False also gives what bears on the query too little to be shown to a model. `without` names signals
    (`memory.recalled.SIGNALS`) that do not count, to learn what each is worth.
    """

    kind: RecalledKind = "episodes"
    limit: int = DEFAULT_LIMIT
    since: datetime | None = None
    until: datetime | None = None
    thread_id: str | None = None
    not_turn: str | None = None
    gated: bool = True
    without: frozenset[str] = frozenset()

    def as_filter(self, *, now: datetime) -> dict[str, Any]:
        """Give it as a filter over values, applied before any limit; what will be said later is not known `now`."""
        parts: list[Mapping[str, Any]] = []
        if self.kind == "facts":
            parts.append({"status": "active"})
        if self.thread_id is not None:
            parts.append({"thread_id": self.thread_id})
        if self.not_turn is not None:
            parts.append({"turn_id": {"$ne": self.not_turn}})
        if self.since is not None:
            parts.append({self._time: {"$gte": stamp_of(self.since)}})
        if self.until is not None:
            parts.append({self._time: {"$lte": stamp_of(self.until)}})
        else:
            parts.append({"$or": [{self._time: None}, {self._time: {"$lte": stamp_of(now)}}]})
        return {"$and": parts} if parts else {}

    @property
    def _time(self) -> str:
        return "said_at" if self.kind == "episodes" else "last_confirmed"


async def recall(
    store: MemoryStore, owner: Owner, query: str, wanted: Wanted | None = None, *, now: datetime
) -> tuple[Recalled, ...]:
    """Find what is known of this user that bears on a query, best first; reads only.

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
    found = [
        one
        for agent in dict.fromkeys((owner.agent, SHARED_AGENT))
        for one in await _found(store, replace(owner, agent=agent), query, wanted, now)
    ]
    fits = [one for one in found if one.score > 0 or not wanted.without]
    shown = [one for one in fits if not wanted.gated or bears_on(one.parts)]
    return tuple(sorted(shown, key=lambda one: -one.score)[: wanted.limit])


async def _found(store: MemoryStore, owner: Owner, query: str, wanted: Wanted, now: datetime) -> list[Recalled]:
    """Find what fits in one agent's memory; of episodes all signals together give the score."""
    space = user_space(owner, wanted.kind)
    if wanted.kind == "facts":
        limit = max(wanted.limit * OVER_FETCH, CANDIDATES)
        found = await store.find(space, query, wanted=wanted.as_filter(now=now), limit=limit)
        return [_fact(one, owner.agent, now, wanted.without) for one in found]
    ranked = await store.ranking.ranked(space, query, now=now, without=wanted.without)
    return [
        _episode(one, owner.agent, now, wanted.without)
        for one in await _candidates(store, space, query, wanted, now, ranked)
    ]


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An episode with how well words and meaning fit (0..1 each), and what ranking makes of it, where it was ranked."""

    row: Row
    fused: Fused
    score: float | None = None
    signals: Mapping[str, float] = field(default_factory=dict)


async def _candidates(
    store: MemoryStore, space: Namespace, query: str, wanted: Wanted, now: datetime, ranked: RankedSpace | None
) -> list[_Candidate]:
    """Take the best by ranking; by search where there is too much to rank, or ranking cannot see all by its meaning."""
    filter_ = wanted.as_filter(now=now)
    if ranked is not None and ranked.complete:
        limit = max(wanted.limit * OVER_FETCH, RANKED_CANDIDATES)
        rows = await store.fitting(space, ranked.best, wanted=filter_, limit=limit)
        return [_ranked(row, ranked) for row in rows]
    found = await store.find(space, query, wanted=filter_, limit=max(wanted.limit * OVER_FETCH, CANDIDATES))
    return [
        replace(_ranked(one.row, ranked), fused=one.fused)
        if ranked is not None and one.row.id in ranked.row_of
        else _Candidate(row=one.row, fused=one.fused)
        for one in found
    ]


def _ranked(row: Row, ranked: RankedSpace) -> _Candidate:
    lexical, semantic = ranked.words_of(row.id), ranked.meaning_of(row.id)
    return _Candidate(
        row=row,
        fused=Fused(item=row.id, score=max(lexical, semantic), lexical=lexical, semantic=semantic),
        score=ranked.score(row.id),
        signals=ranked.signals_of(row.id),
    )


def _fit(fused: Fused, without: frozenset[str]) -> float:
    """Say how well it fits by those of words and meaning that count; by neither, nothing fits."""
    if {"words", "meaning"} <= without:
        return 0.0
    return fused.semantic if "words" in without else fused.lexical if "meaning" in without else fused.score


def _episode(one: _Candidate, agent: str, now: datetime, without: frozenset[str]) -> Recalled:
    episode = from_value(Episode, one.row.value)
    parts = parts_of(
        lexical=one.fused.lexical,
        semantic=one.fused.semantic,
        said_at=episode.last_used_at or episode.said_at,
        uses=episode.uses,
        now=now,
    )
    return Recalled(
        id=episode.id,
        kind="episodes",
        agent=agent,
        text=episode.text,
        speaker=episode.speaker,
        thread_id=episode.thread_id,
        turn_id=episode.turn_id,
        said_at=episode.said_at,
        score=(
            score_of(_fit(one.fused, without), parts, without=without)
            if one.score is None
            else with_use(one.score, parts, without=without)
        )
        * tells(episode.text, episode.speaker, ranked=one.score is not None, without=without),
        parts=parts,
        signals=one.signals,
    )


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
        text=f"{fact.key}: {fact.value}",
        speaker="",
        thread_id="",
        turn_id="",
        said_at=fact.last_confirmed,
        score=score_of(_fit(one.fused, without), parts, without=without),
        parts=parts,
    )
