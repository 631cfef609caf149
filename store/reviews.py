"""Reviews: what the guard holds back until somebody has looked at it."""

from __future__ import annotations

from memory.ids import keyed_id
from memory.kinds import Draft, Episode, Review, to_value
from memory.namespaces import Owner, user_space
from memory.values import normalised
from store.transaction import Transaction


def hold_back(transaction: Transaction, owner: Owner, said: Episode, *, why: str, draft: Draft | None = None) -> None:
    """Put what was said, or a draft from it, before the user for review; doing it twice changes nothing.

    Args:
        transaction: In which it is noted.
        owner: Whose memory it is.
        said: What was said; where there is no draft, it is itself what is held back.
        why: The family of attacks, or the gate's reason.
        draft: What was proposed from it.
    """
    place = user_space(owner, "reviews")
    about = ("draft", draft.key, normalised(draft.value), draft.act) if draft else ("episode",)
    review_id = keyed_id(transaction.user_key(owner.user), "review", said.id, *about)
    if transaction.get(place, review_id) is not None:
        return
    review = Review(
        id=review_id,
        reason="quarantine",
        why=why,
        turn_id=said.turn_id,
        episode_id=said.id,
        draft=draft,
        noted_at=transaction.now,
    )
    transaction.put(place, review.id, to_value(review))
