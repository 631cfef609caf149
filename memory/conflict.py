"""Which of two values stays where only one can be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

SETTLED_AFTER = timedelta(hours=1)
MAX_LOSS = 0.2
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A value's standing: when and where it was last said, how surely, whether by the user."""

    said_at: datetime
    thread_id: str
    confidence: float
    by_user: bool = True
    pinned: bool = False


def replaces(new: Claim, held: Claim) -> bool:
    """Say whether a different value takes the held one's place; otherwise the two go to review.

    It does when it was said more than an hour later, or later in another thread, and is less sure by
    at most .2. What is pinned, or is the user's word against somebody else's, does not yield.
    """
    if held.pinned or (held.by_user and not new.by_user):
        return False
    return _is_later(new, held) and new.confidence >= held.confidence - MAX_LOSS - _ROUNDING


def _is_later(new: Claim, held: Claim) -> bool:
    if new.said_at - held.said_at > SETTLED_AFTER:
        return True
    return new.said_at > held.said_at and new.thread_id != held.thread_id
