"""Numbers: number words become digits and units are written short, in both languages."""

from __future__ import annotations

import re

_HAN = {
    char: number
    for number, chars in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_COUNTED = (
    r"(?:周?岁|年|个|名|位|只|条|头|匹|次|天|周|星期|小时|钟头|分钟|公斤|千克|斤|公里|千米|米|厘米|公分|块|元|杯|本|月|号|日|点|口|门|遍|瓶|"
    r"支|台|辆|套|间|层|楼|型)"
)
_NUMERAL = r"[一二两三四五六七八九十][零〇一二三四五六七八九十百千]*"
_HAN_NUMBER = re.compile(rf"(?<![第零〇一二两三四五六七八九十百千万亿几]){_NUMERAL}(?={_COUNTED})|^{_NUMERAL}$")
_HALF_HOUR = re.compile(r"(?<!个)半个?小时|\bhalf an hour\b|\bhalf hour\b")
_DAY = re.compile(r"(?<=月)([0-9]{1,2})[号日]")

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    word: 10 * place
    for place, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_WORDS = {**{word: number for number, word in enumerate(_SMALL)}, **_TENS}
_ENGLISH_NUMBER = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[ -]({'|'.join(_SMALL[1:10])}))?|({'|'.join(_SMALL)}))( hundred)?\b", re.IGNORECASE
)
_UNITS = tuple(
    (re.compile(rf"(?<![\d.])(\d{{1,3}}(?:\.\d+)?)\s*(?:{said})"), rf"\1{short}")
    for said, short in (
        (r"years? old\b|year olds?\b|周岁", "岁"),
        (r"公里|千米|kilomet(?:er|re)s?\b|kms?\b", "km"),
        (r"厘米|公分|centimet(?:er|re)s?\b|cms?\b", "cm"),
        (r"公斤|千克|kilos?\b|kilograms?\b|kgs?\b", "kg"),
        (r"个?(?:小时|钟头)|hours?\b|hrs?\b", "hour"),
        (r"分钟|minutes?\b|mins?\b", "min"),
        (r"英里|miles?\b", "mile"),
        (r"米|met(?:er|re)s?\b", "m"),
        (r"[次遍]|times\b", "times"),
        (r"个月|months?\b", "month"),
        (r"个?星期|周(?!岁)|weeks?\b", "week"),
        (r"天|days?\b", "day"),
        (r"年(?!级)|years?\b(?! old)", "year"),
        (r"元|块钱?|yuan\b|rmb\b", "yuan"),
    )
)


def with_digits(text: str) -> str:
    """Write number words as digits: English ones anywhere, Chinese ones before what they count or where they are all."""
    text = _HALF_HOUR.sub("30分钟", text)
    text = _HAN_NUMBER.sub(lambda found: str(han_number(found[0])), text)
    text = _ENGLISH_NUMBER.sub(lambda found: str(_english_number(found)), text)
    return _DAY.sub(r"\1日", text)


def with_units(text: str) -> str:
    """Write the units of amounts short, in one way for both languages."""
    if not any(map(str.isdecimal, text)):
        return text
    for said, short in _UNITS:
        text = said.sub(short, text)
    return text


def han_number(text: str) -> int:
    """Read a Chinese number below ten thousand: 二十八, 一百零五, 一百八 (180), 一九九零."""
    if not any(char in _PLACES for char in text):
        return int("".join(str(_HAN[char]) for char in text))
    total, digit, place = 0, 0, 1
    for char in text:
        if char in _PLACES:
            place = _PLACES[char]
            total, digit = total + (digit or 1) * place, 0
        else:
            digit = _HAN[char]
            place = 1 if char in "零〇" else place
    last = place // 10 if place > max(_PLACES.values()) // 100 and text[-2:-1] in _PLACES else 1
    return total + digit * last


def _english_number(found: re.Match[str]) -> int:
    tens, ones, small, hundred = (part.lower() if part else "" for part in found.groups())
    number = _WORDS[tens] + _WORDS.get(ones, 0) if tens else _WORDS[small]
    return number * 100 if hundred else number
