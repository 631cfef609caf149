"""Ranking: one score for each row of the corpus, the sum of its signals by their weights."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import numpy as np

from memory.plain_yaml import read_yaml
from memory.ranking.corpus import Corpus, Floats
from memory.ranking.question import Question
from memory.ranking.signals.meaning import Meant
from memory.ranking.table import GROUPS, signals_of

WEIGHTS = "weights.yaml"
EVEN_SCORE = 2.0
"""The sum at which a row is as likely as not to be what was asked for; scores are 0..1 around it."""

Weights = Mapping[str, float]


@cache
def weights(kind: Literal["with_meaning", "words_only"]) -> Weights:
    """Give the weights by the signals' names, as they were learned (bench/train_ranking.py)."""
    table = read_yaml("memory.ranking", WEIGHTS)
    return {str(name): float(weight) for name, weight in table[kind].items()}


def ranked(corpus: Corpus, question: Question, meant: Meant | None, *, without: frozenset[str] = frozenset()) -> Floats:
    """Give each row its score, 0..1, higher is better.

    Args:
        corpus: What is ranked.
        question: What is asked.
        meant: The vectors; None where there are none, and other weights hold.
        without: Groups of signals (`memory.ranking.table.GROUPS`) that do not count.
    """
    signals = signals_of(corpus, question, meant)
    left_out = {name for group in without for name in GROUPS.get(group, ())}
    total = np.zeros(len(corpus))
    for name, weight in weights("with_meaning" if meant else "words_only").items():
        if name not in left_out:
            total += weight * signals[name]
    scores: Floats = 1 / (1 + np.exp(EVEN_SCORE - total))
    return scores
