"""OpenAI's messages: a list of {role, content}, bare or under `messages`, whole or one message a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Any

from jiyi.reading.fields import Part, given_name, mended, moment_in
from jiyi.reading.said import Conversation, Said

EXPECTED = (
    'OpenAI messages: {"role", "content"}, a list of them, or {"messages": […]}, with role user, assistant, system, '
    "developer, tool or function and content a text or a list of blocks"
)
SPOKEN = frozenset({"user", "assistant"})
SILENT = frozenset({"system", "developer", "tool", "function"})
THREAD_FIELDS = ("thread_id", "conversation_id")
TIME_FIELDS = ("created_at", "create_time", "timestamp")
NAME_CHARS = 32


def read_thread(part: Part, zone: tzinfo) -> Conversation:
    """Read {"messages": […]}, named by `thread_id`, `conversation_id` or `id`, else by its content."""
    thread = part.mapping()
    messages = part.below("messages", thread["messages"])
    named = (given_name(thread.get(field)) for field in (*THREAD_FIELDS, "id"))
    name = next((name for name in named if name), None)
    return read_messages(messages.items("message"), zone, name=name or name_by_content(messages.value))


def read_list(messages: Sequence[Part], zone: tzinfo) -> Iterator[Conversation]:
    """Read messages that stand one after the other: one thread, or several where messages name theirs."""
    for name, own in _by_thread(messages).items():
        values = [message.value for message in own]
        yield read_messages(own, zone, name=name or name_by_content(values))


def read_messages(messages: Sequence[Part], zone: tzinfo, *, name: str) -> Conversation:
    """Read the messages of one thread; only what users and assistants said, in words, is kept.

    Raises:
        FormatError: A message has no known role, or its content is neither a text nor blocks.
    """
    names = _names(messages)
    said = [_said(message, at, names[at], zone) for at, message in enumerate(messages)]
    kept = tuple(one for one in said if one is not None and one.text.strip())
    return Conversation(name=name, said=kept, skipped=len(said) - len(kept))


def name_by_content(value: Any) -> str:
    """Name a thread by what it holds: the same content has the same name, whatever file it stands in."""
    written = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:NAME_CHARS]


def _by_thread(messages: Sequence[Part]) -> dict[str | None, list[Part]]:
    threads: dict[str | None, list[Part]] = {}
    for message in messages:
        named = (given_name(message.mapping().get(field)) for field in THREAD_FIELDS)
        threads.setdefault(next((name for name in named if name), None), []).append(message)
    return threads


def _names(messages: Sequence[Part]) -> list[str]:
    """Give the messages' own ids where all have one of their own, else their numbers."""
    given = [given_name(message.mapping().get("id")) for message in messages]
    own = [name for name in given if name is not None]
    return own if len(set(own)) == len(messages) else [str(at) for at in range(len(messages))]


def _said(message: Part, position: int, name: str, zone: tzinfo) -> Said | None:
    role = message.mapping().get("role")
    if not isinstance(role, str) or role not in SPOKEN | SILENT:
        raise message.fault(f"the role is {role!r}")
    if role in SILENT:
        return None
    return Said(name=name, speaker=role, text=_text(message), position=position, said_at=_said_at(message, zone))


def _said_at(message: Part, zone: tzinfo) -> datetime | None:
    times = (moment_in(message, field, zone) for field in TIME_FIELDS)
    return next((when for when in times if when is not None), None)


def _text(message: Part) -> str:
    content = message.mapping().get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return mended(content)
    if not isinstance(content, list):
        raise message.fault("its content is neither a text nor a list of blocks")
    return mended("\n".join(text for block in content if (text := _text_of_block(message, block))))


def _text_of_block(message: Part, block: object) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        raise message.fault("a block of its content is neither a text nor an object")
    text = block.get("text", "")
    return text if isinstance(text, str) else ""
