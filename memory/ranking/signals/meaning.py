"""meaning: how near the vectors of a turn, and of the turns around it, are to the question's, as a whole and by its pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.anchors import CHINESE
from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.language import chinese_rows
from memory.ranking.signals import Signals

AROUND = ((-1, 0.7), (-2, 0.5), (1, 0.4))
TAKEN_BACK = 0.7
"""How much of what a row is nearer for its language alone does not count. All of it is too much: most questions are answered in
their own language. Measured on the corpora in both languages, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Vectors of unit length by one embedder: of the rows, and of the question (whole, its end, its pieces).

    Attributes:
        rows: One row for each of the corpus, zeros where there is no vector yet.
        whole: Of `Question.text`.
        last: Of `Question.last`.
        pieces: One for each of `Question.pieces`.
        anchors: Of `memory.anchors.ANCHORS`; without them what is unrelated is not known, and languages are not evened out.
    """

    rows: NDArray[np.float32]
    whole: NDArray[np.float32]
    last: NDArray[np.float32]
    pieces: NDArray[np.float32]
    anchors: NDArray[np.float32] | None = None


def meaning(corpus: Corpus, meant: Meant) -> Signals:
    """Give cosines as distances from their mean over all rows: a model uses a narrow band of them.

    In a memory of both languages most of what a row is nearer for its language alone is taken back first.
    """
    chinese, chinese_around = corpus.once(_chinese), corpus.once(_chinese_around)
    around = _pooled(corpus, meant.rows)
    pieces = [standard(_cosines(meant.rows, piece, _ahead(meant, piece, chinese))) for piece in meant.pieces]
    return {
        "meaning": standard(_cosines(meant.rows, meant.whole, _ahead(meant, meant.whole, chinese))),
        "meaning_around": standard(_cosines(around, meant.whole, _ahead(meant, meant.whole, chinese_around))),
        "meaning_of_last": standard(_cosines(meant.rows, meant.last, _ahead(meant, meant.last, chinese))),
        "meaning_of_best_piece": standard(np.max(pieces, axis=0)),
    }


def nearness(corpus: Corpus, meant: Meant) -> Floats | None:
    """Say how far each row is on the way from what is unrelated, in its own language, to the very same, up to 1.

    None where it is not known what is unrelated. So measured what is unrelated is alike in both languages, and for all models,
    which differ in the band of cosines that they use.
    """
    if meant.anchors is None:
        return None
    in_chinese, in_others = _unrelated(meant.anchors, meant.whole)
    unrelated = np.where(corpus.once(chinese_rows), in_chinese, in_others)
    cosines = (meant.rows @ meant.whole).astype(np.float64)
    near: Floats = (cosines - unrelated) / np.maximum(1 - unrelated, 1e-6)
    return near


def _unrelated(anchors: NDArray[np.float32], vector: NDArray[np.float32]) -> tuple[float, float]:
    """Give the mean cosine of what is unrelated: of Chinese texts, and of others."""
    cosines = anchors @ vector
    return float(cosines[: len(CHINESE)].mean()), float(cosines[len(CHINESE) :].mean())


def _ahead(meant: Meant, vector: NDArray[np.float32], chinese: Floats) -> Floats | None:
    """Say how much of each row's cosine is taken back; None in a memory of one language."""
    if meant.anchors is None or len(chinese) == 0 or chinese.min() == chinese.max():
        return None
    in_chinese, in_others = _unrelated(meant.anchors, vector)
    return TAKEN_BACK * (in_chinese - in_others) * chinese


def _chinese(corpus: Corpus) -> Floats:
    return corpus.once(chinese_rows).astype(np.float64)


def _chinese_around(corpus: Corpus) -> Floats:
    """Say how much of what stands in and around each row is Chinese, 0..1."""
    shares, whole = corpus.once(_chinese), np.ones(len(corpus))
    for by, weight in AROUND:
        shares = shares + weight * corpus.shifted(corpus.once(_chinese), by)
        whole = whole + weight * corpus.shifted(np.ones(len(corpus)), by)
    found: Floats = shares / whole
    return found


def _cosines(rows: NDArray[np.float32], vector: NDArray[np.float32], ahead: Floats | None) -> Floats:
    """Compare all rows with a vector; a row that has no vector yet is neither near nor far."""
    cosines: Floats = (rows @ vector).astype(np.float64)
    if ahead is not None:
        cosines -= ahead
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
