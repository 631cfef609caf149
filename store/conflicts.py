"""Conflicts: two values where only one can be, neither of which gives way by itself, are put before the user.

Saying again what is believed answers the question as well as a verdict does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.ids import keyed_id
from memory.kinds import Draft, Evidence, Fact, Review, ReviewReason, from_value, to_value
from memory.namespaces import Owner, user_space
from memory.standing import is_own
from store.transaction import Transaction

CONFLICT: ReviewReason = "conflict"


@dataclass(frozen=True, kw_only=True)
class _Rivals:
    """What is believed, and what the user said against it last without its taking the other's place."""

    held: Fact
    challenger: Fact
    said: Evidence


def note_conflicts(
    transaction: Transaction, owner: Owner, key: str, facts: Sequence[Fact], evidence: Iterable[Evidence]
) -> None:
    """Put before the user what stands against each other under a single-valued key; doing it twice changes nothing.

    What was put before them and has been decided since, by what they said or by forgetting, is settled.

    Args:
        transaction: In which it is noted.
        owner: Whose memory it is.
        key: The key, of which one value can be believed.
        facts: All facts under it, just folded.
        evidence: All evidence under it.
    """
    rivals = {one.challenger.id: one for one in _rivals(facts, {piece.id: piece for piece in evidence})}
    waiting = [one for one in _reviews(transaction, owner, key) if one.verdict is None]
    for review in waiting:
        rival = rivals.get(review.fact_id)
        if rival is None or rival.held.id != review.against:
            settled = replace(review, verdict="settled", judged_at=transaction.now)
            transaction.put(user_space(owner, "reviews"), review.id, to_value(settled))
    asked = {(review.fact_id, review.against) for review in waiting}
    for rival in rivals.values():
        if (rival.challenger.id, rival.held.id) not in asked:
            _ask(transaction, owner, rival)


def _rivals(facts: Sequence[Fact], evidence: Mapping[str, Evidence]) -> list[_Rivals]:
    held = next((fact for fact in facts if fact.status == "active"), None)
    if held is None:
        return []
    found: list[_Rivals] = []
    for fact in facts:
        own = [evidence[one] for one in fact.evidence if one in evidence and is_own(evidence[one])]
        if fact.status == "proposed" and own and own[-1].said_at >= held.last_confirmed:
            found.append(_Rivals(held=held, challenger=fact, said=own[-1]))
    return found


def _reviews(transaction: Transaction, owner: Owner, key: str) -> list[Review]:
    rows = transaction.find(user_space(owner, "reviews"), {"reason": CONFLICT, "why": key})
    return [from_value(Review, row.value) for row in rows]


def _ask(transaction: Transaction, owner: Owner, rivals: _Rivals) -> None:
    said, fact = rivals.said, rivals.challenger
    review = Review(
        id=keyed_id(transaction.user_key(owner.user), "review", CONFLICT, fact.id, rivals.held.id, said.id),
        reason=CONFLICT,
        why=fact.key,
        turn_id=said.turn_id,
        episode_id=said.episode_id,
        noted_at=transaction.now,
        draft=Draft(
            key=fact.key,
            value=fact.value,
            confidence=said.confidence,
            quote=said.quote,
            source=said.source,
            said_at=said.said_at,
        ),
        fact_id=fact.id,
        against=rivals.held.id,
    )
    transaction.put(user_space(owner, "reviews"), review.id, to_value(review))
