"""Surrogates: half a character, as a cut emoji leaves it, can be neither kept nor sent; it is shown as one."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def without_halves(text: str) -> str:
    """Replace halves of characters, so that the text can be written as UTF-8; every position stays what it was."""
    return _HALF.sub(REPLACEMENT, text)
