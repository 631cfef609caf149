"""neighbours: how well what was said just before, just after and around a turn fits, and whether it answers a question."""

from __future__ import annotations

import numpy as np

from memory.ranking.corpus import Corpus, Floats
from memory.ranking.signals import Signals


def neighbours(corpus: Corpus, fit: Floats, name: str) -> Signals:
    """Take the fit (standardised) of the turns around each as its own signals.

    Args:
        corpus: What is ranked.
        fit: How well each row fits by itself.
        name: Of the fit, for the signals' names.
    """
    before = corpus.shifted(fit, -1)
    return {
        f"{name}_before": before,
        f"{name}_after": corpus.shifted(fit, 1),
        f"{name}_near": np.max([corpus.shifted(fit, by) for by in (-3, -2, -1, 1, 2, 3)], axis=0),
        f"{name}_answered": np.maximum(before, 0.0) * corpus.answers,
    }
