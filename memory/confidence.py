"""How sure we are of a fact: what was stated each time, and what saying it again adds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, date, datetime

EXPLICIT = 0.9
"""The user asked for it to be remembered, or said it outright ("my name is …")."""
PLAIN = 0.75
"""The user said it in passing, as a plain statement."""
UNSURE = 0.4
"""The user was not sure ("maybe", "大概")."""
MOST = 0.99
"""No amount of saying makes a fact certain."""

Said = tuple[str, datetime, float]
"""Thread id, when it was said, the confidence stated then (0..1)."""


def fold_confidence(said: Iterable[Said]) -> float:
    """Fold what was said into one confidence, 0 to 0.99; 0 when nothing was.

    Saying it again in the same thread on the same day (UTC) is one occasion, which counts with its
    greatest confidence; occasions add up as independent reasons, 1 − ∏(1 − c). So the order does not
    matter and agreeing evidence never lowers it, which a mean would.
    """
    occasions: dict[tuple[str, date], float] = {}
    for thread_id, said_at, confidence in said:
        occasion = (thread_id, said_at.astimezone(UTC).date())
        occasions[occasion] = max(occasions.get(occasion, 0.0), _clamped(confidence))
    doubt = math.prod(sorted(1 - confidence for confidence in occasions.values()))
    return min(1 - doubt, MOST)


def _clamped(confidence: float) -> float:
    return min(max(confidence, 0.0), 1.0)
