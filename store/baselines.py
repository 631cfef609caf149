"""Baselines: how near to a query texts are, by an embedder, that have nothing to do with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memory.anchors import ANCHORS
from memory.fusion import Baseline, baseline_of
from memory.seams import Embedder, Vector


class Baselines:
    """Measures baselines against texts of our own, embedded once for each embedder.

    Args:
        own_texts: The embedder whose vectors of our own texts are kept from process to process.
    """

    def __init__(self, own_texts: Embedder | None) -> None:
        self._own_texts = own_texts
        self._anchors: dict[tuple[str, int], NDArray[np.float32]] = {}

    async def of(self, embedder: Embedder, vector: Vector) -> Baseline:
        """Give the baseline for a query's vector, over texts of all languages.

        Raises:
            EmbeddingError: Our own texts cannot be embedded.
        """
        anchors = await self.anchors(embedder, length=len(vector))
        return baseline_of((anchors @ np.asarray(vector, dtype=np.float32)).tolist())

    async def anchors(self, embedder: Embedder, *, length: int) -> NDArray[np.float32]:
        """Give the vectors of our own texts, in the order of `ANCHORS`.

        Args:
            embedder: Of which model.
            length: How long that model's vectors are.

        Raises:
            EmbeddingError: Our own texts cannot be embedded.
        """
        key = (embedder.name, length)
        if key not in self._anchors:
            own = self._own_texts if self._own_texts and self._own_texts.name == embedder.name else embedder
            anchors = np.asarray(await own.embed_passages(ANCHORS), dtype=np.float32)
            if anchors.shape[-1] != length:  # kept from before the model was changed behind its name
                anchors = np.asarray(await embedder.embed_passages(ANCHORS), dtype=np.float32)
            self._anchors[key] = anchors
        return self._anchors[key]
