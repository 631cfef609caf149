"""VectorCache: the vectors of the texts that were embedded last."""

from __future__ import annotations

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from memory.seams import Vector

Side = Literal["query", "passage"]


class VectorCache:
    """Holds vectors by their text's hash (never the text); what was used least recently goes first.

    Args:
        size: How many vectors at most.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: OrderedDict[bytes, Vector] = OrderedDict()

    def known(self, side: Side, texts: Sequence[str]) -> dict[str, Vector]:
        """Give the vectors that are held, by text."""
        held = {text: self._held.get(_key(side, text)) for text in texts}
        return {text: vector for text, vector in held.items() if vector is not None}

    def keep(self, side: Side, vectors: Mapping[str, Vector]) -> None:
        """Hold vectors, each as the one used last."""
        for text, vector in vectors.items():
            key = _key(side, text)
            self._held.pop(key, None)
            self._held[key] = vector
        while len(self._held) > self._size:
            self._held.popitem(last=False)


def compact(vector: Iterable[float]) -> Vector:
    """Give a vector in 32-bit floats, an eighth of a list's size."""
    return array("f", vector)


def _key(side: Side, text: str) -> bytes:
    return hashlib.blake2b(f"{side}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()
