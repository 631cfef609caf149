"""Found episodes: what was said that fits a query, by ranking all of it, or by search where there is too much to rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.fusion import Fused
from memory.kinds import Episode, Evidence, Fact, from_value, stamp_of
from memory.namespaces import Namespace, Owner, user_space
from memory.ranking.overtaken import ENDED, Overtaken, overtaken
from memory.recalled import Recalled, fit_of, parts_of, score_of, tells, with_use
from memory.score import OVER_FETCH
from store.filters import condition_of, either_of
from store.memory_store import MemoryStore
from store.ranking import RankedSpace
from store.readable import episode_of
from store.transaction import Row, Transaction
from store.wanted import Wanted

CANDIDATES = 300
RANKED_CANDIDATES = 40
TO_THE_SECOND = len("2026-01-31T12:00:00")


async def found_episodes(
    store: MemoryStore, owner: Owner, query: str, wanted: Wanted, *, now: datetime, of_now: bool = False
) -> list[Recalled]:
    """Find candidates in one agent's memory, each with the score that all signals together give it; in no order.

    Of now, what has overtaken one of them is found with it.

    Args:
        store: Where.
        owner: Whose memory, of which agent.
        query: Plain words, in any language.
        wanted: Which memories, at least how many; gated, there are none where nothing helps.
        now: The time of asking, aware.
        of_now: It is asked how things are, not how they were.
    """
    space = user_space(owner, "episodes")
    among = await store.matching(space, wanted.as_filter(now=now)) if wanted.is_narrow else None
    ranked = await store.ranking.ranked(
        space, query, now=now, without=wanted.without, not_turn=wanted.not_turn, among=among
    )
    if wanted.gated and ranked is not None and not ranked.help.is_likely:
        return []
    candidates = await _candidates(store, space, query, wanted, now, ranked)
    found = [(one, episode) for one in candidates if (episode := episode_of(one.row)) is not None]
    if not of_now:
        return [_recalled(*one, owner.agent, now, wanted.without) for one in found]
    by = await store.look(lambda transaction: _overtaken(transaction, owner, [episode for _, episode in found]))
    missing = {name for one in by.values() for name in one.by} - {episode.id for _, episode in found}
    if missing:
        found += await _newer(store, space, sorted(missing), ranked, wanted, now)
    return [
        replace(
            _recalled(*one, owner.agent, now, wanted.without),
            overtaken_by=by.get(one[1].id, Overtaken()).by,
            wholly_overtaken=by.get(one[1].id, Overtaken()).wholly,
        )
        for one in found
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


def _overtaken(transaction: Transaction, owner: Owner, episodes: Sequence[Episode]) -> Mapping[str, Overtaken]:
    """Tell of the user's statements that the user has said otherwise since by what.

    All are looked up at once, and no more is read than the facts that no longer hold and what was said since.
    """
    place = user_space(owner, "evidence")
    given = _given(transaction, place, episodes)
    facts = _ended(transaction, user_space(owner, "facts"), [piece for pieces in given.values() for piece in pieces])
    evidence = {key: _said_since(transaction, place, key, ended) for key, ended in facts.items()}
    judged = {
        one.id: overtaken(one.text, given[one.id], facts=facts, evidence=evidence)
        for one in episodes
        if one.id in given
    }
    return {name: one for name, one in judged.items() if one.by}


def _given(transaction: Transaction, place: Namespace, episodes: Sequence[Episode]) -> dict[str, list[Evidence]]:
    """Give the evidence that came of the user's statements, by episode."""
    turns = {one.turn_id: number for number, one in enumerate(episodes) if one.speaker == "user"}
    given: dict[str, list[Evidence]] = {}
    for row in sorted(transaction.having(place, "turn_id", turns), key=lambda row: turns[row.value["turn_id"]]):
        piece = from_value(Evidence, row.value)
        given.setdefault(piece.episode_id, []).append(piece)
    return given


def _ended(transaction: Transaction, place: Namespace, given: Sequence[Evidence]) -> dict[str, list[Fact]]:
    """Give by key the facts that pieces of evidence spoke for and that no longer hold."""
    if not given:
        return {}
    spoken_for = either_of((piece.id for piece in given), in_list="evidence")
    facts: dict[str, list[Fact]] = {}
    for row in transaction.having(place, "key", {piece.key for piece in given}, spoken_for):
        if row.value["status"] in ENDED:
            facts.setdefault(row.value["key"], []).append(from_value(Fact, row.value))
    return facts


def _said_since(transaction: Transaction, place: Namespace, key: str, ended: Sequence[Fact]) -> list[Evidence]:
    """Give the evidence under a key since the first of its facts ended."""
    first = min((fact.valid_to for fact in ended if fact.valid_to), default=None)
    if first is None:
        return []
    since = condition_of({"said_at": {"$gte": stamp_of(first)[:TO_THE_SECOND]}})
    return [from_value(Evidence, row.value) for row in transaction.having(place, "key", [key], since)]


async def _newer(
    store: MemoryStore,
    space: Namespace,
    names: Sequence[str],
    ranked: RankedSpace | None,
    wanted: Wanted,
    now: datetime,
) -> list[tuple[_Candidate, Episode]]:
    """Read what has overtaken a candidate without being one itself, as far as it was said by now."""
    rows = await store.look(lambda transaction: [transaction.get(space, name) for name in names])
    found = [(row, episode) for row in rows if row is not None and (episode := episode_of(row)) is not None]
    return [
        (_ranked(row, ranked), episode)
        for row, episode in found
        if ranked is not None
        and row.id in ranked.row_of
        and episode.turn_id != wanted.not_turn
        and (episode.said_at is None or episode.said_at <= now)
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
