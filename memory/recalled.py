"""Recalled: a memory that bears on a query, with its score and the reasons for it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from memory.importance import importance
from memory.ranking.table import GROUPS
from memory.score import weighted_by_use

RecalledKind = Literal["episodes", "facts"]

SIGNALS = (*GROUPS, "recency", "frequency", "assistant")
"""What a score is made of; each can be left out, to learn what it is worth."""

FIT_WEIGHT, RECENCY_WEIGHT, FREQUENCY_WEIGHT = 0.85, 0.10, 0.05
RECENT_BONUS, USED_BONUS, LEAST_DOUBT = 0.2, 0.2, 1e-12
LEAST_LEXICAL = 0.08
ASSISTANT_TELLS = 0.7
QUESTION_TELLS = 0.8
_QUESTION_END = re.compile(r"[?？]\s*$|[吗呢]\W*$")
LEAST_SEMANTIC = 0.30
DAY_S = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a score is made of, each 0..1: how words and meaning fit, how recent and how often used it is."""

    lexical: float
    semantic: float
    recency: float
    frequency: float


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """A memory found for a query; `score` is 0..1 and higher is better.

    `agent` is whose memory of the user it is (`_` is shared by all). `said_at` is None when it is not known. `signals` are
    what each group of ranking's signals (`memory.ranking.table.GROUPS`) adds, in log odds; none where it was not ranked.
    """

    id: str
    kind: RecalledKind
    agent: str
    text: str
    speaker: str
    thread_id: str
    turn_id: str
    said_at: datetime | None
    score: float
    parts: Parts
    signals: Mapping[str, float] = field(default_factory=dict)

    def why(self) -> str:
        """Say in a line why it was recalled."""
        named = {
            "same words": self.parts.lexical,
            "similar meaning": self.parts.semantic,
            "recent": self.parts.recency,
            "often used": self.parts.frequency,
        }
        telling = [f"{name} {value:.2f}" for name, value in named.items() if value >= LEAST_LEXICAL]
        return ", ".join(telling) or "nothing in particular"


def parts_of(*, lexical: float, semantic: float, said_at: datetime | None, uses: int, now: datetime) -> Parts:
    """Measure all that a score is made of."""
    idle_days = None if said_at is None else (now - said_at).total_seconds() / DAY_S
    used = weighted_by_use(similarity=max(lexical, semantic), idle_days=idle_days, uses=uses)
    return Parts(lexical=lexical, semantic=semantic, recency=used.recency, frequency=used.frequency)


def score_of(fit: float, parts: Parts, *, without: frozenset[str] = frozenset()) -> float:
    """Join how well it fits (0..1) with how recent and how often used it is.

    Recency and use break ties between what fits equally well; they never carry what does not fit.
    """
    return FIT_WEIGHT * fit + fit * _by_use(parts, RECENCY_WEIGHT, FREQUENCY_WEIGHT, without)


def with_use(ranked: float, parts: Parts, *, without: frozenset[str] = frozenset()) -> float:
    """Lift a ranking's score (0..1) a little by how recent and how often used it is, where scores are close.

    On the scale on which signals are summed (log odds), so that it weighs alike near 0, in the middle and near 1.
    """
    odds = ranked / max(1 - ranked, LEAST_DOUBT) * math.exp(_by_use(parts, RECENT_BONUS, USED_BONUS, without))
    return odds / (1 + odds)


def _by_use(parts: Parts, recent: float, used: float, without: frozenset[str]) -> float:
    """Weigh how recent and how often used it is, but for what does not count."""
    recency = 0.0 if "recency" in without else recent * parts.recency
    return recency + (0.0 if "frequency" in without else used * parts.frequency)


def tells(text: str, speaker: str, *, ranked: bool, without: frozenset[str] = frozenset()) -> float:
    """Say how much a message tells (0..1): what the assistant said, and what was only asked, tell less.

    Args:
        text: What was said.
        speaker: By whom.
        ranked: The form of the text has counted already.
        without: Signals that do not count.
    """
    said = ASSISTANT_TELLS if speaker == "assistant" and "assistant" not in without else 1.0
    asks = not ranked and "form" not in without and _QUESTION_END.search(text)
    return said * (QUESTION_TELLS if asks else 1.0)


def asks_for_memory(query: str) -> bool:
    """Tell whether a message can have to do with anything remembered: "谢谢", "2+2" and greetings cannot."""
    return importance(query) > 0


def bears_on(parts: Parts) -> bool:
    """Tell whether an item has enough to do with the query to be shown at all."""
    return parts.lexical >= LEAST_LEXICAL or parts.semantic >= LEAST_SEMANTIC
