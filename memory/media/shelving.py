"""Shelving: long bytes out of messages, in whatever form they are written, and back in exactly as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from memory.media.about import CAPTIONS, NAMES, kind_of, media_type_of
from memory.media.encoded import read_encoded, type_by_head, written_base64
from memory.media.reference import Reference, Written, read_reference

Keep = Callable[[bytes], str]
"""Keeps bytes and gives their SHA-256."""
Read = Callable[[str], bytes | None]
"""Gives the bytes of a SHA-256; None where they are kept no more."""
TEXT_FIELDS = frozenset({"text", "type", "mime_type", "media_type", "format", *NAMES, *CAPTIONS})
"""What describes a block or is said in it stays in its place, however long."""
BESIDE = "additional_kwargs"
"""Where integrations put what has no place in a message's content."""
FEWEST_CHARS = 200
"""A reference takes about as many itself."""


class MissingBytesError(LookupError):
    """Bytes that a message refers to are kept no more."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"Cannot give the bytes {sha256!r} back: they are kept no more. Show the block without them.")


def shelved(value: Any, *, most_bytes: int, keep: Keep) -> Any:
    """Give a message, or messages in any form and depth, with the long bytes of their blocks shelved.

    Args:
        value: What may be written to a thread: messages, dicts, pairs, strings, lists of these. It stays as it is.
        most_bytes: So many bytes a block's field may keep in its place.
        keep: Is given what is longer.

    Returns:
        The value itself where nothing was shelved.
    """
    match value:
        case BaseMessage():
            before = {"content": value.content, BESIDE: value.additional_kwargs}
            after = _message_shelved(before, most_bytes, keep)
            return value if after is before else value.model_copy(update=after)
        case {"content": _}:
            return _message_shelved(value, most_bytes, keep)
        case {"type": str(), **rest} if "kwargs" not in rest:
            return _block_shelved(value, most_bytes, keep) if kind_of(value) else value
        case Mapping():
            return _same(value, {name: shelved(one, most_bytes=most_bytes, keep=keep) for name, one in value.items()})
        case list() | tuple():
            return _same_list(value, [shelved(one, most_bytes=most_bytes, keep=keep) for one in value])
    return value


def restored(block: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    """Give a block with its bytes in their place, exactly as they were written; itself where none were shelved.

    Raises:
        MissingBytesError: They are kept no more.
    """
    whole: Mapping[str, Any] = _mapped(block, lambda text: _restored(text, read))
    return whole


def references_in(value: Any) -> Iterator[Reference]:
    """Give what blocks or messages refer to."""
    match value:
        case str():
            if (found := read_reference(value)) is not None:
                yield found
        case BaseMessage():
            yield from references_in([value.content, value.additional_kwargs])
        case Mapping():
            for one in value.values():
                yield from references_in(one)
        case list() | tuple():
            for one in value:
                yield from references_in(one)


def _mapped(value: Any, change: Callable[[str | bytes], Any]) -> Any:
    """Change the texts and bytes of a block, at whatever depth, but for what is said in it."""
    match value:
        case str() | bytes():
            return change(value)
        case Mapping():
            return _same(
                value,
                {name: one if name in TEXT_FIELDS else _mapped(one, change) for name, one in value.items()},
            )
        case list():
            return _same_list(value, [_mapped(one, change) for one in value])
    return value


def _block_shelved(block: Mapping[str, Any], most_bytes: int, keep: Keep) -> Any:
    media_type = media_type_of(block)
    return _mapped(block, lambda text: _shelved(text, media_type, most_bytes, keep))


def _message_shelved(message: Mapping[str, Any], most_bytes: int, keep: Keep) -> Any:
    after = {**message, "content": shelved(message["content"], most_bytes=most_bytes, keep=keep)}
    if BESIDE in message:
        after[BESIDE] = _beside_shelved(message[BESIDE], most_bytes, keep)
    return _same(message, after)


def _beside_shelved(beside: Any, most_bytes: int, keep: Keep) -> Any:
    """Shelve what is bytes for sure beside a message's content, as a model's spoken answer; arguments and thoughts stay."""

    def change(found: str | bytes) -> str | bytes:
        if isinstance(found, str) and (len(found) <= most_bytes or read_encoded(found) is None):
            return found
        text = written_base64(found) if isinstance(found, bytes) else found
        return _shelved(text, type_by_head(text), most_bytes, keep)

    return _mapped(beside, change)


def _shelved(found: str | bytes, media_type: str, most_bytes: int, keep: Keep) -> str:
    text = written_base64(found) if isinstance(found, bytes) else found
    if len(text) <= max(most_bytes, FEWEST_CHARS) or read_reference(text):
        return text
    read = read_encoded(text)
    data = read.data if read else text.encode("utf-8", "surrogatepass")
    if len(data) <= most_bytes:
        return text
    written: Written = "text" if read is None else "data" if read.prefix else "base64"
    named = read.media_type if read and read.prefix else media_type
    return str(Reference(sha256=keep(data), written=written, size=len(data), media_type=named))


def _restored(found: str | bytes, read: Read) -> str | bytes:
    reference = read_reference(found) if isinstance(found, str) else None
    if reference is None:
        return found
    data = read(reference.sha256)
    if data is None:
        raise MissingBytesError(reference.sha256)
    match reference.written:
        case "text":
            return data.decode("utf-8", "surrogatepass")
        case "data":
            return f"data:{reference.media_type};base64,{written_base64(data)}"
        case "base64":
            return written_base64(data)


def _same(before: Mapping[Any, Any], after: dict[Any, Any]) -> Any:
    return before if all(after[name] is one for name, one in before.items()) else after


def _same_list(before: list[Any] | tuple[Any, ...], after: list[Any]) -> Any:
    if all(one is other for one, other in zip(before, after, strict=True)):
        return before
    return after if isinstance(before, list) else tuple(after)
