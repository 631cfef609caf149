"""OpenAIEmbedder: a model behind any OpenAI-compatible endpoint (OpenAI, DashScope, Ollama, vLLM, LM Studio)."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from memory.seams import EmbeddingError, Vector
from store.embed.answers import UnusableAnswerError, one_length
from store.embed.asking import Asking
from store.embed.breaker import Seconds
from store.embed.cached import Side, VectorCache
from store.embed.endpoint import Endpoint
from store.embed.failures import RefusedError
from store.embed.written import written

PREFIX = "openai:"
BATCH_TEXTS = 10  # DashScope takes 10, SiliconFlow 32, OpenAI 2,048
MAX_CHARS = 2000  # at most some 6,000 tokens: below the 8,191 of OpenAI and the 8,192 of DashScope in any language
SURE_CHARS = 400  # for models that read 512 tokens and whose server refuses more instead of cutting it off
CACHED_QUERIES = 1024
BLANK = "-"  # some endpoints refuse a text without letters

INSTRUCTIONS: tuple[tuple[re.Pattern[str], dict[Side, str]], ...] = (
    (re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])(?!.*instruct)"), {"query": "query: ", "passage": "passage: "}),
    (re.compile(r"nomic-embed-text"), {"query": "search_query: ", "passage": "search_document: "}),
)
"""Models, known by their names, that were trained with a word before each text and are worse without it."""


class OpenAIEmbedder:
    """Embeds at an endpoint; the client is made at first use.

    Texts are sent as strings, 10 a request and cut to 2,000 characters. Where the endpoint refuses a request for
    what may be its size, fewer are sent, and a text alone is cut to 400 characters; both are remembered. The vectors
    of the last 1,024 queries are cached. A query waits 5 s at most; after a failure that will not pass at once
    nothing is asked for a while.

    Args:
        model: The model's name at the endpoint.
        endpoint: Where it is.
        seconds: The time, by which it is judged how long the endpoint is let be.

    Attributes:
        is_remote: A network lies between, so no reply should wait while texts are embedded that are kept.
    """

    is_remote = True

    def __init__(self, model: str, endpoint: Endpoint, *, seconds: Seconds = time.monotonic) -> None:
        self._name = f"{PREFIX}{model}"
        self._asking = Asking(model, endpoint, name=self._name, seconds=seconds)
        self._within_s: dict[Side, float] = {"query": endpoint.query_timeout_s, "passage": endpoint.timeout_s}
        self._before = next((words for named, words in INSTRUCTIONS if named.search(model.lower())), {})
        self._cached = VectorCache(CACHED_QUERIES)
        self._batch_texts = BATCH_TEXTS
        self._chars = MAX_CHARS
        self._dimensions = 0

    @property
    def name(self) -> str:
        """Say which model it is, as it was set."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Say how long the last vector was; 0 before the first."""
        return self._dimensions

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept."""
        return await self._embedded("passage", texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for."""
        vectors = self._cached.known("query", texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        vectors.update(zip(new, await self._embedded("query", new), strict=True))
        self._cached.keep("query", vectors)
        return [vectors[text] for text in texts]

    async def _embedded(self, side: Side, texts: Sequence[str]) -> list[Vector]:
        sent = [self._before.get(side, "") + (written(text).strip() or BLANK) for text in texts]
        vectors: list[Vector] = []
        while len(vectors) < len(sent):
            vectors += await self._taken(sent[len(vectors) : len(vectors) + self._batch_texts], self._within_s[side])
        if vectors:
            self._dimensions = self._checked(vectors)
        return vectors

    async def _taken(self, texts: Sequence[str], within_s: float) -> list[Vector]:
        """Ask for a batch, in smaller pieces where it is refused."""
        try:
            return await self._asking.vectors([text[: self._chars] for text in texts], within_s=within_s)
        except RefusedError:
            if len(texts) == 1 and len(texts[0][: self._chars]) <= SURE_CHARS:
                raise
        return await (self._shortened(texts[0], within_s) if len(texts) == 1 else self._halved(texts, within_s))

    async def _halved(self, texts: Sequence[str], within_s: float) -> list[Vector]:
        half, chars = (len(texts) + 1) // 2, self._chars
        vectors = [*await self._taken(texts[:half], within_s), *await self._taken(texts[half:], within_s)]
        if self._chars == chars:  # no text was too long, so there were too many
            self._batch_texts = min(self._batch_texts, half)
        return vectors

    async def _shortened(self, text: str, within_s: float) -> list[Vector]:
        vectors = await self._asking.vectors([text[:SURE_CHARS]], within_s=within_s)
        self._chars = SURE_CHARS
        return vectors

    def _checked(self, vectors: Sequence[Vector]) -> int:
        try:
            return one_length(vectors)
        except UnusableAnswerError as error:
            raise EmbeddingError(
                f"Cannot use what {self._name!r} gave in one go: {error}. Another model answers under this name "
                "meanwhile; what was to be embedded waits and is tried again."
            ) from error
