"""Reviewing: what waits to be looked at, and what a verdict does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory.kinds import Act, Draft, Episode, Fact, Review, Verdict, from_value, to_value
from memory.namespaces import Owner, in_reach, user_space
from store.conflicts import CONFLICT
from store.folding import append, latest, refold
from store.kept_episodes import kept_row, write_open
from store.memory_store import MemoryStore
from store.readable import episode_of
from store.transaction import Transaction

ACCEPTED_CONFIDENCE = 0.9


class ReviewError(ValueError):
    """There is nothing of this id that waits for a verdict, or what was accepted cannot be kept."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A review with the words that it is about; `said` is None where they were forgotten meanwhile.

    `against` is what is believed instead, where the review is about a conflict.
    """

    agent: str
    review: Review
    said: Episode | None
    against: Fact | None = None


async def reviews_of(store: MemoryStore, owner: Owner, *, judged_too: bool = False) -> tuple[Waiting, ...]:
    """List what waits for a verdict, oldest first, what all agents share included.

    Args:
        store: Where.
        owner: Whose.
        judged_too: Also what has its verdict.
    """
    waiting = await store.look(lambda transaction: list(_waiting(transaction, owner)))
    return tuple(one for one in waiting if judged_too or one.review.verdict is None)


async def waiting_review(store: MemoryStore, owner: Owner, review_id: str) -> Waiting | None:
    """Give one review that waits for its verdict; None where none of this id does."""
    return next((one for one in await reviews_of(store, owner) if one.review.id == review_id), None)


async def judge_review(store: MemoryStore, owner: Owner, review_id: str, verdict: Verdict) -> Review:
    """Give a verdict: what is accepted is remembered like anything else, what is rejected stays held back.

    Of two values in conflict the accepted one takes the other's place from then on; the rejected one is given up.

    Args:
        store: Where.
        owner: Whose memory; a review of what all agents share may be judged by any of them.
        review_id: Which.
        verdict: What was decided.

    Raises:
        ReviewError: No such review waits, or there is no family of facts for what was accepted.
    """

    def work(transaction: Transaction) -> Review:
        found = next((one for one in _waiting(transaction, owner) if one.review.id == review_id), None)
        if found is None or found.review.verdict is not None:
            raise ReviewError(
                f"Cannot judge {review_id!r}: no review of this id waits for user {owner.user!r}. "
                "`jiyi review list` shows those that do."
            )
        place = replace(owner, agent=found.agent)
        judged = replace(found.review, verdict=verdict, judged_at=transaction.now)
        transaction.put(user_space(place, "reviews"), judged.id, to_value(judged))
        if found.review.reason == CONFLICT:
            _decide(transaction, place, found, verdict, store)
        elif verdict == "accepted":
            _let_through(transaction, place, found, store)
        transaction.audit(actor="user", action=verdict.upper(), subject=owner.user, kind="reviews", item=judged.id)
        return judged

    review = await store.transact(owner.user, work)
    await store.after_writes.index()
    return review


def _decide(transaction: Transaction, owner: Owner, found: Waiting, verdict: Verdict, store: MemoryStore) -> None:
    """Let the user's verdict be the last word on a key, said now."""
    draft = found.review.draft
    if draft is None or found.said is None:
        raise ReviewError(f"Cannot judge {found.review.id!r}: what it rests on was forgotten.")
    act: Act = "accept" if verdict == "accepted" else "reject"
    decided = replace(draft, act=act, source="user", confidence=ACCEPTED_CONFIDENCE, said_at=None)
    append(transaction, owner, decided, replace(found.said, said_at=latest(transaction, owner, draft.key)))
    refold(transaction, owner, draft.key, keys=store.policies.keys, actor="user")


def _let_through(transaction: Transaction, owner: Owner, found: Waiting, store: MemoryStore) -> None:
    if found.said is None:
        raise ReviewError(f"Cannot accept {found.review.id!r}: what it rests on was forgotten. Reject it instead.")
    if found.review.draft is None:
        _release(transaction, owner, found.said)
    else:
        _believe(transaction, owner, found.review.draft, found.said, store)


def _release(transaction: Transaction, owner: Owner, said: Episode) -> None:
    write_open(transaction, owner, replace(said, cleared=True))
    transaction.delete(user_space(owner, "quarantine"), said.id)


def _believe(transaction: Transaction, owner: Owner, draft: Draft, said: Episode, store: MemoryStore) -> None:
    keys = store.policies.keys
    spec = keys.spec(draft.key)
    kept = spec.canonical(draft.value) if spec else None
    if kept is None:
        raise ReviewError(
            f"Cannot accept {draft.key!r}: {draft.value!r} is none of what may be kept under it. Reject it instead."
        )
    accepted = replace(
        draft, value=kept, act="accept", source="user", confidence=max(draft.confidence, ACCEPTED_CONFIDENCE)
    )
    append(transaction, owner, accepted, said)
    refold(transaction, owner, draft.key, keys=keys, actor="user")


def _waiting(transaction: Transaction, owner: Owner) -> Iterator[Waiting]:
    for place in in_reach(owner):
        for row in transaction.find(user_space(place, "reviews")):
            review = from_value(Review, row.value)
            yield Waiting(
                agent=place.agent,
                review=review,
                said=_said(transaction, place, review.episode_id),
                against=_fact(transaction, place, review.against),
            )


def _said(transaction: Transaction, owner: Owner, episode_id: str) -> Episode | None:
    row = kept_row(transaction, owner, episode_id)
    return None if row is None else episode_of(row)


def _fact(transaction: Transaction, owner: Owner, fact_id: str) -> Fact | None:
    row = transaction.get(user_space(owner, "facts"), fact_id) if fact_id else None
    return None if row is None else from_value(Fact, row.value)
