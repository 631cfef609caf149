"""Remote models: LangChain's client of an OpenAI-compatible endpoint, as Jiyi wants it. Importing this takes seconds.

What is added: nothing of the environment but the settings reaches the endpoint, a call is tried again only as long as
somebody can be kept waiting, and thinking is taken out of what is said before anybody sees it.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from graph.models.bounds import MOST_CHARS, most_s
from graph.models.deadline import ending_at, now
from graph.models.failures import (
    EndlessAnswerError,
    UnreadableAnswerError,
    UnsendableKeyError,
    UnsendableMediaError,
    failure_of_error,
    retry_after_s,
)
from graph.models.remote_client import client_for
from graph.models.sentences import OPENAI_URL
from graph.models.thinking import Unthinking, visible_blocks, without_thoughts
from graph.settings import Settings
from memory.media import media_in

WAITS_S = (0.5, 1.0)
"""Before the second try and the third, which is the last: a chat turn waits."""
MOST_WHY_CHARS = 200
THOUGHTS = ("reasoning_content", "reasoning")
THOUGHT = THOUGHTS[0]
MAX_RETRY_AFTER_S = 5.0
"""An endpoint that wants more patience than this is not asked again; the user is told how long it is."""
_MISREAD = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What LangChain and the client stumble over where an answer has not the form of one."""
_TRIED_AGAIN = frozenset({"limited", "limited_for_now", "broken", "unreachable", "broke_off"})


class RemoteModel(ChatOpenAI):
    """A chat model behind an endpoint, whose answers hold no thinking.

    Its errors are those of the client, after the last try, and `UnreadableAnswerError`.
    """

    most_s: float = math.inf
    """Seconds for one call in all."""

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream what is said; what has begun is not tried again."""
        _check_key(self.root_async_client)
        until = now() + self.most_s
        for wait_s in (*WAITS_S, None):
            begun = False
            try:
                async for chunk in self._readable(messages, stop, until, **kwargs):
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
        _check_key(self.root_async_client)
        until = now() + self.most_s
        for wait_s in (*WAITS_S, None):
            try:
                async with ending_at(until):
                    return _thoughtless(await super()._agenerate(messages, stop, run_manager, **kwargs))
            except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
                raise UnreadableAnswerError("it is no JSON") from error
            except openai.APIError as error:
                pause_s = None if wait_s is None else pause_before_next_try_s(error, wait_s)
                if pause_s is None:
                    raise
                await asyncio.sleep(pause_s)
        raise AssertionError  # the last try returns or raises

    async def _readable(
        self, messages: list[BaseMessage], stop: list[str] | None, until: float, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream once, without thinking, as much of it as an answer may have.

        The run manager is not handed down: the client would tell it of each chunk before the thinking is out.
        """
        unthinking, chars, begun = Unthinking(), 0, False
        self._check_question(messages, stop, **kwargs)
        stream = cast("AsyncGenerator[ChatGenerationChunk]", super()._astream(messages, stop, None, **kwargs))
        async with aclosing(stream) as chunks:
            while (chunk := await _next(chunks, until)) is not None:
                room, begun = MOST_CHARS - chars, True
                chars += _chars(chunk)
                yield _shown(chunk, unthinking, room=room)
                if chars > MOST_CHARS:
                    raise EndlessAnswerError(f"it has more than {MOST_CHARS} characters")
                await asyncio.sleep(0)  # a fast stream is never waited for, and would let nobody else run
        if not begun:
            raise UnreadableAnswerError("the stream is empty")
        if rest := unthinking.rest():
            yield ChatGenerationChunk(message=AIMessageChunk(content=rest))

    def _check_question(self, messages: list[BaseMessage], stop: list[str] | None, **kwargs: Any) -> None:
        """See that the question can be sent; what is wrong with it is raised as it is, unless it is what it shows."""
        try:
            self._get_request_payload(messages, stop=stop, **kwargs)
        except ValueError as error:
            if not any(media_in(message) for message in messages):
                raise
            raise UnsendableMediaError(str(error)[:MOST_WHY_CHARS]) from error

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        """Read a chunk with the thinking in a field of its own, which LangChain leaves out; it is counted, not shown."""
        read = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        for choice in chunk.get("choices") or () if read else ():
            thought = next((choice["delta"][name] for name in THOUGHTS if choice["delta"].get(name)), "")
            if read and thought:
                read.message.additional_kwargs[THOUGHT] = str(thought)
        return read

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        """Read a whole answer; what the client stumbles over is the endpoint's fault."""
        try:
            return super()._create_chat_result(response, generation_info)
        except _MISREAD as error:
            raise UnreadableAnswerError(f"it has not the form of an answer ({type(error).__name__})") from error


def remote_model(name: str, chosen: Settings) -> RemoteModel:
    """Make the client of a model."""
    client = client_for(chosen)
    at_openai = not chosen.openai_base_url or chosen.openai_base_url.startswith(OPENAI_URL)
    return RemoteModel(
        model=name,
        api_key=SecretStr(client.api_key),
        base_url=str(client.base_url),
        root_async_client=client,
        async_client=client.chat.completions,
        max_retries=0,
        stream_chunk_timeout=chosen.model_timeout_s,
        most_s=most_s(chosen.model_timeout_s),
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


async def _next(chunks: AsyncGenerator[ChatGenerationChunk], until: float) -> ChatGenerationChunk | None:
    """Read on; None at the end. What the client stumbles over is the endpoint's fault."""
    try:
        async with ending_at(until):
            return await anext(chunks, None)
    except UnicodeEncodeError:  # in what is sent
        raise
    except _MISREAD as error:
        raise UnreadableAnswerError(f"the stream holds what is no answer ({type(error).__name__})") from error


def _check_key(client: openai.AsyncOpenAI) -> None:
    """See that the key can stand in a header.

    Raises:
        UnsendableKeyError: It cannot.
    """
    if not (client.api_key.isascii() and client.api_key.isprintable()):
        raise UnsendableKeyError


def _chars(chunk: ChatGenerationChunk) -> int:
    """Count what a chunk says, thinks and calls."""
    message = chunk.message
    thought = message.additional_kwargs.get(THOUGHT, "")
    arguments = [one["args"] or "" for one in getattr(message, "tool_call_chunks", ())]
    return sum(len(text) for text in (str(message.content), thought, *arguments))


def _shown(chunk: ChatGenerationChunk, unthinking: Unthinking, *, room: int) -> ChatGenerationChunk:
    """Give what may be shown of a chunk, as the assistant's whatever role the endpoint names, at most `room` characters."""
    content = chunk.message.content
    shown = unthinking.feed(content[:room]) if isinstance(content, str) else visible_blocks(content)
    if not isinstance(chunk.message, AIMessageChunk):
        return ChatGenerationChunk(message=AIMessageChunk(content=shown), generation_info=chunk.generation_info)
    rest = {name: value for name, value in chunk.message.additional_kwargs.items() if name != THOUGHT}
    message = chunk.message.model_copy(update={"content": shown, "additional_kwargs": rest})
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
