"""The wire: a scripted answer in the words of a dialect, whole or as the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.endpoint.answers import Call, Says
from tests.endpoint.dialects import Dialect

OPEN_TAG, CLOSE_TAG = "<think>\n", "\n</think>\n\n"
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


def whole(says: Says, dialect: Dialect, model: str) -> dict[str, Any]:
    """Make the body of an answer that is not streamed."""
    text = _tagged(says.thinking) + says.text if dialect.thinking == "tags" else says.text
    message: dict[str, Any] = {"role": "assistant", "content": text if text or not says.calls else None}
    if says.thinking and dialect.thinking != "tags":
        message[dialect.thinking] = says.thinking
    if says.calls:
        message["tool_calls"] = [_whole_call(call, index) for index, call in enumerate(says.calls)]
    choice = {"index": 0, "message": message, "finish_reason": says.reason}
    return {**_frame("chat.completion", model), "choices": [choice], "usage": USAGE}


def events(says: Says, dialect: Dialect, model: str, *, asked_for_usage: bool) -> Iterator[str]:
    """Make the events of a streamed answer, as far as it goes well."""
    for number, delta in enumerate(_deltas(says, dialect)):
        if number == 0 or dialect.role_everywhere:
            delta = {"role": "assistant", **delta}  # noqa: PLW2901
        yield event(_chunk(delta, None, model))
    if says.then == "garbage":
        yield 'data: {"id": "chatcmpl-1", "choices": [{"delta": {"content": "\n\n'
    elif says.then == "error":
        yield event(dialect.error(dialect.fault(says.fault)))
    elif says.then == "end":
        yield from _ending(says, dialect, model, asked_for_usage=asked_for_usage)


def again(says: Says, model: str) -> str:
    """Make the event that a stream without an end repeats."""
    return event(_chunk(says.forever, None, model))


def event(body: Mapping[str, Any]) -> str:
    """Make one server-sent event."""
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"


def _ending(says: Says, dialect: Dialect, model: str, *, asked_for_usage: bool) -> Iterator[str]:
    last = _chunk({"content": ""} if dialect.empty_content == "empty" else {}, says.reason, model)
    if dialect.usage == "last chunk":
        last["usage"] = USAGE
    yield event(last)
    if asked_for_usage and dialect.usage == "own chunk":
        yield event({**_frame("chat.completion.chunk", model), "choices": [], "usage": USAGE})
    yield "data: [DONE]\n\n"


def _deltas(says: Says, dialect: Dialect) -> Iterator[dict[str, Any]]:
    if dialect.first_delta_empty:
        yield {"content": None if dialect.empty_content == "null" else ""}
    if says.thinking and dialect.thinking == "tags":
        yield from ({"content": piece} for piece in _pieces(_tagged(says.thinking)))
    elif says.thinking:
        yield from ({**_empty(dialect), dialect.thinking: piece} for piece in _pieces(says.thinking))
    for piece in says.cut_text:
        yield {"content": piece, **({dialect.thinking: None} if dialect.empty_content == "null" else {})}
    for index, call in enumerate(says.calls):
        for part in _call_parts(call, index, dialect):
            yield {**_empty(dialect), "tool_calls": [part]}


def _empty(dialect: Dialect) -> dict[str, Any]:
    values: dict[str, dict[str, Any]] = {"absent": {}, "null": {"content": None}, "empty": {"content": ""}}
    return values[dialect.empty_content]


def _call_parts(call: Call, index: int, dialect: Dialect) -> Iterator[dict[str, Any]]:
    begun = _whole_call(call, index)
    arguments = begun["function"]["arguments"]
    if not dialect.call_in_pieces:
        yield begun
        return
    begun["function"]["arguments"] = ""
    yield begun
    later = {"index": index} if dialect.later_call_id is None else {"index": index, "id": dialect.later_call_id}
    yield from ({**later, "function": {"arguments": piece}} for piece in _pieces(arguments, chars=7))


def _whole_call(call: Call, index: int) -> dict[str, Any]:
    arguments = call.args if isinstance(call.args, str) else json.dumps(call.args, ensure_ascii=False)
    made = {"index": index, "type": "function", "function": {"name": call.tool, "arguments": arguments}}
    return made if call.id is None else {"id": call.id, **made}


def _chunk(delta: Mapping[str, Any], reason: str | None, model: str) -> dict[str, Any]:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": reason}
    return {**_frame("chat.completion.chunk", model), "choices": [choice]}


def _frame(kind: str, model: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": model}


def _tagged(thinking: str) -> str:
    return f"{OPEN_TAG}{thinking}{CLOSE_TAG}" if thinking else ""


def _pieces(text: str, *, chars: int = 4) -> Iterator[str]:
    return (text[at : at + chars] for at in range(0, len(text), chars))
