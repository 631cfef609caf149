"""Seen: what a model is shown of the media of a window, and a note in the place of what it is not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from memory.media.about import KINDS, Media, carries, is_broken, kind_of, media_of, media_type_of
from memory.media.labels import MOST_SHOWN_BYTES, Why, note
from memory.media.shelving import MissingBytesError, Read, restored
from memory.prompt_texts import Language

KINDS_TAKEN = ("text", "image", "audio", "video", "file")
"""What a model may take."""
_STANDARD = frozenset({"image", "audio", "video", "file"})


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A block that a model is not shown: of which message, what it is, and the note that stands in its place."""

    message_id: str
    media: Media
    why: Why
    note: str


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A window as a model sees it; messages in which nothing changed are the same."""

    messages: tuple[BaseMessage, ...]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _View:
    takes: Collection[str] | None
    refused: Collection[str]
    read: Read
    language: Language


def seen(
    window: Sequence[BaseMessage],
    *,
    takes: Collection[str] | None,
    read: Read,
    language: Language,
    refused: Collection[str] = (),
    most_bytes: int = MOST_SHOWN_BYTES,
) -> Seen:
    """Give each block of a window its bytes back, or put a note in its place.

    Args:
        window: The messages that are shown.
        takes: The kinds that the model takes; None: nobody knows, so all of them are tried.
        read: Gives bytes that are kept elsewhere.
        language: Of the notes.
        refused: Ids of messages whose blocks the model has refused.
        most_bytes: How many bytes may go along in all; the newest message's come first.
    """
    view = _View(takes=takes, refused=refused, read=read, language=language)
    shown: list[BaseMessage] = []
    left_out: list[LeftOut] = []
    room = most_bytes
    for message in reversed(window):
        content, gone, taken = _content(message, view, room)
        room -= taken
        beside = _beside(message, read)
        changed = content is not message.content or beside is not message.additional_kwargs
        after = {"content": content, "additional_kwargs": beside}
        shown.append(message.model_copy(update=after) if changed else message)
        left_out = [*gone, *left_out]
    return Seen(messages=tuple(reversed(shown)), left_out=tuple(left_out))


def _beside(message: BaseMessage, read: Read) -> Any:
    """Give what stands beside the content with its bytes; as it is where they are kept no more (an endpoint knows them by their id)."""
    try:
        return restored(message.additional_kwargs, read)
    except MissingBytesError:
        return message.additional_kwargs


def _content(message: BaseMessage, view: _View, room: int) -> tuple[Any, list[LeftOut], int]:
    """Give the content that is shown, what is left out of it, and how many bytes go along."""
    if not isinstance(message.content, list):
        return message.content, [], 0
    shown: list[Any] = []
    left_out: list[LeftOut] = []
    taken = 0
    for block in message.content:
        if not isinstance(block, Mapping) or not kind_of(block):
            shown.append(block)
            continue
        found = _block(block, message, view, room - taken)
        if isinstance(found, LeftOut):
            left_out.append(found)
            shown.append({"type": "text", "text": found.note})
        else:
            taken += carries(block)
            shown.append(found)
    same = all(one is other for one, other in zip(shown, message.content, strict=True))
    return (message.content if same else shown), left_out, taken


def _block(block: Mapping[str, Any], message: BaseMessage, view: _View, room: int) -> Mapping[str, Any] | LeftOut:
    """Give a block whole, as text where it is a file that is its text, or why it is left out."""
    if isinstance(text := block.get("text"), str) and kind_of(block) == "file":
        return {"type": "text", "text": text}
    if why := _unwanted(block, message, view, room):
        return _left_out(block, message, why, view)
    try:
        whole = restored(block, view.read)
    except MissingBytesError:
        return _left_out(block, message, "gone", view)
    if is_broken(whole):
        return _left_out(block, message, "broken", view)
    return _typed(whole) or _left_out(block, message, "untyped", view)


def _unwanted(block: Mapping[str, Any], message: BaseMessage, view: _View, room: int) -> Why | None:
    """Say why a block is not to be sent, before its bytes are looked at."""
    kind = kind_of(block)
    is_said = isinstance(message, HumanMessage) or kind in KINDS.values()  # what else a model said, it takes back
    if is_said and view.takes is not None and kind not in view.takes:
        return "not_taken"
    if str(message.id) in view.refused:
        return "refused"
    return "too_large" if carries(block) > room else None


def _left_out(block: Mapping[str, Any], message: BaseMessage, why: Why, view: _View) -> LeftOut:
    media = media_of(block)
    return LeftOut(message_id=str(message.id), media=media, why=why, note=note(media, why, view.language))


def _typed(block: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Say of which type the bytes are where nobody did, for LangChain refuses them otherwise; None where nothing tells."""
    if block.get("type") not in _STANDARD or not isinstance(block.get("base64"), str) or block.get("mime_type"):
        return block
    found = media_type_of(block)
    return {**block, "mime_type": found} if found else None
