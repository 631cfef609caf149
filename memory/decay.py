"""How belief in a fact fades when its user does not confirm it."""

from __future__ import annotations

from datetime import datetime, timedelta

from memory.keys import KeySpec
from memory.kinds import Fact

INFERRED_HALF_LIFE_DAYS = 30.0
"""What nobody said outright, but was inferred or distilled, fades fast whatever its key."""
BELIEVED_FROM = 0.7
"""Effective confidence from which a fact stands in the prompt."""

_DAY = timedelta(days=1)


def days_since(when: datetime, *, now: datetime) -> float:
    """Count the days that have passed, with fractions; a time still to come counts as 0."""
    return max((now - when) / _DAY, 0.0)


def decayed(confidence: float, *, idle_days: float, half_life_days: float | None) -> float:
    """Halve the confidence with every half-life that passed; without a half-life it stays.

    Args:
        confidence: 0..1, as folded from the evidence.
        idle_days: Days since the user last confirmed it; negative counts as 0.
        half_life_days: More than 0, or None.
    """
    if half_life_days is None:
        return confidence
    return float(confidence * 0.5 ** (max(idle_days, 0.0) / half_life_days))


def half_life_of(spec: KeySpec, *, pinned: bool = False, inferred: bool = False) -> float | None:
    """Say how fast a fact of this family fades: never when pinned, within 30 days when inferred."""
    if pinned:
        return None
    if inferred:
        return min(spec.half_life_days or INFERRED_HALF_LIFE_DAYS, INFERRED_HALF_LIFE_DAYS)
    return spec.half_life_days


def effective_confidence(fact: Fact, *, spec: KeySpec, now: datetime, inferred: bool = False) -> float:
    """Give the confidence in a fact as of now, 0 to 0.99.

    `inferred` says that none of its evidence is the user's own words. Recalling a fact does not
    refresh it; only the user's evidence moves `last_confirmed`.
    """
    half_life = half_life_of(spec, pinned=fact.pinned, inferred=inferred)
    idle = days_since(fact.last_confirmed, now=now)
    return decayed(fact.confidence, idle_days=idle, half_life_days=half_life)
