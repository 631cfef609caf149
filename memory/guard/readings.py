"""Readings: the ways in which a model may read a text that is written so that a filter does not.

A reading is a whole text. What is always safe to undo (invisible characters, look-alike letters, codes) is undone in
one reading; what might spoil a plain text (digits for letters, a text turned round) gets a reading of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memory.guard.decoding import decoded, revealed, turned, unshifted
from memory.guard.letters import (
    closed_up,
    corrected,
    is_upside_down,
    latin,
    simplified,
    unhyphened,
    unleeted,
    upright,
    without_signs_between_han,
)
from memory.surrogates import visible, without_halves

MAX_CHARS = 200_000
"""A longer text is read in pieces that overlap."""
MAX_NESTED = 2

_QUOTES = str.maketrans("’‘‛ʼ´＇“”„‟«»", "''''''\"\"\"\"\"\"")
_COMMENT = re.compile(
    r"<!--.{0,400}?-->|/\*.{0,400}?\*/|</?(?:b|i|u|em|strong|span|font|wbr|s)\b[^<>]{0,80}>", re.DOTALL
)
_UNSEEN_BETWEEN = re.compile("(?<=\\w)[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+(?=\\w)")
_BLANKS = re.compile(r"[^\S\n]+")


def readings(text: str) -> tuple[str, ...]:
    """Give the text itself, then each other way to read it, in small letters and without doubles."""
    return tuple(dict.fromkeys([text, *folded_readings(text)]))


def folded_readings(text: str) -> tuple[str, ...]:
    """Give each way to read a text in small letters, the plainest first, without doubles; those are what is searched."""
    return tuple(dict.fromkeys(reading[:MAX_CHARS] for reading in _read(text[:MAX_CHARS])))


def _read(text: str) -> Iterator[str]:
    shown = revealed(without_halves(text))
    plain = folded(visible(shown))
    yield plain
    yield from _undone(plain, _clear(shown))
    if _UNSEEN_BETWEEN.search(text):
        yield _clear(_UNSEEN_BETWEEN.sub(" ", shown))
    if is_upside_down(text):
        yield latin(upright(plain))
        yield latin(upright(plain)[::-1])


def folded(text: str) -> str:
    """Give a text in small letters of one width, with one kind of quotation marks and single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return _BLANKS.sub(" ", text.casefold())


def _clear(shown: str) -> str:
    """Undo all that is safe to undo, codes within codes too."""
    seen = visible(shown)
    for _ in range(MAX_NESTED):
        once = decoded(unicodedata.normalize("NFKC", seen))
        if once == seen:
            break
        seen = once
    return simplified(folded(latin(visible(revealed(seen)))))


def _undone(plain: str, clear: str) -> Iterator[str]:
    """Give what each disguise that may stand in a text hides."""
    yield clear
    closed = closed_up(clear)
    yield closed
    yield without_signs_between_han(clear)
    yield unhyphened(clear)
    yield corrected(unleeted(closed))
    if "<" in plain or "/*" in plain:
        yield _COMMENT.sub("", clear)
    for other in (unshifted(clear), turned(clear)):
        if other:
            yield closed_up(other)
