"""The offline model: a chat model without a network, for when no model is configured, and for tests and benchmarks.

It gets what a remote model would get, the list of messages and the tools bound to it, and nothing else. It calls the
tools that an injected skill names when their arguments are known, answers from what stands in the messages, says what
it does not know, and mentions once per thread that no model is configured. The same messages give the same reply.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from graph.models.choosing import ChosenCall, choose_call
from graph.models.composing import compose
from graph.models.situation import situation_of
from graph.models.tools_bound import bound_tools

_WIDE = "\u3000-\u9fff\uff00-\uffef"
_PIECES = re.compile(rf"\s*(?:[{_WIDE}]{{1,2}}|[^\s{_WIDE}]+)|\s+")
_CALL_ID_CHARS = 24


class OfflineModel(BaseChatModel):
    """A chat model that answers by rules from the messages it is given."""

    @property
    def _llm_type(self) -> str:
        return "jiyi-offline"

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
        return ChatResult(generations=[ChatGeneration(message=answer(messages, kwargs.get("tools", ())))])

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
        for chunk in chunks_of(answer(messages, kwargs.get("tools", ()))):
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


def answer(messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
    """Call a tool, or reply."""
    situation, tools = situation_of(messages), bound_tools(schemas)
    chosen = choose_call(situation, tools)
    if chosen is None:
        return AIMessage(content=compose(situation, tools))
    return AIMessage(content="", tool_calls=[_tool_call(chosen, messages)])


def chunks_of(message: AIMessage) -> Iterator[AIMessageChunk]:
    """Cut a message into pieces of a word or two characters; tool calls come whole."""
    for index, call in enumerate(message.tool_calls):
        args = json.dumps(call["args"], ensure_ascii=False)
        part = tool_call_chunk(name=call["name"], args=args, id=call["id"], index=index)
        yield AIMessageChunk(content="", tool_call_chunks=[part])
    for piece in _PIECES.findall(message.text):
        yield AIMessageChunk(content=piece)


def _tool_call(chosen: ChosenCall, messages: Sequence[BaseMessage]) -> ToolCall:
    """Name the call by what it is and where it stands, so that the same messages give the same id."""
    place = [message.id or message.text for message in messages]
    named = json.dumps([place, chosen.tool, chosen.args], ensure_ascii=False, sort_keys=True)
    call_id = "call_" + hashlib.sha256(named.encode()).hexdigest()[:_CALL_ID_CHARS]
    return ToolCall(name=chosen.tool, args=chosen.args, id=call_id, type="tool_call")
