"""Answers: the vectors in what an endpoint answered, checked, in order, of unit length."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.seams import Vector
from store.embed.cached import compact


class UnusableAnswerError(ValueError):
    """What was answered holds no usable vectors; the message says what was found instead."""


def vectors_of(answer: object, *, count: int) -> list[Vector]:
    """Give the vectors of an answer, one for each of `count` texts, in the texts' order.

    Raises:
        UnusableAnswerError: They are too few or too many, of different lengths, or no usable numbers.
    """
    entries = _in_order(_entries(answer, count))
    rows = [_numbers(getattr(entry, "embedding", None)) for entry in entries]
    one_length(rows)
    return [_unit(row) for row in rows]


def one_length(vectors: Sequence[Sequence[float] | NDArray[np.float64]]) -> int:
    """Give the length that all vectors have.

    Raises:
        UnusableAnswerError: They have several.
    """
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) != 1:
        raise UnusableAnswerError(f"vectors of different lengths: {', '.join(map(str, lengths))}")
    return lengths[0]


def _entries(answer: object, count: int) -> list[object]:
    entries = getattr(answer, "data", None)
    if not isinstance(entries, list):
        raise UnusableAnswerError("an answer without a list of vectors")
    if len(entries) != count:
        raise UnusableAnswerError(f"{len(entries)} vectors for {count} texts")
    return entries


def _in_order(entries: list[object]) -> list[object]:
    """Sort by `index`, which some endpoints need; where it says nothing, as they came."""
    places = [getattr(entry, "index", None) for entry in entries]
    if all(place == places[0] for place in places):
        return entries
    if not all(place in places for place in range(len(entries))):
        raise UnusableAnswerError("vectors whose `index` does not say to which text each belongs")
    return [entries[places.index(place)] for place in range(len(entries))]


def _numbers(embedding: object) -> NDArray[np.float64]:
    """Read a list of numbers, or the base64 of 32-bit floats (some endpoints answer so, though asked for numbers)."""
    try:
        if isinstance(embedding, str):
            row = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float64)
        else:
            row = np.asarray(embedding, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UnusableAnswerError("a vector that holds something else than numbers") from error
    if row.ndim != 1 or not row.size:
        raise UnusableAnswerError("a vector without numbers")
    return row


def _unit(row: NDArray[np.float64]) -> Vector:
    largest = float(np.abs(row).max())
    if not (np.isfinite(largest) and largest > 0):
        raise UnusableAnswerError("a vector that is zero, or holds NaN or infinity")
    scaled = row / largest
    return compact((scaled / np.linalg.norm(scaled)).tolist())
