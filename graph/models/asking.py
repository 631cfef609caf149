"""Asking: the model's answer to a prompt as one message, as far as it came, with what kept it from its end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, cast

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, ToolCall, message_chunk_to_message
from langchain_core.runnables import Runnable

from graph.models.failures import Failure, endpoint_errors, failure_in_answer, failure_of_error
from graph.models.thinking import without_thoughts

CALL_ID_CHARS = 9
"""Nine letters and digits: what the narrowest endpoint takes as the id of a call."""


async def ask(
    model: Runnable[LanguageModelInput, AIMessage], prompt: LanguageModelInput, *, used_ids: Collection[str] = ()
) -> tuple[AIMessage, Failure | None]:
    """Stream an answer and put it together.

    Args:
        model: Who is asked, with its tools bound.
        prompt: What it is shown.
        used_ids: Ids of the thread's earlier tool calls: a call that has one of them, or none, gets its own.

    Returns:
        The message, and what went wrong: None when it is whole. An answer that is not whole calls no tools, since their
        arguments may be cut off.
    """
    so_far: AIMessage | None = None
    try:
        async for piece in model.astream(prompt):
            so_far = piece if so_far is None else cast("AIMessage", cast("Any", so_far) + piece)
    except endpoint_errors() as error:
        return _uncalled(_message(so_far)), failure_of_error(error)
    message = _with_own_ids(_message(so_far), used_ids)
    failure = failure_in_answer(message)
    return (_uncalled(message), failure) if failure else (message, None)


def _message(so_far: AIMessage | None) -> AIMessage:
    """Make a message of chunks: without thinking, and with those calls whose arguments are whole."""
    if so_far is None:
        return AIMessage(content="")
    calls = list(_calls(so_far)) if isinstance(so_far, AIMessageChunk) else so_far.tool_calls
    message = cast("AIMessage", message_chunk_to_message(so_far))
    content = without_thoughts(message.content)
    return message.model_copy(update={"content": content, "tool_calls": calls, "invalid_tool_calls": []})


def _calls(chunk: AIMessageChunk) -> Iterator[ToolCall]:
    """Read the calls strictly: LangChain completes arguments that are no JSON with what it guesses."""
    for one in chunk.tool_call_chunks:
        with suppress(ValueError):
            args = json.loads(one["args"] or "{}")
            if one["name"] and isinstance(args, dict):
                yield ToolCall(name=one["name"], args=args, id=one["id"], type="tool_call")


def _with_own_ids(message: AIMessage, used_ids: Collection[str]) -> AIMessage:
    """Give each call an id of its own: some endpoints give none, or begin anew with each answer."""
    calls: list[ToolCall] = []
    for at, call in enumerate(message.tool_calls):
        taken = {*used_ids, *(one["id"] for one in calls)}
        own = call["id"] if call["id"] and call["id"] not in taken else _id(message, at)
        calls.append({**call, "id": own})
    return message.model_copy(update={"tool_calls": calls})


def _id(message: AIMessage, at: int) -> str:
    return hashlib.sha256(f"{message.id}\n{at}".encode()).hexdigest()[:CALL_ID_CHARS]


def _uncalled(message: AIMessage) -> AIMessage:
    return message.model_copy(update={"tool_calls": []})
