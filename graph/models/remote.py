"""Remote models: LangChain's client of an OpenAI-compatible endpoint, as Jiyi wants it. Importing this takes seconds.

What is added: nothing of the environment but the settings reaches the endpoint, a call is tried again only as long as
somebody can be kept waiting, and thinking is taken out of what is said before anybody sees it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic import SecretStr

from graph.models.failures import UnreadableAnswerError, failure_of_error, retry_after_s
from graph.models.sentences import OPENAI_URL
from graph.models.thinking import Unthinking, visible_blocks, without_thoughts
from graph.settings import Settings

NO_KEY = "no-key"
"""Sent where an endpoint of the user's own is named without a key: the client insists on one, Ollama ignores it."""

WAITS_S = (0.5, 1.0)
"""Before the second try and the third, which is the last: a chat turn waits."""
MAX_RETRY_AFTER_S = 5.0
"""An endpoint that wants more patience than this is not asked again; the user is told how long it is."""
MAX_CONNECT_S = 10.0
_TRIED_AGAIN = frozenset({"limited", "limited_for_now", "broken", "unreachable", "broke_off"})


class RemoteModel(ChatOpenAI):
    """A chat model behind an endpoint, whose answers hold no thinking.

    Its errors are those of the client, after the last try, and `UnreadableAnswerError`.
    """

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream what is said; what has begun is not tried again."""
        for wait_s in (*WAITS_S, None):
            begun = False
            try:
                async for chunk in self._readable(messages, stop, **kwargs):
                    begun = True
                    yield chunk
            except openai.APIError as error:
                pause_s = None if begun or wait_s is None else pause_before_next_try_s(error, wait_s)
                if pause_s is None:
                    raise
                await asyncio.sleep(pause_s)
            else:
                return

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Give the whole answer at once."""
        for wait_s in (*WAITS_S, None):
            try:
                return _thoughtless(await super()._agenerate(messages, stop, run_manager, **kwargs))
            except json.JSONDecodeError as error:
                raise UnreadableAnswerError("it is no JSON") from error
            except openai.APIError as error:
                pause_s = None if wait_s is None else pause_before_next_try_s(error, wait_s)
                if pause_s is None:
                    raise
                await asyncio.sleep(pause_s)
        raise AssertionError  # the last try returns or raises

    async def _readable(
        self, messages: list[BaseMessage], stop: list[str] | None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream once, without thinking.

        The run manager is not handed down: the client would tell it of each chunk before the thinking is out.
        """
        unthinking, begun = Unthinking(), False
        try:
            async for chunk in super()._astream(messages, stop, None, **kwargs):
                begun = True
                yield _shown(chunk, unthinking)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise UnreadableAnswerError("the stream holds what is no JSON") from error
        if not begun:
            raise UnreadableAnswerError("the stream is empty")
        if rest := unthinking.rest():
            yield ChatGenerationChunk(message=AIMessageChunk(content=rest))

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        """Read a whole answer; what the client stumbles over is the endpoint's fault."""
        try:
            return super()._create_chat_result(response, generation_info)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise UnreadableAnswerError(f"it has not the form of an answer ({type(error).__name__})") from error


def remote_model(name: str, chosen: Settings) -> RemoteModel:
    """Make the client of a model.

    No connection is kept between calls: one that is kept belongs to the event loop it was made in, and a process may
    have several.
    """
    client = _client(chosen)
    key = SecretStr(client.api_key)
    at_openai = not chosen.openai_base_url or chosen.openai_base_url.startswith(OPENAI_URL)
    return RemoteModel(
        model=name,
        api_key=key,
        base_url=str(client.base_url),
        root_async_client=client,
        async_client=client.chat.completions,
        max_retries=0,
        stream_chunk_timeout=chosen.model_timeout_s,
        stream_usage=at_openai,
        use_responses_api=None if at_openai else False,
        output_version="v0",
    )


def pause_before_next_try_s(error: openai.APIError, wait_s: float) -> float | None:
    """Say how long to wait before another try; None when there is to be none."""
    asked_s = retry_after_s(error)
    if failure_of_error(error).reason not in _TRIED_AGAIN or asked_s > MAX_RETRY_AFTER_S:
        return None
    return asked_s or wait_s


def _client(chosen: Settings) -> AsyncOpenAI:
    """Make OpenAI's client, and take from it what it read in the environment by itself."""
    client = AsyncOpenAI(
        api_key=chosen.openai_api_key.get_secret_value() if chosen.openai_api_key else NO_KEY,
        base_url=chosen.openai_base_url or OPENAI_URL,
        timeout=_timeout(chosen.model_timeout_s),
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(limits=_limits()),
    )
    client.organization = client.project = client.admin_api_key = None
    client._custom_headers = {}  # noqa: SLF001  (OPENAI_CUSTOM_HEADERS has no public way out)
    return client


def _timeout(timeout_s: float) -> openai.Timeout:
    return openai.Timeout(timeout_s, connect=min(timeout_s, MAX_CONNECT_S))


def _limits() -> Any:
    from openai import DEFAULT_CONNECTION_LIMITS  # noqa: PLC0415  (of the HTTP library that the client uses)

    return type(DEFAULT_CONNECTION_LIMITS)(
        max_connections=DEFAULT_CONNECTION_LIMITS.max_connections, max_keepalive_connections=0
    )


def _shown(chunk: ChatGenerationChunk, unthinking: Unthinking) -> ChatGenerationChunk:
    content = chunk.message.content
    shown = unthinking.feed(content) if isinstance(content, str) else visible_blocks(content)
    message = chunk.message.model_copy(update={"content": shown})
    return ChatGenerationChunk(message=message, generation_info=chunk.generation_info)


def _thoughtless(result: ChatResult) -> ChatResult:
    said = [
        ChatGeneration(
            message=one.message.model_copy(update={"content": without_thoughts(one.message.content)}),
            generation_info=one.generation_info,
        )
        for one in result.generations
    ]
    return ChatResult(generations=said, llm_output=result.llm_output)
