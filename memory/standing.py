"""Where one value stands while its key's evidence is folded, and the moves it can make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memory.confidence import MOST, fold_confidence
from memory.conflict import Claim
from memory.kinds import Evidence, FactStatus, Source

OWN_SOURCES: frozenset[Source] = frozenset({"user", "import"})
"""Only these are the user's own words; only they confirm."""
GONE: frozenset[FactStatus] = frozenset({"superseded", "retracted"})


@dataclass(frozen=True, kw_only=True)
class Held:
    """A value under a key; `grounds` is what speaks for it since it was last given up."""

    text: str
    status: FactStatus
    since: datetime
    first_seen: datetime
    until: datetime | None = None
    grounds: tuple[Evidence, ...] = ()
    pinned: bool = False

    @property
    def active(self) -> bool:
        """Say whether it is believed."""
        return self.status == "active"

    @property
    def by_user(self) -> bool:
        """Say whether the user's own words speak for it."""
        return any(is_own(piece) for piece in self.grounds)


def is_own(piece: Evidence) -> bool:
    """Say whether a piece of evidence is the user's own."""
    return piece.source in OWN_SOURCES


def grounded(held: Held | None, piece: Evidence) -> Held:
    """Add what speaks for a value, in its latest wording; for one given up the count begins anew."""
    text, at = piece.value.strip(), piece.said_at
    if held is None:
        return Held(text=text, status="proposed", since=at, first_seen=at, grounds=(piece,))
    text = text or held.text
    if held.status in GONE:
        return replace(held, text=text, status="proposed", since=at, until=None, grounds=(piece,))
    return replace(held, text=text, grounds=(*held.grounds, piece))


def activated(held: Held, at: datetime) -> Held:
    """Believe it from then on; what is believed already stays as it is."""
    return held if held.active else replace(held, status="active", since=at, until=None)


def given_up(held: Held, status: FactStatus, at: datetime) -> Held:
    """Believe it until then; what was given up before keeps its time, and stays retracted."""
    if held.status == "retracted":
        return held
    if held.status == "superseded":
        return replace(held, status=status)
    return replace(held, status=status, until=at, pinned=False)


def confidence_of(held: Held) -> float:
    """Fold the user's own words; what others say counts once, with its greatest."""
    own = [piece for piece in held.grounds if is_own(piece)]
    others = [piece.confidence for piece in held.grounds if not is_own(piece)]
    own_confidence = fold_confidence((piece.thread_id, piece.said_at, piece.confidence) for piece in own)
    return min(max([own_confidence, *others]), MOST)


def last_confirmed(held: Held) -> datetime:
    """Say when the user last said so; where only others did, when it was first heard."""
    own = [piece.said_at for piece in held.grounds if is_own(piece)]
    return max(own, default=held.since)


def claim_of(held: Held) -> Claim:
    """Say where a held value stands: with its surest statement, so that what was said often can change."""
    own = [piece for piece in held.grounds if is_own(piece)]
    speaking = own or list(held.grounds)
    return _claim(held, speaking[-1], max(piece.confidence for piece in speaking))


def challenge_of(held: Held) -> Claim:
    """Say where a new value stands: with all that speaks for it, so that repeating it tells."""
    return _claim(held, held.grounds[-1], confidence_of(held))


def _claim(held: Held, last: Evidence, confidence: float) -> Claim:
    return Claim(
        said_at=last.said_at,
        thread_id=last.thread_id,
        confidence=confidence,
        by_user=held.by_user,
        pinned=held.pinned,
    )
