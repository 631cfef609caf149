"""meaning: how near the vectors of a turn, and of the turns around it, are to the question's, as a whole and by its pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.signals import Signals

AROUND = ((-1, 0.7), (-2, 0.5), (1, 0.4))


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Vectors of unit length by one embedder: of the rows, and of the question (whole, its end, its pieces).

    Attributes:
        rows: One row for each of the corpus, zeros where there is no vector yet.
        whole: Of `Question.text`.
        last: Of `Question.last`.
        pieces: One for each of `Question.pieces`.
    """

    rows: NDArray[np.float32]
    whole: NDArray[np.float32]
    last: NDArray[np.float32]
    pieces: NDArray[np.float32]


def meaning(corpus: Corpus, meant: Meant) -> Signals:
    """Give cosines as distances from their mean over all rows: a model uses a narrow band of them."""
    around = _pooled(corpus, meant.rows)
    pieces = [standard(_cosines(meant.rows, piece)) for piece in meant.pieces]
    return {
        "meaning": standard(_cosines(meant.rows, meant.whole)),
        "meaning_around": standard(_cosines(around, meant.whole)),
        "meaning_of_last": standard(_cosines(meant.rows, meant.last)),
        "meaning_of_best_piece": standard(np.max(pieces, axis=0)),
    }


def _cosines(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> Floats:
    """Compare all rows with a vector; a row that has no vector yet is neither near nor far."""
    cosines: Floats = (rows @ vector).astype(np.float64)
    has = rows.any(axis=1)
    if has.any():
        cosines[~has] = cosines[has].mean()
    return cosines


def _pooled(corpus: Corpus, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Join each row's vector with those before and after it in its thread; as good as embedding them together, and free."""
    total = rows.copy()
    for by, weight in AROUND:
        inside = corpus.shifted(np.ones(len(corpus)), by) * weight
        total += np.roll(rows, -by, axis=0) * inside[:, None].astype(np.float32)
    lengths = np.linalg.norm(total, axis=1, keepdims=True)
    joined: NDArray[np.float32] = total / np.maximum(lengths, 1e-9)
    return joined
