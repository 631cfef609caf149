"""Decoding: passages that are written in a code which a model reads as easily as plain words.

Only what comes out as text is taken for a code; everything is bounded, so that a hostile text costs no more than its
length.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from memory.guard.letters import letter_data
from memory.surrogates import without_halves

MIN_CHARS = 3

_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_ENTITY = re.compile(r"&(?:#\d{2,7}|#x[0-9a-f]{2,6}|[a-z]{2,8});", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:u\{?([0-9a-f]{4,6})\}?|x([0-9a-f]{2})|U([0-9a-f]{8}))", re.IGNORECASE)
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}(?:[\w.~+-]{0,60}%[0-9a-fA-F]{2})++[\w.~+-]{0,60}")
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}+={0,2}(?:\r?\n[A-Za-z0-9+/_-]{8,}+={0,2})*+(?![A-Za-z0-9+/_=-])"
)
_BASE32 = re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{16,}+={0,6}(?![A-Za-z0-9=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?[0-9a-fA-F]{2}(?:[ :,-]?(?:0x)?[0-9a-fA-F]{2}){7,}+(?![0-9A-Za-z])")
_BINARY = re.compile(r"(?<![01])[01]{8}(?:[ ,]?[01]{8}){5,}+(?![01])")
_CHAR = r"(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])"
_DECIMAL = re.compile(rf"(?<!\d){_CHAR}(?:[ ,]{{1,2}}{_CHAR}){{7,}}+(?!\d)")


def revealed(text: str) -> str:
    """Give a text with the letters shown that are hidden in invisible tag characters and selectors."""
    if text.isascii():
        return text
    shown = _TAGS.sub(lambda found: " " + "".join(chr(ord(char) - 0xE0000) for char in found[0]) + " ", text)
    return _SELECTORS.sub(lambda found: _as_text(bytes(map(_byte_of, found[0]))) or "", shown)


def _byte_of(selector: str) -> int:
    first, more = "\ufe00", "\U000e0100"
    return ord(selector) - ord(first) if selector < more else ord(selector) - ord(more) + 16


def decoded(text: str) -> str:
    """Give a text with each passage in a code (entities, escapes, base64 …) in plain words, where it holds any."""
    for pattern, decode in _CODES:
        text = _replaced(text, pattern, decode)
    return text


def _replaced(text: str, pattern: re.Pattern[str], decode: Callable[[re.Match[str]], str | None]) -> str:
    return pattern.sub(lambda found: _or_same(decode(found), found[0]), text)


def _or_same(plain: str | None, passage: str) -> str:
    return passage if plain is None else plain


def unshifted(text: str) -> str | None:
    """Give a folded text without ROT13, where it holds words that are plain only then."""
    return codecs.decode(text, "rot13") if _holds_several(_telling().shifted, text) else None


def turned(text: str) -> str | None:
    """Give a folded text read from its end, where it holds words that are plain only then."""
    return text[::-1] if _holds_several(_telling().turned, text) else None


class _Telling(NamedTuple):
    """Words that tell, as they look in a text that is shifted or turned round."""

    shifted: re.Pattern[str]
    turned: re.Pattern[str]


@cache
def _telling() -> _Telling:
    words: Mapping[str, list[str]] = letter_data()["telling"]
    shifted = "|".join(codecs.encode(word, "rot13") for word in words["latin"])
    turned = "|".join(word[::-1] for word in words["latin"])
    han = "|".join(word[::-1] for word in words["han"])
    return _Telling(shifted=re.compile(rf"\b(?:{shifted})\b"), turned=re.compile(rf"\b(?:{turned})\b|{han}"))


def _holds_several(pattern: re.Pattern[str], text: str) -> bool:
    found = (match[0] for match, _ in zip(pattern.finditer(text), range(40), strict=False))
    return len(set(found)) > 1


def _as_text(raw: bytes) -> str | None:
    """Give bytes as text where that is what they are: nearly all printable, most of it letters, digits and spaces."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    plain = sum(char.isspace() or char.isalnum() for char in text)
    control = any(unicodedata.category(char) in {"Cc", "Cn", "Co"} and not char.isspace() for char in text)
    return text if len(text) > MIN_CHARS and not control and plain * 10 >= len(text) * 7 else None


def _of_base64(found: re.Match[str]) -> str | None:
    """Read the lines as one code, or else each by itself: a word may stand on the line after a code."""
    lines = found[0].split()
    whole = _unpacked("".join(lines))
    if whole is not None or len(lines) == 1:
        return whole
    return "\n".join(_or_same(_unpacked(line), line) for line in lines)


def _unpacked(code: str) -> str | None:
    passage = code.translate({0x2D: "+", 0x5F: "/"}).rstrip("=")
    if passage.isdigit() or len(passage) % 4 == 1:
        return None
    try:
        return _as_text(base64.b64decode(passage + "=" * (-len(passage) % 4), validate=True))
    except binascii.Error:
        return None


def _of_base32(found: re.Match[str]) -> str | None:
    passage = found[0].rstrip("=")
    try:
        return _as_text(base64.b32decode(passage + "=" * (-len(passage) % 8)))
    except binascii.Error:
        return None


def _of_hex(found: re.Match[str]) -> str | None:
    return _as_text(bytes.fromhex(re.sub(r"0x|[ :,-]", "", found[0])))


def _of_binary(found: re.Match[str]) -> str | None:
    return _as_text(bytes(int(byte, 2) for byte in re.findall("[01]{8}", found[0])))


def _of_decimal(found: re.Match[str]) -> str | None:
    return _as_text(bytes(int(byte) for byte in found[0].replace(",", " ").split()))


def _of_percent(found: re.Match[str]) -> str:
    return unquote(found[0].replace("+", " "))


def _of_entity(found: re.Match[str]) -> str:
    return html.unescape(found[0])


def _of_escape(found: re.Match[str]) -> str | None:
    code = int(found[1] or found[2] or found[3], 16)
    return None if code > sys.maxunicode else without_halves(chr(code))


_CODES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str | None]], ...] = (
    (_ENTITY, _of_entity),
    (_ESCAPE, _of_escape),
    (_PERCENT, _of_percent),
    (_BINARY, _of_binary),
    (_DECIMAL, _of_decimal),
    (_HEX, _of_hex),
    (_BASE32, _of_base32),
    (_BASE64, _of_base64),
)
