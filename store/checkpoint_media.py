"""What the file of threads keeps of pictures, recordings and files: references where they are long, not their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde.types import RESUME, _DeltaSnapshot
from langgraph.constants import START
from langgraph.types import Overwrite

from memory.media import shelved
from store.media_files import MediaFiles

CHANNELS = frozenset({"messages", START, RESUME})
"""Where messages are written, in any form in which LangGraph takes them."""


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """Where the bytes go that are longer than a checkpoint keeps."""

    files: MediaFiles
    most_bytes: int

    def shelved(self, thread_id: str, value: Any) -> Any:
        """Give messages with what is long of a thread's media kept in files; the value itself where nothing is."""
        return shelved(value, most_bytes=self.most_bytes, keep=partial(self.files.keep, thread_id))


def shelved_checkpoint(checkpoint: Checkpoint, thread_id: str, shelf: Shelf) -> Checkpoint:
    """Give the checkpoint with references in the place of long bytes; the one that is given stays as it is."""
    kept = checkpoint.copy()
    kept["channel_values"] = dict(shelved_writes(checkpoint["channel_values"].items(), thread_id, shelf))
    return kept


def shelved_writes(writes: Iterable[tuple[str, Any]], thread_id: str, shelf: Shelf) -> list[tuple[str, Any]]:
    """Give a task's writes with references in the place of long bytes."""
    return [(channel, _value(value, thread_id, shelf) if channel in CHANNELS else value) for channel, value in writes]


def _value(value: Any, thread_id: str, shelf: Shelf) -> Any:
    match value:
        case _DeltaSnapshot():
            return _DeltaSnapshot(_value(value.value, thread_id, shelf))
        case Overwrite():
            return replace(value, value=_value(value.value, thread_id, shelf))
        case {"__overwrite__": inner}:
            return {**value, "__overwrite__": _value(inner, thread_id, shelf)}
        case {"type": "__overwrite__", "value": inner}:
            return {**value, "value": _value(inner, thread_id, shelf)}
        case Mapping() if "messages" in value:
            return {**value, "messages": _value(value["messages"], thread_id, shelf)}
    return shelf.shelved(thread_id, value)
