"""How much of an episode or event is left after lying idle: the forgetting curve."""

from __future__ import annotations

import math
from datetime import datetime

from memory.decay import days_since
from memory.kinds import Episode

SCALE_DAYS = 30.0
MIN_IMPORTANCE = 0.1
RECALLED_FROM = 0.3
"""A memory weaker than this would not come to mind; recall does not withhold it (docs/adr/0007, bench/fading.py)."""
KEPT_FROM = 0.1
"""A memory weaker than this is archived."""


def retention(*, idle_days: float, importance: float, uses: int) -> float:
    """Say how much of a memory is left after lying idle.

    R = exp(−t / S) with S = 30 · importance · (1 + ln(1 + uses)): what matters more and is used more
    has the greater S and fades more slowly.

    Args:
        idle_days: Days since it was last put into a prompt, or since it was said; negative counts as 0.
        importance: 0..1; counted as at least 0.1.
        uses: Times it was put into a prompt, 0 or more.

    Returns:
        R in [0, 1]; 1 when idle_days is 0.

    Source:
        The exponential forgetting curve of Ebbinghaus, 1885.
    """
    strength_days = SCALE_DAYS * max(importance, MIN_IMPORTANCE) * (1 + math.log1p(max(uses, 0)))
    return math.exp(-max(idle_days, 0.0) / strength_days)


def retention_of(episode: Episode, *, now: datetime) -> float:
    """Say how much of an episode is left; one of unknown time that was never used has not faded."""
    since = episode.last_used_at or episode.said_at
    idle_days = days_since(since, now=now) if since else 0.0
    return retention(idle_days=idle_days, importance=episode.importance, uses=episode.uses)


def is_faded(left: float) -> bool:
    """Say whether a memory of this strength is to be archived."""
    return left < KEPT_FROM
