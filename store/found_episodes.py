"""Found episodes: what was said that fits a query, by ranking all of it, or by search where there is too much to rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.fusion import Fused
from memory.kinds import Episode
from memory.namespaces import Namespace, Owner, user_space
from memory.recalled import Recalled, fit_of, parts_of, score_of, tells, with_use
from memory.score import OVER_FETCH
from store.memory_store import MemoryStore
from store.ranking import RankedSpace
from store.readable import episode_of
from store.transaction import Row
from store.wanted import Wanted

CANDIDATES = 300
RANKED_CANDIDATES = 40


async def found_episodes(
    store: MemoryStore, owner: Owner, query: str, wanted: Wanted, *, now: datetime
) -> list[Recalled]:
    """Find candidates in one agent's memory, each with the score that all signals together give it; in no order.

    Args:
        store: Where.
        owner: Whose memory, of which agent.
        query: Plain words, in any language.
        wanted: Which memories, at least how many; gated, there are none where nothing helps.
        now: The time of asking, aware.
    """
    space = user_space(owner, "episodes")
    among = await store.matching(space, wanted.as_filter(now=now)) if wanted.is_narrow else None
    ranked = await store.ranking.ranked(
        space, query, now=now, without=wanted.without, not_turn=wanted.not_turn, among=among
    )
    if wanted.gated and ranked is not None and not ranked.help.is_likely:
        return []
    candidates = await _candidates(store, space, query, wanted, now, ranked)
    return [
        _recalled(one, episode, owner.agent, now, wanted.without)
        for one in candidates
        if (episode := episode_of(one.row)) is not None
    ]


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An episode with how well words and meaning fit (0..1 each), and what ranking makes of it, where it was ranked."""

    row: Row
    fused: Fused
    score: float | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    answers: bool = False


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
        answers=bool(ranked.corpus.answers[ranked.row_of[row.id]]),
    )


def _recalled(one: _Candidate, episode: Episode, agent: str, now: datetime, without: frozenset[str]) -> Recalled:
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
            score_of(fit_of(one.fused, without), parts, without=without)
            if one.score is None
            else with_use(one.score, parts, without=without)
        )
        * tells(episode.text, episode.speaker, ranked=one.score is not None, without=without),
        parts=parts,
        signals=one.signals,
        answers=one.answers,
        cleared=episode.cleared,
    )
