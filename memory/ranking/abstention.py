"""Abstention: whether a memory holds anything that helps with a question, and which of what ranks best is then shown.

Small talk, sums and questions about what was never said shall bring nothing into a prompt. A question about something near to
what was said ("the dog's name", where only its breed was told) looks like one that is answered, and is let through.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory.plain_yaml import read_yaml
from memory.ranking.evidence import Evidence
from memory.ranking.ranked import Kind

WEIGHTS = "abstention.yaml"
FAR_BEHIND = 4.0
"""In log odds: what is so far behind the best is a fiftieth as likely as it to be an answer."""
EVIDENT = 1.5
"""In log odds: what sums up to so much is shown though neither its words nor its meaning bear on the question by themselves."""


@dataclass(frozen=True, kw_only=True)
class Help:
    """How likely it is (0..1) that anything helps, and from when on memories are shown."""

    probability: float
    least: float

    @property
    def is_likely(self) -> bool:
        """Say whether memories are shown."""
        return self.probability >= self.least


CERTAIN = Help(probability=1.0, least=0.0)
"""For what is asked by its time alone ("what did I say in May?"): it has no content that could be missing."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What each piece of evidence adds to the log odds, from where they start, and the least probability."""

    of: Mapping[str, float]
    start: float
    least: float


@cache
def weights(kind: Kind) -> Weights:
    """Give the weights as they were learned (bench/train_abstention.py)."""
    table: Mapping[str, Any] = read_yaml("memory.ranking", WEIGHTS)[kind]
    of = {str(name): float(weight) for name, weight in table["weights"].items()}
    return Weights(of=of, start=float(table["start"]), least=float(table["least"]))


def helps(evidence: Evidence) -> Help:
    """Say how likely it is that anything in the memory helps, where as many questions are answered in it as are not."""
    by_name = weights("with_meaning" if "near" in evidence else "words_only")
    odds = by_name.start + sum(weight * evidence[name] for name, weight in by_name.of.items())
    return Help(probability=1 / (1 + math.exp(-odds)), least=by_name.least)


def shown(odds: Sequence[float], bears: Sequence[bool]) -> list[bool]:
    """Say which items are shown, once anything helps: none far behind the best, none for which nothing speaks.

    Args:
        odds: What all signals of each item sum up to, in log odds.
        bears: Whether its own words or its meaning bear on the question.
    """
    best = max(odds, default=0.0)
    return [one >= best - FAR_BEHIND and (near or one >= EVIDENT) for one, near in zip(odds, bears, strict=True)]
