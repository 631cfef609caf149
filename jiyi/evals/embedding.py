"""The embedder of a benchmark: chosen by name, its vectors kept where that is wished, its failures never passed over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory.seams import Embedder, EmbeddingError, Vector
from store.embed.choice import embedder_named
from store.embed.endpoint import Endpoint
from store.embed.kept import KeptEmbedder


class WatchedEmbedder:
    """An embedder whose first failure is kept.

    The store goes on by keyword when its embedder fails; a benchmark that did so would report another's numbers.

    Args:
        embedder: Does the work.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.failure: EmbeddingError | None = None

    @property
    def name(self) -> str:
        """Say whose vectors these are."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """Say how long a vector is."""
        return self._embedder.dimensions

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept."""
        try:
            return await self._embedder.embed_passages(texts)
        except EmbeddingError as error:
            self.failure = self.failure or error
            raise

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for."""
        try:
            return await self._embedder.embed_queries(texts)
        except EmbeddingError as error:
            self.failure = self.failure or error
            raise


def bench_embedder(name: str, *, endpoint: Endpoint | None = None, cache: Path | None = None) -> WatchedEmbedder | None:
    """Give the embedder of a name; None for `none`.

    Args:
        name: As in the setting EMBEDDINGS.
        endpoint: For `openai:<name>`.
        cache: Where vectors of turns are kept from run to run, one file for each model; None: nowhere.

    Raises:
        UnknownEmbedderError: There is no such embedder.
    """
    embedder = embedder_named(name, endpoint=endpoint)
    if embedder is None:
        return None
    return WatchedEmbedder(KeptEmbedder(embedder, cache) if cache else embedder)
