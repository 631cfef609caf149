"""Blanking: taking words out of a text so that what is left says that something was forgotten, and no more.

Texts and words are compared by width, case and space as they are compared everywhere (memory/values.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

FORGOTTEN = "[forgotten]"
"""Stands where something was forgotten."""
SHORTEST = 2
"""A value of a single Latin letter or digit is too common to be found; a Chinese one says something."""
_ENDS = re.compile(r"(?<=[。！？!?\n])|(?<=\.)(?!\d)")
_MARKS = re.compile(re.escape(FORGOTTEN) + r"(?:[\W_]*" + re.escape(FORGOTTEN) + r")+")


def blanked(text: str, quotes: Iterable[str]) -> str:
    """Take quotes out of a text, wherever they stand; "" where nothing is left that says anything.

    They may overlap. Where one does not stand in the text, it was changed since: then all of it goes.
    """
    left = text
    for quote in sorted({one for one in quotes if one.strip()}, key=len, reverse=True):
        if not _pattern(quote).search(text):
            return ""
        left = _pattern(quote).sub(FORGOTTEN, left)
    return left if left == text else _tidy(left)


def without_value(text: str, value: str, *, beside: Sequence[str] | None = None) -> str:
    """Take a value out of a text; "" where nothing is left that says anything.

    Args:
        text: What somebody said.
        value: What is forgotten.
        beside: Only in sentences with one of these words; None: in all.
    """
    if not value.strip() or (len(value.strip()) < SHORTEST and value.isascii()):
        return text
    pattern = _pattern(value)
    if not pattern.search(text):
        return text
    sentences = _ENDS.split(text)
    return _tidy("".join(pattern.sub(FORGOTTEN, one) if _is_about(one, beside) else one for one in sentences))


def without_values(text: str, values: Iterable[str]) -> str:
    """Take several values out of a text, longer ones first; "" where nothing is left that says anything."""
    for value in sorted(values, key=len, reverse=True):
        text = without_value(text, value)
    return text


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
