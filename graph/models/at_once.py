"""Models that know their whole answer at once: what LangChain asks of a chat model, around one function."""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool


class AtOnceModel(BaseChatModel):
    """A chat model without a network, which answers at once and streams its answer in pieces."""

    @abstractmethod
    def answer(self, messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
        """Answer a list of messages; `schemas` are the OpenAI-style functions that were bound."""

    @abstractmethod
    def pieces_of(self, text: str) -> Sequence[str]:
        """Cut a text into the pieces in which it is streamed; joined they are the text."""

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Give the model tools, as OpenAI-style functions or as LangChain tools; `tool_choice="none"` forbids them."""
        schemas = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=schemas if tool_choice != "none" else [], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages, kwargs.get("tools", ())))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, stop, **kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in self._chunks(self.answer(messages, kwargs.get("tools", ()))):
            yield ChatGenerationChunk(message=chunk)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages, stop, **kwargs):
            yield chunk
            await asyncio.sleep(0)

    def _chunks(self, message: AIMessage) -> Iterator[AIMessageChunk]:
        """Cut a message into chunks; tool calls come whole."""
        for index, call in enumerate(message.tool_calls):
            args = json.dumps(call["args"], ensure_ascii=False)
            part = tool_call_chunk(name=call["name"], args=args, id=call["id"], index=index)
            yield AIMessageChunk(content="", id=message.id, tool_call_chunks=[part])
        for piece in self.pieces_of(message.text):
            yield AIMessageChunk(content=piece, id=message.id)
        yield AIMessageChunk(
            content="",
            id=message.id,
            response_metadata=message.response_metadata,
            usage_metadata=message.usage_metadata,
        )
