"""About a block: its kind, media type, size and name, read from whichever form it has."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from langchain_core.messages import BaseMessage
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from memory.media.encoded import is_readable, read_encoded, size_of, type_by_head
from memory.media.reference import is_media_type, read_reference
from memory.surrogates import without_halves

KINDS: Mapping[str, str] = {
    **dict.fromkeys(("image", "image_url", "input_image"), "image"),
    **dict.fromkeys(("audio", "audio_url", "input_audio"), "audio"),
    **dict.fromkeys(("video", "video_url", "input_video"), "video"),
    **dict.fromkeys(("file", "input_file", "document", "text-plain", "media"), "file"),
}
TEXTS = frozenset({"text", "input_text", "output_text"})
OF_THE_MODEL = frozenset(
    {
        *("reasoning", "thinking", "redacted_thinking", "refusal", "citation", "non_standard"),
        *("tool_use", "tool_call", "tool_call_chunk", "invalid_tool_call", "function_call", "tool_result"),
        *("server_tool_call", "server_tool_call_chunk", "server_tool_result"),
    }
)
"""What models and adapters put beside what is said; no medium."""
PLACES = (
    ("base64",),
    ("data",),
    ("image_url", "url"),
    ("image_url",),
    ("audio_url", "url"),
    ("video_url", "url"),
    ("input_audio", "data"),
    ("file", "file_data"),
    ("file_data",),
    ("source", "data"),
    ("source", "url"),
    ("url",),
    ("file_url",),
)
"""Where the bytes of a block stand, or their address."""
_ELSEWHERE = ("text", "file_id", "id", "source")
_TYPE_PLACES = (("mime_type",), ("media_type",), ("source", "media_type"), ("file", "mime_type"))
_ASIDES = ("extras", "metadata", "file")
NAMES = ("filename", "file_name", "name", "title")
CAPTIONS = ("caption", "transcript", "alt", "alt_text")
_TEXTS_OF_AUDIO = ("input_audio", "format")
MAX_NAME_CHARS = 80
MAX_CAPTION_CHARS = 300
_UNFIT = re.compile(r"[\[\]［］【】<>\x00-\x1f\x7f\u2028\u2029]+")
_FILE_NAME = re.compile(r"[^/]{1,80}\.[A-Za-z0-9]{1,5}")


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="ignore"))
class Media:
    """What is remembered of a picture, a recording or a file: not its bytes, which `sha256` names.

    `size` counts them, None where that is not known (an address). `caption` is what somebody or a model said it shows;
    of a recording, what is said in it.
    """

    kind: str
    media_type: str = ""
    size: int | None = None
    sha256: str = ""
    name: str = ""
    caption: str = ""


def kind_of(block: Any) -> str:
    """Say what a block is: `image`, `audio`, `video`, `file`, the type that it names, or "" where it is text or a model's."""
    if not isinstance(block, Mapping):
        return ""
    named = str(block.get("type") or "")
    if named in TEXTS or named in OF_THE_MODEL:
        return ""
    found = KINDS.get(named, clean_line(named, 40) or "unknown")
    top = _media_type(block, payload_of(block)).partition("/")[0] if found == "file" else ""
    return top if top in ("image", "audio", "video") else found


def media_of(block: Mapping[str, Any]) -> Media:
    """Describe a block."""
    payload = payload_of(block)
    reference = read_reference(payload)
    described = Media(
        kind=kind_of(block),
        media_type=_media_type(block, payload),
        name=_name(block, payload),
        caption=_aside(block, CAPTIONS, MAX_CAPTION_CHARS),
    )
    if reference is not None:
        return replace(described, size=reference.size, sha256=reference.sha256)
    if not payload or is_address(payload):
        return described
    read = read_encoded(payload)
    data = read.data if read else payload.encode("utf-8", "surrogatepass")
    return replace(described, size=len(data), sha256=hashlib.sha256(data).hexdigest())


