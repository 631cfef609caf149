"""How found memories are ranked: two published weightings, and the one that cuts the window."""

from __future__ import annotations

import math
from dataclasses import dataclass

OVER_FETCH = 3
"""Fetch this many times what is wanted before ranking, since time and use reorder it."""
UNKNOWN_RECENCY = 0.5
FADE_DAYS = 30.0
FULL_USES = 10


@dataclass(frozen=True, kw_only=True)
class ScoreParts:
    """Why something was recalled: the parts before they are weighted, and the total; each 0..1."""

    similarity: float
    recency: float
    frequency: float
    total: float


def weighted_by_use(*, similarity: float, idle_days: float | None, uses: int) -> ScoreParts:
    """Score by .6 · similarity + .3 · recency + .1 · frequency.

    Args:
        similarity: 0..1; clamped.
        idle_days: Days since last use; recency is 1/(1 + days), and .5 when None (unknown).
        uses: Times it was put into a prompt; ten or more count fully.
    """
    near = _clamped(similarity)
    recency = UNKNOWN_RECENCY if idle_days is None else 1 / (1 + max(idle_days, 0.0))
    frequency = min(max(uses, 0) / FULL_USES, 1.0)
    total = 0.6 * near + 0.3 * recency + 0.1 * frequency
    return ScoreParts(similarity=near, recency=recency, frequency=frequency, total=total)


def weighted_by_age(*, similarity: float, idle_days: float | None) -> ScoreParts:
    """Score by .7 · similarity + .3 · e^(−days/30); use does not count.

    Args:
        similarity: 0..1; clamped.
        idle_days: Days since it was said; recency is .5 when None (unknown).
    """
    near = _clamped(similarity)
    recency = UNKNOWN_RECENCY if idle_days is None else math.exp(-max(idle_days, 0.0) / FADE_DAYS)
    total = 0.7 * near + 0.3 * recency
    return ScoreParts(similarity=near, recency=recency, frequency=0.0, total=total)


def attention(*, relevance: float, importance: float, recency: float) -> float:
    """Weigh a message of the window: .5 · relevance + .3 · importance + .2 · recency, each 0..1."""
    return 0.5 * _clamped(relevance) + 0.3 * _clamped(importance) + 0.2 * _clamped(recency)


def _clamped(part: float) -> float:
    return min(max(part, 0.0), 1.0)
