"""Asking: the model's answer to a prompt as one message, as far as it came, with what kept it from its end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any, cast

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, ToolCall, message_chunk_to_message
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.runnables import Runnable

from graph.models.failures import Failure, UnreadableAnswerError, endpoint_errors, failure_in_answer, failure_of_error
from graph.models.thinking import without_thoughts

CALL_ID_CHARS = 9
"""Nine letters and digits: what the narrowest endpoint takes as the id of a call."""
MOST_LEVELS = 100
"""How deep a call's arguments may be nested; brackets in texts count as well."""
_STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}


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
    pieces: list[AIMessage] = []
    try:
        async for piece in model.astream(prompt):
            pieces.append(piece)  # noqa: PERF401  (they are kept where the stream breaks off)
    except endpoint_errors() as error:
        return _message(pieces, with_calls=False), failure_of_error(error)
    try:
        message = _with_own_ids(_message(pieces), used_ids)
    except UnreadableAnswerError as error:
        return _message(pieces, with_calls=False), failure_of_error(error)
    failure = failure_in_answer(message)
    return (message.model_copy(update={"tool_calls": []}), failure) if failure else (message, None)


def _message(pieces: Sequence[AIMessage], *, with_calls: bool = True) -> AIMessage:
    """Make a message of chunks: without thinking, and with those calls whose arguments are whole."""
    if not pieces:
        return AIMessage(content="")
    joined = _joined(pieces)
    calls: list[ToolCall] = []
    if with_calls:
        calls = list(_calls(joined)) if isinstance(joined, AIMessageChunk) else joined.tool_calls
    message = cast("AIMessage", message_chunk_to_message(joined))
    content = without_thoughts(message.content)
    return message.model_copy(update={"content": content, "tool_calls": calls, "invalid_tool_calls": []})


def _joined(pieces: Sequence[AIMessage]) -> AIMessage:
    """Join the pieces at once: one by one each would copy what had come before it."""
    chunks = [piece for piece in pieces if isinstance(piece, AIMessageChunk)]
    return add_ai_message_chunks(*chunks) if chunks else pieces[0]


def _calls(chunk: AIMessageChunk) -> Iterator[ToolCall]:
    """Read the calls strictly: LangChain completes arguments that are no JSON with what it guesses.

    Raises:
        UnreadableAnswerError: Arguments are nested deeper than any call's.
    """
    for one in chunk.tool_call_chunks:
        with suppress(ValueError):
            args = _arguments(one["args"] or "{}")
            if one["name"] and isinstance(args, dict):
                yield ToolCall(name=one["name"], args=args, id=one["id"], type="tool_call")


def _arguments(text: str) -> Any:
    """Read JSON that can be written, kept and checked too, each of which goes into its depth."""
    deepest = max(accumulate(_STEPS.get(char, 0) for char in text if char in _STEPS), default=0)
    if deepest > MOST_LEVELS:
        raise UnreadableAnswerError(f"a call's arguments are nested more than {MOST_LEVELS} deep")
    return json.loads(text)


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