def media_type_of(block: Mapping[str, Any]) -> str:
    """Say of which media type a block is, as it states or as its first bytes show; "" where neither tells."""
    return _media_type(block, payload_of(block))


def media_in(message: BaseMessage) -> tuple[Media, ...]:
    """Describe the blocks of a message that are neither text nor a model's own, in order."""
    return tuple(media_of(block) for block in blocks_of(message))


def blocks_of(message: BaseMessage) -> Iterator[Mapping[str, Any]]:
    """Give the blocks of a message that are neither text nor a model's own."""
    for block in message.content if isinstance(message.content, list) else ():
        if isinstance(block, Mapping) and kind_of(block):
            yield block


def payload_of(block: Mapping[str, Any]) -> str:
    """Give the text in which the bytes of a block stand, or where they are; "" where there is none."""
    found = (_at(block, place) for place in PLACES)
    return next((text for text in found if isinstance(text, str) and text), "")


def is_address(payload: str) -> bool:
    """Tell whether a block says where its bytes are instead of holding them."""
    return re.match(r"(?!data:)[A-Za-z][A-Za-z0-9+.-]{1,20}:", payload) is not None


def is_broken(block: Mapping[str, Any]) -> bool:
    """Tell whether a block of a known kind has nothing to show: no bytes, or what should be bytes and is none."""
    payload = payload_of(block)
    if kind_of(block) not in KINDS.values() or _at(block, ("source", "type")) in ("text", "content", "file"):
        return False
    if not payload:
        return not any(block.get(name) for name in _ELSEWHERE) and _at(block, ("file", "file_id")) is None
    return not is_address(payload) and not is_readable(payload)


def carries(block: Mapping[str, Any]) -> int:
    """Say how many bytes a block takes along."""
    payload = payload_of(block)
    reference = read_reference(payload)
    if reference is not None:
        return reference.size
    return 0 if is_address(payload) else size_of(payload)


def _media_type(block: Mapping[str, Any], payload: str) -> str:
    stated = next((found for place in _TYPE_PLACES if isinstance(found := _at(block, place), str)), "")
    if is_media_type(stated):
        return stated
    if isinstance(sound := _at(block, _TEXTS_OF_AUDIO), str) and is_media_type(f"audio/{sound}"):
        return f"audio/{sound}"
    reference = read_reference(payload)
    if reference is not None:
        return reference.media_type
    written = payload[5:].partition(";")[0].partition(",")[0] if payload.startswith("data:") else ""
    return written if is_media_type(written) else type_by_head(payload)


def _name(block: Mapping[str, Any], payload: str) -> str:
    return _aside(block, NAMES, MAX_NAME_CHARS) or _name_in_address(payload)


def _name_in_address(payload: str) -> str:
    """Take a file's name from its address; what follows it may be somebody's key."""
    if not payload.startswith(("http://", "https://")):
        return ""
    try:
        last = unquote(urlsplit(payload).path).rpartition("/")[2]
    except ValueError:
        return ""
    return clean_line(last, MAX_NAME_CHARS) if _FILE_NAME.fullmatch(last) else ""


def _aside(block: Mapping[str, Any], names: Sequence[str], most_chars: int) -> str:
    """Find what stands beside the bytes, in the block or a mapping within it."""
    places = [(name,) for name in names] + [(aside, name) for aside in _ASIDES for name in names]
    found = (_at(block, place) for place in places)
    return next((clean for text in found if isinstance(text, str) and (clean := clean_line(text, most_chars))), "")


def clean_line(text: str, most_chars: int) -> str:
    """Give a text that can stand within brackets, in one line."""
    line = " ".join(_UNFIT.sub(" ", without_halves(text)).split())
    return line if len(line) <= most_chars else line[: most_chars - 1] + "…"


def _at(block: Mapping[str, Any], place: Sequence[str]) -> Any:
    found: Any = block
    for name in place:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
