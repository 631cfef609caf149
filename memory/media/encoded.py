"""Encoded bytes: base64 and `data:` addresses, read strictly; and what kind of file begins so."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

_DATA = re.compile(r"data:(?P<type>[A-Za-z0-9.+/-]{1,100});base64,")
_LOOSE_DATA = re.compile(r"data:[^,]{0,300},", re.IGNORECASE)
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"PK\x03\x04", "application/zip"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_FTYP = {b"heic": "image/heic", b"avif": "image/avif", b"M4A ": "audio/mp4"}
_HEAD_CHARS = 64


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """Bytes as they stand in a text; `prefix` is what of a `data:` address comes before them."""

    data: bytes
    media_type: str = ""
    prefix: str = ""


def read_encoded(text: str) -> Encoded | None:
    """Read base64 or a `data:` address; None where writing the bytes anew would not give the very same text."""
    found = _DATA.match(text)
    body = text[found.end() :] if found else text
    data = _decoded(body)
    if data is None or written_base64(data) != body:
        return None
    return Encoded(data=data, media_type=found["type"] if found else "", prefix=found[0] if found else "")


def written_base64(data: bytes) -> str:
    """Write bytes in base64."""
    return base64.b64encode(data).decode("ascii")


def is_readable(text: str) -> bool:
    """Tell whether a text is base64 in any form that readers take: with line breaks, for addresses, without its padding."""
    body = _LOOSE_DATA.sub("", text, count=1) if text[:5].lower() == "data:" else text
    bare = "".join(body.split()).rstrip("=").translate(str.maketrans("-_", "+/"))
    return bool(bare) and _decoded(bare + "=" * (-len(bare) % 4)) is not None


def type_by_head(text: str) -> str:
    """Say by its first bytes what kind of file a base64 text holds; "" where they tell nothing."""
    body = text[found.end() :] if (found := _LOOSE_DATA.match(text)) else text
    head = _decoded(body[:_HEAD_CHARS][: len(body[:_HEAD_CHARS]) // 4 * 4]) or b""
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return _FTYP.get(head[8:12], "video/mp4")
    return next((kind for signature, kind in _SIGNATURES if head.startswith(signature)), "")


def size_of(text: str) -> int:
    """Count the bytes that a base64 text or `data:` address holds, without decoding it."""
    body = len(text) - (found.end() if (found := _LOOSE_DATA.match(text)) else 0)
    return max(body * 3 // 4 - text[-2:].count("="), 0)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
