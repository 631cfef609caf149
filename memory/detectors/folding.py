"""Folding: the same digits and letters however they are written; every position stays what it was."""

from __future__ import annotations

import re
import unicodedata

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
SEPARATORS = {0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x00A0: " ", 0x2009: " ", 0x202F: " "}

_CHINESE_DIGITS = str.maketrans("零〇○一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖", "00012345678912123456789")
_SPOKEN = "0-9零〇○一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖"
_SPOKEN_NUMBER = re.compile(rf"(?<![{_SPOKEN}])[{_SPOKEN}](?:[ \t,，、.·-]{{0,2}}[{_SPOKEN}]){{10,}}+")


def fold(text: str) -> str:
    """Give full-width letters, digits and dashes as ASCII ones; every position stays what it was."""
    return text.translate(FULL_WIDTH).translate(SEPARATORS)


def digits_folded(text: str) -> str:
    """Give also every script's digits, and Chinese numerals said digit by digit, as ASCII ones; positions stay."""
    plain = fold(text)
    plain = plain if plain.isascii() else "".join(map(_as_ascii_digit, plain))
    return _SPOKEN_NUMBER.sub(lambda run: run[0].translate(_CHINESE_DIGITS), plain)


def _as_ascii_digit(char: str) -> str:
    value = -1 if char.isascii() else unicodedata.digit(char, -1)
    return char if value < 0 else str(value)
