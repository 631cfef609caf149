"""The client of an endpoint: OpenAI's, which reads nothing of the environment, goes nowhere else and reads no more than it must."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import openai
from openai import DEFAULT_CONNECTION_LIMITS, AsyncOpenAI, DefaultAsyncHttpxClient

from graph.models.bounds import MOST_BYTES
from graph.models.failures import EndlessAnswerError
from graph.models.sentences import OPENAI_URL
from graph.settings import Settings

NO_KEY = "no-key"
"""Sent where an endpoint of the user's own is named without a key: the client insists on one, Ollama ignores it."""
MAX_CONNECT_S = 10.0


def client_for(chosen: Settings) -> AsyncOpenAI:
    """Make the client, and take from it what it read in the environment by itself.

    No redirect is followed: the conversation goes nowhere but where the settings say. No connection is kept between
    calls: one that is kept belongs to the event loop it was made in, and a process may have several.
    """
    client = AsyncOpenAI(
        api_key=chosen.openai_api_key.get_secret_value() if chosen.openai_api_key else NO_KEY,
        base_url=chosen.openai_base_url or OPENAI_URL,
        timeout=_timeout(chosen.model_timeout_s),
        max_retries=0,
        http_client=_BoundedClient(limits=_limits(), follow_redirects=False),
    )
    client.organization = client.project = client.admin_api_key = None
    client._custom_headers = {}  # noqa: SLF001  (OPENAI_CUSTOM_HEADERS has no public way out)
    return client


class _BoundedClient(DefaultAsyncHttpxClient):
    """An HTTP client that stops reading an answer which is too long to be one."""

    async def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
        """Send a request; what is read of its response is counted, unpacked, also where it is read whole."""
        response: Any = await super().send(request, stream=True, **options)
        response.aiter_bytes = partial(_bounded, response.aiter_bytes)
        if not stream:
            try:
                await response.aread()
            finally:
                await response.aclose()
        return response


async def _bounded(read: Callable[..., AsyncIterator[bytes]], *how: Any) -> AsyncIterator[bytes]:
    came = 0
    async for piece in read(*how):
        came += len(piece)
        if came > MOST_BYTES:
            raise EndlessAnswerError(f"it has more than {MOST_BYTES} bytes")
        yield piece


def _timeout(timeout_s: float) -> openai.Timeout:
    return openai.Timeout(timeout_s, connect=min(timeout_s, MAX_CONNECT_S))


def _limits() -> Any:
    """Make limits of the kind that the client's HTTP library has."""
    return type(DEFAULT_CONNECTION_LIMITS)(
        max_connections=DEFAULT_CONNECTION_LIMITS.max_connections, max_keepalive_connections=0
    )
