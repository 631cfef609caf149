"""What the file of threads keeps of what was typed, where private things are to go from it too: values in, values out.

Typed are the user's messages, in all the forms in which LangGraph takes them, and the answers to an interrupt. What is no
message in any form is redacted string by string: nothing is kept raw because it was not understood. What the model and the
tools said stays; they answer what was redacted before they saw it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde.types import ERROR, RESUME, _DeltaSnapshot
from langgraph.constants import START
from langgraph.types import Overwrite

Redactor = Callable[[str], str]
"""Gives a text without what is private; a text that it gave it gives back as it is."""

MESSAGES = "messages"
OVERWRITE = "__overwrite__"
OF_OTHERS = frozenset({"ai", "assistant", "system", "developer", "tool", "function", "remove"})
"""Roles of messages that no user typed."""
CLASSES_OF_OTHERS = ("AI", "System", "Tool", "Function", "Remove")
NAMING = frozenset({"id", "role", "type"})
"""Fields by which a message is told from others; redacted it would be another one."""

Message = TypeVar("Message", bound=BaseMessage)


def redacted_checkpoint(checkpoint: Checkpoint, redacted: Redactor) -> Checkpoint:
    """Give the checkpoint with what was typed redacted in each channel; the one that is given stays as it is."""
    kept = checkpoint.copy()
    values = checkpoint["channel_values"].items()
    kept["channel_values"] = {channel: _redacted_value(channel, value, redacted) for channel, value in values}
    return kept


def redacted_writes(writes: Iterable[tuple[str, Any]], redacted: Redactor) -> list[tuple[str, Any]]:
    """Give a task's writes with what was typed redacted."""
    return [(channel, _redacted_value(channel, value, redacted)) for channel, value in writes]


def redacted_message(message: Message, redacted: Redactor) -> Message:
    """Give a user's message redacted: its text, and what repeats it in other fields; its id stays.

    Blocks without text (pictures, audio, files) stay. A message of others, and one with nothing private, is given back
    itself.
    """
    if not isinstance(message, HumanMessage) and getattr(message, "role", "ai") in OF_OTHERS:
        return message
    fields = {name: _field(name, value, redacted) for name, value in message if name not in NAMING}
    changed = {name: value for name, value in fields.items() if value != getattr(message, name)}
    return message.model_copy(update=changed) if changed else message


def redacted_strings(value: Any, redacted: Redactor) -> Any:
    """Give lists and mappings as deep as they go with each string redacted, and each number that is private as digits."""
    match value:
        case str():
            return redacted(value)
        case bool() | None:
            return value
        case int() | float():
            digits = str(value)
            shown = redacted(digits)
            return value if shown == digits else shown
        case Mapping():
            return {redacted_strings(key, redacted): redacted_strings(one, redacted) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [redacted_strings(one, redacted) for one in value]
    return value


def _redacted_value(channel: str, value: Any, redacted: Redactor) -> Any:
    match channel:
        case _ if channel == MESSAGES:
            return _messages(value, redacted)
        case _ if channel == START and isinstance(value, Mapping):
            return {
                name: _messages(one, redacted) if name == MESSAGES else redacted_strings(one, redacted)
                for name, one in value.items()
            }
        case _ if channel in (START, RESUME):
            return redacted_strings(value, redacted)
        case _ if channel == ERROR:  # kept as its text, which may quote what was typed
            return redacted(repr(value) if isinstance(value, BaseException) else str(value))
    return value


def _messages(value: Any, redacted: Redactor) -> Any:
    """Redact what may be written to the messages: one, a list of them, or what replaces them all."""
    match value:
        case _DeltaSnapshot():
            return _DeltaSnapshot(_messages(value.value, redacted))
        case Overwrite():
            return replace(value, value=_messages(value.value, redacted))
        case {"__overwrite__": inner}:
            return {**value, OVERWRITE: _messages(inner, redacted)}
        case {"type": "__overwrite__", "value": inner}:
            return {**value, "value": _messages(inner, redacted)}
        case list():
            return [_message(one, redacted) for one in value]
    return _message(value, redacted)


def _message(item: Any, redacted: Redactor) -> Any:
    match item:
        case BaseMessage():
            return redacted_message(item, redacted)
        case {"lc": 1, "kwargs": Mapping() as fields, "id": [*_, str() as name]}:
            others = name.startswith(CLASSES_OF_OTHERS)
            return item if others else {**item, "kwargs": _fields(fields, redacted)}
        case Mapping():
            others = item.get("role", item.get("type")) in OF_OTHERS
            return item if others else _fields(item, redacted)
        case (str() as role, _) if role in OF_OTHERS:
            return item
        case (str(), content):
            return type(item)((redacted(item[0]), _content(content, redacted)))
    return redacted_strings(item, redacted)


def _fields(message: Mapping[str, Any], redacted: Redactor) -> dict[str, Any]:
    return {name: value if name in NAMING else _field(name, value, redacted) for name, value in message.items()}


def _field(name: str, value: Any, redacted: Redactor) -> Any:
    return _content(value, redacted) if name == "content" else redacted_strings(value, redacted)


def _content(content: Any, redacted: Redactor) -> Any:
    if isinstance(content, list):
        return [_block(block, redacted) for block in content]
    return redacted_strings(content, redacted)


def _block(block: Any, redacted: Redactor) -> Any:
    """Redact a block that has text, with what repeats it there; others hold what only looks like text (base64, addresses)."""
    has_text = not isinstance(block, Mapping) or isinstance(block.get("text"), str)
    return redacted_strings(block, redacted) if has_text else block
