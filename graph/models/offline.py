"""The offline model: a chat model without a network, for when no model is configured, and for tests and benchmarks.

It gets what a remote model would get, the list of messages and the tools bound to it, and nothing else. It calls the
tools that an injected skill names when their arguments are known, answers from what stands in the messages, says what
it does not know, and mentions once per thread that no model is configured. The same messages give the same reply.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall

from graph.models.at_once import AtOnceModel
from graph.models.choosing import ChosenCall, choose_call
from graph.models.composing import compose
from graph.models.situation import situation_of
from graph.models.tools_bound import bound_tools
from graph.models.wording import WORDINGS
from graph.settings import OFFLINE
from memory.notices import noticed

_WIDE = "\u3000-\u9fff\uff00-\uffef"
_PIECES = re.compile(rf"\s*(?:[{_WIDE}]{{1,2}}|[^\s{_WIDE}]+)|\s+")
_CALL_ID_CHARS = 24


class OfflineModel(AtOnceModel):
    """A chat model that answers by rules from the messages it is given."""

    @property
    def _llm_type(self) -> str:
        return "jiyi-offline"

    def answer(self, messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
        """Call a tool, or reply."""
        return answer(messages, schemas)

    def pieces_of(self, text: str) -> list[str]:
        """Cut into pieces of a word or two characters."""
        return _PIECES.findall(text)


def answer(messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
    """Call a tool, or reply."""
    situation, tools = situation_of(messages), bound_tools(schemas)
    chosen = choose_call(situation, tools)
    if chosen is None:
        return _reply(compose(situation, tools), WORDINGS[situation.language].notice)
    return AIMessage(content="", tool_calls=[_tool_call(chosen, messages)])


def _reply(text: str, notice: str) -> AIMessage:
    """Mark the notice that no model is there, so that it is not remembered as said."""
    return AIMessage(content=text, response_metadata=noticed(OFFLINE, notice) if text.endswith(notice) else {})


def _tool_call(chosen: ChosenCall, messages: Sequence[BaseMessage]) -> ToolCall:
    """Name the call by what it is and where it stands, so that the same messages give the same id."""
    place = [message.id or message.text for message in messages]
    named = json.dumps([place, chosen.tool, chosen.args], ensure_ascii=False, sort_keys=True)
    call_id = "call_" + hashlib.sha256(named.encode()).hexdigest()[:_CALL_ID_CHARS]
    return ToolCall(name=chosen.tool, args=chosen.args, id=call_id, type="tool_call")
