"""What a thread's messages become when more are written: the reducer of the `messages` channel.

The channel is a `DeltaChannel`: a checkpoint keeps what was written, not the whole list, and reading a thread
folds the writes anew. So the fold must give the same however the writes are batched, and name a message
without an id the same each time. It goes message by message, which makes it so.

LangGraph gives message objects and message dicts their ids when they are written; what is named here came
as a bare string or a (role, content) pair. A caller who wants to repeat a turn safely gives the id itself.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, cast

from langchain_core.messages import (
    AnyMessage,
    BaseMessage,
    BaseMessageChunk,
    RemoveMessage,
    convert_to_messages,
    message_chunk_to_message,
)
from langgraph.graph.message import REMOVE_ALL_MESSAGES

SNAPSHOT_EVERY_UPDATES = 50
"""After how many writes the channel keeps the whole list once (a turn has two or more): measured, see ADR 2."""

MESSAGES = uuid.UUID("0d1c53b2-7a0b-5b1e-8a52-5f0a6b9f3c17")


def fold_messages(state: Sequence[Any], writes: Sequence[Any]) -> list[AnyMessage]:
    """Add, replace (same id) and remove messages, in the order in which they were written.

    Args:
        state: The messages so far.
        writes: Each a message, a message dict, a string (the user's), or a list of these and of
            (role, content) pairs. `RemoveMessage` removes by id, with `REMOVE_ALL_MESSAGES` all before it;
            an id that is not there is nothing to remove.

    Raises:
        ValueError: Something written is no message.
        TypeError: A pair was written bare.
    """
    kept: dict[str, AnyMessage] = {}
    for message in _each([list(state), *writes]):
        _take(kept, message)
    return list(kept.values())


def _each(writes: Sequence[Any]) -> Iterator[AnyMessage]:
    for write in writes:
        if isinstance(write, tuple):  # a checkpoint gives it back as a list: two messages
            raise TypeError(
                f"Cannot add {write!r} to the messages: a (role, content) pair must stand in a list. "
                "Write [(role, content)], a message, or a dict with role and content."
            )
        for item in write if isinstance(write, list) else [write]:
            yield _whole(item)


def _whole(item: Any) -> AnyMessage:
    (message,) = [item] if isinstance(item, BaseMessage) else convert_to_messages([item])
    whole = message_chunk_to_message(message) if isinstance(message, BaseMessageChunk) else message
    return cast("AnyMessage", whole)


def _take(kept: dict[str, AnyMessage], message: AnyMessage) -> None:
    if not isinstance(message, RemoveMessage):
        named = message if message.id else message.model_copy(update={"id": _name(kept, message)})
        kept[str(named.id)] = named
    elif message.id == REMOVE_ALL_MESSAGES:
        kept.clear()
    else:
        kept.pop(str(message.id), None)


def _name(kept: dict[str, AnyMessage], message: AnyMessage) -> str:
    """Name it by its place and content; the place moves on where that name is taken."""
    content = json.dumps([message.type, message.content], sort_keys=True, ensure_ascii=True, default=repr)
    place = len(kept)
    while (name := str(uuid.uuid5(MESSAGES, f"{place}\n{content}"))) in kept:
        place += 1
    return name
