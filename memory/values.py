"""When two wordings are the same value: width, case, space and punctuation do not tell them apart."""

from __future__ import annotations

import re
import unicodedata

_ARTICLES = re.compile(r"(?:(?:an?|the)\s+(?=[a-z]))+")
_PARTICLES = re.compile(r"(?<=..)[了啊呀哦啦呢]+$")
_GROUPED_NUMBER = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)")
_KEPT_BETWEEN_DIGITS = ".:/-, "
_KEPT_EVERYWHERE = "#+%@&*"
_DECORATION = "~`´"


def normalised(value: str) -> str:
    """Give the form under which a value is compared; never blank unless the value is.

    What carries meaning stays: the `#` of an identifier, C++ and C#, the point in 3.11, the sign of
    a number, and every negation (only whole equal forms are equal: nothing is matched by likeness).
    """
    seen = folded(value)
    plain = _GROUPED_NUMBER.sub(lambda number: number[0].replace(",", ""), seen)
    plain = _ARTICLES.sub("", plain, count=1) if _ARTICLES.match(plain) else plain
    kept = "".join(char for at, char in enumerate(plain) if counts(plain, at))
    return folded(_PARTICLES.sub("", kept)) or seen


def same_value(one: str, other: str) -> bool:
    """Say whether two wordings are one value."""
    return normalised(one) == normalised(other)


def folded(text: str) -> str:
    """Fold width and case, drop what cannot be seen, make every run of space one blank."""
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(char for char in wide if not _is_invisible(char))
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def counts(text: str, at: int) -> bool:
    """Say whether the character at a place carries meaning; a blank does so only between digits."""
    char = text[at]
    if char.isalnum() or char in _KEPT_EVERYWHERE:
        return True
    if char in _KEPT_BETWEEN_DIGITS and (_is_digit(text, at - 1) and _is_digit(text, at + 1)):
        return True
    if char == "-" and _is_digit(text, at + 1):
        return at == 0 or text[at - 1] == " "
    if char == "-" and at + 1 == len(text):  # a blood type, a grade, a finding: A- is not A
        return text[:at].rstrip("-").isalnum()
    return char not in _DECORATION and unicodedata.category(char)[0] in "SM"


def _is_digit(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isdecimal()


def _is_invisible(char: str) -> bool:
    """Tell controls, format characters and variation selectors; a line break is a space."""
    if char.isspace():
        return False
    return unicodedata.category(char) in ("Cc", "Cf") or 0xFE00 <= ord(char) <= 0xFE0F  # noqa: PLR2004
