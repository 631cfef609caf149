"""Similarity: an embedder seen as a measure between a question and some texts, each text embedded once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.seams import Embedder

Similarity = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]
"""Gives the cosine of a question with each of the texts, in their order."""

MAX_KEPT = 4096


class EmbeddedSimilarity:
    """The cosine of a question with texts that hardly ever change.

    The texts' vectors are kept, at most 4096 (then all are embedded anew), so a call costs one embedding.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, NDArray[np.float32]] = {}

    async def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """Measure; the vectors are of unit length, so the product is the cosine.

        Raises:
            EmbeddingError: The embedder cannot be reached.
        """
        if not texts:
            return []
        [query] = await self._embedder.embed_queries([question])  # first: where it fails, nobody waits for the rest
        rows = await self._vectors(texts)
        cosines: list[float] = (rows @ np.asarray(query, dtype=np.float32)).tolist()
        return cosines

    async def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        kept = self._kept if len(self._kept) + len(texts) <= MAX_KEPT else {}
        new = list(dict.fromkeys(text for text in texts if text not in kept))
        if new:
            vectors = await self._embedder.embed_passages(new)
            kept |= {text: np.asarray(vector, dtype=np.float32) for text, vector in zip(new, vectors, strict=True)}
        self._kept = kept
        return np.stack([kept[text] for text in texts])
