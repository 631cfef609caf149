"""Triggers: the words that call a skill, and where a message says them.

A trigger is plain text. Chinese is found anywhere in the message, Latin words as whole words (an `s` may follow),
both without regard to case, width and spacing. Two signs mean something: `…` (or `...`) stands for a few words in
between within a sentence, and a leading `^` for the beginning of the message.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

GAP = "…"
START = "^"
MIN_CHARS = 2

Span = tuple[int, int]

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SPACE_IN_HAN = re.compile(rf"(?<=[{_HAN}])\s+(?=[{_HAN}])")
_FEW_WORDS = r"[^。！？!?；;\n]{0,24}?"
_PATTERNS_KEPT = 4096


class TriggerError(ValueError):
    """A trigger would match nearly everything."""

    def __init__(self, trigger: str) -> None:
        super().__init__(
            f"trigger {trigger!r} is too short: it needs at least {MIN_CHARS} letters, digits or Chinese characters"
        )


def plain(text: str) -> str:
    """Bring a text into the form in which triggers are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("‘", "'")
    return _SPACE_IN_HAN.sub("", " ".join(folded.split()))


def checked_trigger(trigger: str) -> str:
    """Give the trigger back without surrounding space.

    Raises:
        TriggerError: It has fewer than two letters, digits or Chinese characters.
    """
    if sum(char.isalnum() for char in trigger) < MIN_CHARS:
        raise TriggerError(trigger)
    return trigger.strip()


def spoken(trigger: str) -> str:
    """Give the trigger as somebody would say it, without its signs."""
    return " ".join(trigger.removeprefix(START).replace("...", GAP).replace(GAP, " ").split())


def spans(trigger: str, plain_text: str) -> list[Span]:
    """Say where a text (already `plain`) says the trigger: start and end of each place."""
    return [found.span() for found in _pattern(trigger).finditer(plain_text)]


@lru_cache(maxsize=_PATTERNS_KEPT)
def _pattern(trigger: str) -> re.Pattern[str]:
    pieces = trigger.strip().removeprefix(START).replace("...", GAP).split(GAP)
    body = _FEW_WORDS.join(_piece(plain(piece)) for piece in pieces if piece.strip())
    return re.compile(rf"\A[\W_]*(?:please\s+|请)?{body}" if trigger.strip().startswith(START) else body)


def _piece(words: str) -> str:
    """Match words literally, Latin letters and digits at the edges only where a word begins and ends."""
    before = "(?<![0-9a-z])" if _is_latin(words[0]) else ""
    after = "s?(?![0-9a-z])" if _is_latin(words[-1]) else ""
    return before + r"\s+".join(map(re.escape, words.split())) + after


def has_han(text: str) -> bool:
    """Say whether there is a Chinese character in it."""
    return re.search(f"[{_HAN}]", text) is not None


def _is_latin(char: str) -> bool:
    return char.isalnum() and char.isascii()
