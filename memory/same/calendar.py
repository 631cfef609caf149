"""Days and times of day, in one form however they are said: 3月5日, "5th of March", 下午三点, "3 pm on Wednesday"."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.same.numbers import han_number, with_digits
from memory.same.wording import simplified
from memory.times import DAY_NAMES, MONTH_NAMES, WEEKDAYS
from memory.values import folded

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_EN = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:(?P<year>[12][0-9]{3})年)?(?P<month>[01]?[0-9])月(?:份)?(?P<day>[0-3]?[0-9])[日号]?",
        r"\b(?P<year>[12][0-9]{3})[-/.](?P<month>[01]?[0-9])[-/.](?P<day>[0-3]?[0-9])\b",
        r"\b(?P<month>[01][0-9])-(?P<day>[0-3][0-9])\b",
        r"\b(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2[0-9]|3[01])\b",
        r"\b(?P<day>1[3-9]|2[0-9]|3[01])/(?P<month>0?[1-9]|1[0-2])\b",
        rf"\b(?P<name>{MONTH_NAMES}) (?:the )?{_DAY_EN}\b(?:,? (?P<year>[12][0-9]{{3}})\b)?",
        rf"\b{_DAY_EN}(?: of)? (?P<name>{MONTH_NAMES})(?:,? (?P<year>[12][0-9]{{3}})\b)?",
    )
)
_WEEKDAY = re.compile(
    rf"(?P<every>每)?个?(?:周|星期|礼拜)(?P<han>[一二三四五六日天])|(?P<every_en>every )?\b(?P<name>{DAY_NAMES})(?P<plural>s)?\b"
)
_CLOCKS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(?P<hour>[0-2]?[0-9])(?:点钟?|时)(?:(?P<half>半)|(?P<quarter>[一三1-3])刻|(?P<minute>[0-5]?[0-9])分?)?",
        r"\b(?P<hour>[0-2]?[0-9])(?:[:.](?P<minute>[0-5][0-9]))? ?(?P<half_day>[ap])\.?m\b\.?",
        r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?: ?in the (?P<part_en>morning|afternoon|evening))?",
        r"\b(?P<hour>[0-2]?[0-9])(?: o['’]?clock)?(?: in the (?P<part_en>morning|afternoon|evening)|(?<=k)\b)",
    )
)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
    "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second",
    "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth",
    "thirty-first",
)  # fmt: skip
_ORDINAL = re.compile(
    rf"\b(?:{'|'.join(word.replace('-', '[- ]') for word in sorted(_ORDINALS, key=len, reverse=True))})\b"
)
_NAMED_HOURS = (
    (re.compile(r"\b(?:12 )?noon\b|正午|^中午$"), "12pm"),
    (re.compile(r"\bmidnight\b|午夜|^半夜$"), "12am"),
)
_AFTERNOON = frozenset(["中午", "下午", "傍晚", "晚上", "夜里", "afternoon", "evening", "p"])
_AT_NOON = frozenset(["中午", "下午", "afternoon", "p"])
"""With these twelve is noon, with others midnight."""
_QUARTERS = {"一": 15, "1": 15, "2": 30, "三": 45, "3": 45}
_NIGHT = frozenset(["晚上", "夜里"])
_NOON, _DAWN = 12, 5
_AROUND = re.compile(r"\b(?:on|at|the|of|born|is)\b|[,.]|的|生日?|出生|是|在")

_Reading = tuple[str, str]
"""What was read, and the text without it."""


def day_and_time(value: str) -> str:
    """Give the day, the day of the week and the time of day that a value says; "" if it says anything else too."""
    text = with_digits(_spelt_years(_in_figures(simplified(folded(value)))))
    parts: list[str] = []
    readings: tuple[Callable[[str], _Reading], ...] = (_date, _weekday, _clock)
    for reading in readings:
        part, text = reading(text)
        parts += [part] if part else []
    return " ".join(parts) if parts and not _AROUND.sub("", text).strip() else ""


def _in_figures(text: str) -> str:
    """Write ordinal words (twenty-first) as figures, and noon as a time."""
    for said, hour in _NAMED_HOURS:
        text = said.sub(hour, text)
    return _ORDINAL.sub(lambda word: f"{_ORDINALS.index(word[0].replace(' ', '-')) + 1}th", text)


def _spelt_years(text: str) -> str:
    return re.sub(r"[一二][〇零一二三四五六七八九]{3}(?=年)", lambda year: str(han_number(year[0])), text)


def _date(text: str) -> _Reading:
    found = next((match for each in _DATES if (match := each.search(text))), None)
    if not found:
        return "", text
    said = found.groupdict()
    month = _MONTHS.index(said["name"][:3]) + 1 if said.get("name") else int(said["month"])
    year = f"{said['year']}-" if said.get("year") else ""
    return f"{year}{month:02}-{int(said['day']):02}", _without(text, found)


def _weekday(text: str) -> _Reading:
    found = _WEEKDAY.search(text)
    if not found:
        return "", text
    day = WEEKDAYS["一二三四五六日".index(found["han"].replace("天", "日"))] if found["han"] else found["name"][:3]
    every = "every " if found["every"] or found["every_en"] or found["plural"] else ""
    return every + day, _without(text, found)


def _clock(text: str) -> _Reading:
    found = next((match for each in _CLOCKS if (match := each.search(text))), None)
    if not found:
        return "", text
    said = found.groupdict()
    minute = 30 if said.get("half") else _QUARTERS.get(said.get("quarter") or "", int(said.get("minute") or 0))
    return _told(int(said["hour"]), minute, said), _without(text, found)


def _told(hour: int, minute: int, said: dict[str, str | None]) -> str:
    """Write a time; without a part of the day 3:00 may be either, and stays so."""
    part = said.get("part") or said.get("part_en") or said.get("half_day")
    if part is None and 0 < hour <= _NOON:
        return f"{hour}:{minute:02}"
    small_hours = part in _NIGHT and hour < _DAWN
    late = hour > _NOON or (part in _AFTERNOON and not small_hours if hour < _NOON else part in _AT_NOON)
    return f"{hour % _NOON or _NOON}:{minute:02}{'pm' if late else 'am'}"


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"
