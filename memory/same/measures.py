"""Measures: heights, weights and ages in one unit, whatever unit they were said in."""

from __future__ import annotations

import re

from memory.same.numbers import with_digits
from memory.same.wording import plain, simplified
from memory.values import folded

CM_PER_FOOT, CM_PER_INCH, KG_PER_POUND = 30.48, 2.54, 0.45359237
LEAST_CM, MOST_CM = 100, 250

_DIGITS = str.maketrans("一二两三四五六七八九", "1223456789")
_ABOUT = r"(?:(?:i am|im|is|身高|体重|高|重|有|约为|是) ?)?"
_CM = re.compile(rf"{_ABOUT}(\d{{2,3}}(?:\.\d)?) ?(?:cm|厘米|公分|centimet(?:er|re)s?)?(?: tall|高)?")
_M = re.compile(rf"{_ABOUT}([12])(?:[.·](\d{{1,2}}))? ?(?:m|米|met(?:er|re)s?)?(?: ?(\d{{1,2}}))?(?: tall|高)?")
_FEET = re.compile(
    rf"{_ABOUT}([3-8]) ?(?:'|’|′|ft\.?|foot|feet|英尺) ?(?:(\d{{1,2}}) ?(?:\"|”|″|''|in\.?|inch(?:es)?|英寸)?)?(?: tall|高)?"
)
_KG = re.compile(rf"{_ABOUT}(\d{{1,3}}(?:\.\d+)?) ?(kg|kgs|kilos?|kilograms?|公斤|千克|斤|lbs?|pounds?|磅)")
_AGE = re.compile(r"(?:(?:i am|im|is|aged?|今年|年龄) ?)?(\d{1,3}) ?(?:岁|year|yo|yrs?)?(?: old| of age)?")


def height(value: str) -> str:
    """Give a height in whole centimetres (1.8 m, 180 cm, 一米八, 5'11"); "" for what is none."""
    text = simplified(with_digits(folded(value))).translate(_DIGITS)
    if found := _FEET.fullmatch(text):
        return f"{round(int(found[1]) * CM_PER_FOOT + int(found[2] or 0) * CM_PER_INCH)}cm"
    if found := _CM.fullmatch(text):
        return f"{float(found[1]):g}cm" if LEAST_CM <= float(found[1]) <= MOST_CM else ""
    found = _M.fullmatch(text)
    part = (found[2] or found[3] or "") if found else ""
    return f"{int(found[1]) * 100 + int(part.ljust(2, '0'))}cm" if found and part else ""


def weight(value: str) -> str:
    """Give a weight in kilograms (70 kg, 140斤, 154 lb); "" for what is none, or without its unit."""
    found = _KG.fullmatch(simplified(with_digits(folded(value))))
    if not found:
        return ""
    number, unit = float(found[1]), found[2]
    if unit == "斤":
        return f"{number / 2:g}kg"
    return f"{round(number * KG_PER_POUND)}kg" if unit[0] in "lp磅" else f"{number:g}kg"


def age(value: str) -> str:
    """Give an age in years as digits; "" for what is none."""
    found = _AGE.fullmatch(plain(value))
    return str(int(found[1])) if found else ""
