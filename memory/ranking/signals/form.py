"""form: what a turn looks like: a question tells little; names of people and places tell much."""

from __future__ import annotations

import re

import numpy as np

from memory.ranking.corpus import ODD, Corpus, standard
from memory.ranking.signals import Signals

MOST_NAMES = 3
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")


def form(corpus: Corpus) -> Signals:
    """Tell questions, and count names inside sentences."""
    speakers = set(corpus.names)
    named = [min(MOST_NAMES, sum(name not in speakers for name in _NAME.findall(one.text))) for one in corpus.said]
    length = [np.log1p(len(own)) for own in corpus.terms]
    return {
        "asks": standard(corpus.asks, most=ODD),
        "names": standard(np.array(named, float), most=ODD),
        "length": standard(np.array(length), most=ODD),
    }
