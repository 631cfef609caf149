"""Blanking: taking words out of a text so that what is left says that something was forgotten, and no more.

Texts and words are compared by width, case and space as they are compared everywhere (memory/values.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

FORGOTTEN = "[forgotten]"
"""Stands where something was forgotten."""
SHORTEST = 2
_ENDS = re.compile(r"(?<=[。！？!?\n])|(?<=\.)(?!\d)")
_MARKS = re.compile(re.escape(FORGOTTEN) + r"(?:[\W_]*" + re.escape(FORGOTTEN) + r")+")


def blanked(text: str, words: str) -> str:
    """Take words out of a text, wherever they stand; "" where nothing is left that says anything.

    Words that do not stand in the text were changed since: then all of it goes.
    """
    if not words.strip():
        return text
    left, times = _pattern(words).subn(FORGOTTEN, text)
    return _tidy(left) if times else ""


def without_value(text: str, value: str, *, beside: Sequence[str] | None = None) -> str:
    """Take a value out of a text; "" where nothing is left that says anything.

    Args:
        text: What somebody said.
        value: What is forgotten; one of a single letter is too common to be found.
        beside: Only in sentences with one of these words; None: in all.
    """
    if len(value.strip()) < SHORTEST:
        return text
    pattern = _pattern(value)
    if not pattern.search(text):
        return text
    sentences = _ENDS.split(text)
    return _tidy("".join(pattern.sub(FORGOTTEN, one) if _is_about(one, beside) else one for one in sentences))


def _is_about(sentence: str, beside: Sequence[str] | None) -> bool:
    return beside is None or any(word.casefold() in sentence.casefold() for word in beside)


def _pattern(words: str) -> re.Pattern[str]:
    """Match words as they are said, with any space between them and not as a part of longer Latin words."""
    body = r"\s*".join(re.escape(part) for part in words.split())
    before = r"(?<![A-Za-z0-9])" if words.strip()[:1].isascii() and words.strip()[:1].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if words.strip()[-1:].isascii() and words.strip()[-1:].isalnum() else ""
    return re.compile(f"{before}{body}{after}", re.IGNORECASE)


def _tidy(text: str) -> str:
    joined = _MARKS.sub(FORGOTTEN, text).strip()
    return joined if any(char.isalnum() for char in joined.replace(FORGOTTEN, "")) else ""
