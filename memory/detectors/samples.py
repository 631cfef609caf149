"""Samples: texts with made-up secrets, written so that no file holds what looks like a live key."""

from __future__ import annotations

import re

_FILLER = re.compile(r"\{([xXhdl])([0-9]{1,3})\}")
_CHARACTERS = {
    "x": "q7W8e9R0t1Za2S3d4F5g6H7j8K9l0Mn1B2v3C4x5Y6u7I8o9P",
    "X": "Q7W8E9R0T1ZA2S3D4F5G6H7J8K9L0MN1B2V3C4X5Y6U7I8O9P",
    "h": "7c0f3a9e51b8d2461fe0c97ab3582d64",
    "d": "4829130576",
    "l": "qwzxkvbnmjhgfdpertyc",
}


def filled(text: str) -> str:
    """Put characters in the place of `{x24}` and its like.

    The letter says which (`x` letters and digits, `X` capitals and digits, `h` hexadecimal digits, `d` digits, `l` small
    letters), the number how many; the same filler gives the same characters each time.
    """
    return _FILLER.sub(lambda filler: _some(filler[1], int(filler[2])), text)


def _some(which: str, count: int) -> str:
    characters = _CHARACTERS[which]
    return (characters * (count // len(characters) + 1))[:count]
