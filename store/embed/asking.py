"""Asking: one request for embeddings, with its retries, through langchain_openai; every failure an EmbeddingError."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

from memory.seams import EmbeddingError, Vector
from store.embed.answers import UnusableAnswerError, vectors_of
from store.embed.breaker import Breaker, Seconds
from store.embed.endpoint import NO_KEY, Endpoint
from store.embed.failures import NAME, SLOW, SLOW_QUERY, Attempt, AwayError, pause_after

PAUSES_S = (0.2, 0.8)
"""How long is waited before the first and the second retry, where the endpoint does not say."""


class Asking:
    """Asks one model of one endpoint.

    Each request has a connection of its own: so this belongs to no event loop, and there is nothing to close. After a
    failure that will not pass at once the endpoint is let be for a while, and calls fail without asking it.
    """

    def __init__(self, model: str, endpoint: Endpoint, *, name: str, seconds: Seconds = time.monotonic) -> None:
        self._model = model
        self._endpoint = endpoint
        self._name = name
        self._breaker = Breaker(seconds)
        self._client: Any = None
        self._making = threading.Lock()

    async def vectors(self, texts: Sequence[str], *, within_s: float) -> list[Vector]:
        """Give a vector of unit length for each text.

        Raises:
            RefusedError: The endpoint refused the request, perhaps for its size.
            AwayError: It is of no use for now, or was a moment ago and was not asked.
            EmbeddingError: Anything else went wrong.
        """
        attempt = Attempt(texts=len(texts), name=self._name, shown=self._endpoint.shown)
        self._check_breaker(attempt)
        client = self._client or await asyncio.to_thread(self._made)
        began_at = self._breaker.now()
        try:
            vectors = await self._within(within_s, client, texts, attempt)
        except AwayError as error:
            self._breaker.failed(error, began_at=began_at)
            raise
        self._breaker.worked()
        return vectors

    def _check_breaker(self, attempt: Attempt) -> None:
        if left_s := self._breaker.left_s:
            found = f"it failed a moment ago and is not asked for another {left_s:.0f} s"
            raise attempt.away(found, f"What it was: {self._breaker.failure}")

    async def _within(self, within_s: float, client: Any, texts: Sequence[str], attempt: Attempt) -> list[Vector]:
        try:
            async with asyncio.timeout(within_s):
                answer = await self._answer(client, list(texts), attempt, within_s=within_s)
            return vectors_of(answer, count=len(texts))
        except TimeoutError:
            advice = SLOW if within_s >= self._endpoint.timeout_s else SLOW_QUERY
            raise attempt.away(f"no answer within {within_s:g} s", advice) from None
        except UnusableAnswerError as error:
            raise attempt.failed(f"the endpoint answered {error}", NAME) from None

    def _made(self) -> Any:
        """Make the client; in a thread, for the import alone takes a second or more."""
        with self._making:
            if self._client is None:
                self._client = _client(self._model, self._endpoint)
            return self._client

    async def _answer(self, client: Any, texts: list[str], attempt: Attempt, *, within_s: float) -> object:
        """Ask, and ask again after a pause where that may help."""
        import openai  # noqa: PLC0415  (heavy: the client has loaded it)

        for pause_s in (*PAUSES_S, None):
            try:
                return await client.create(input=texts, model=self._model, encoding_format="float")
            except (openai.OpenAIError, ValueError) as error:
                failure = attempt.failed_by(error)
                wait_s = None if pause_s is None else pause_after(error, pause_s, within_s=within_s)
            if wait_s is None:
                break
            await asyncio.sleep(wait_s)
        raise failure


def _client(model: str, endpoint: Endpoint) -> Any:
    """Make the client; retries and time-outs are ours, no connection is kept open, and none is made elsewhere."""
    try:
        from langchain_openai import OpenAIEmbeddings  # noqa: PLC0415  (heavy: loaded where it is used)
        from openai import DefaultAsyncHttpxClient  # noqa: PLC0415
        from pydantic import SecretStr  # noqa: PLC0415

        return OpenAIEmbeddings(
            model=model,
            base_url=endpoint.address,
            api_key=SecretStr(endpoint.api_key or NO_KEY),
            check_embedding_ctx_length=False,
            timeout=endpoint.timeout_s,
            max_retries=0,
            default_headers={"Connection": "close"},
            http_async_client=DefaultAsyncHttpxClient(follow_redirects=False),
        ).async_client
    except (ImportError, ValueError) as error:
        raise EmbeddingError(
            f"Cannot make a client for embeddings at {endpoint.shown}: {type(error).__name__}. Check "
            "EMBEDDINGS_BASE_URL and the proxies that the environment names (HTTPS_PROXY, ALL_PROXY)."
        ) from None
