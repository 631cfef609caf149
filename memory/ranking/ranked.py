"""Ranking: one score for each row of the corpus, the sum of its signals by their weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
Kind = Literal["with_meaning", "words_only"]
Situation = Literal["conversation", "one_voice", "several_voices"]


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """How well each row answers; row i of every array is the corpus's row i.

    Attributes:
        scores: 0..1, higher is better.
        groups: What each group of signals (`GROUPS`) adds to the log odds of each row; what is left out is not there.
    """

    scores: Floats
    groups: Mapping[str, Floats]


def situation_of(corpus: Corpus, question: Question) -> Situation:
    """Say which weights hold: by what the question and the memory offer, never by whose memory it is.

    A conversation that is still going on asks for other things than a question does; and where one voice alone speaks, what
    stands beside a turn says something else than where two answer each other.
    """
    if question.by:
        return "conversation"
    return "several_voices" if len(corpus.names) > 1 else "one_voice"


@cache
def weights(kind: Kind, situation: Situation) -> Weights:
    """Give the weights by the signals' names, as they were learned (bench/train_ranking.py)."""
    table = read_yaml("memory.ranking", WEIGHTS)
    return {str(name): float(weight) for name, weight in table[kind][situation].items()}


def ranked(corpus: Corpus, question: Question, meant: Meant | None, *, without: frozenset[str] = frozenset()) -> Ranked:
    """Weigh all signals of each row.

    Args:
        corpus: What is ranked.
        question: What is asked.
        meant: The vectors; None where there are none, and other weights hold.
        without: Groups of signals (`memory.ranking.table.GROUPS`) that do not count.
    """
    signals = signals_of(corpus, question, meant)
    by_name = weights("with_meaning" if meant else "words_only", situation_of(corpus, question))
    nothing = np.zeros(len(corpus))
    groups = {
        group: sum((by_name[name] * signals[name] for name in names if name in by_name), nothing)
        for group, names in GROUPS.items()
        if group not in without
    }
    total = sum(groups.values(), nothing)
    return Ranked(scores=1 / (1 + np.exp(EVEN_SCORE - total)), groups=groups)
