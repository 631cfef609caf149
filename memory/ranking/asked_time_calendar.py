"""The calendar of asked times: days, months, seasons and festivals as spans of days, by number, that never overflow."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date
from typing import Literal

Grain = Literal["moment", "day", "weekend", "week", "month", "season", "year", "range"]
Lean = Literal["past", "over", "future", "ahead"]
"""Which of what comes back each year: the latest that has begun, or is over; the next that is not over, or begins."""

FIRST, LAST = date.min.toordinal(), date.max.toordinal()
MONTHS_A_YEAR, MONTHS_A_SEASON = 12, 3
THURSDAY = 3
PARTS = 3

SEASONS: Mapping[str, int] = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12,
}  # fmt: skip
# Each year's day as month * 100 + day.
_LUNAR_NEW_YEAR = (219, 208, 128, 216, 205, 125, 212, 201, 122, 210, 129, 217, 206, 126, 213, 203, 123, 211, 131, 219, 208)  # fmt: skip
_DRAGON_BOAT = (620, 609, 530, 618, 607, 625, 614, 603, 622, 610, 531, 619, 609, 528, 616, 605, 624, 612, 601, 622, 610)  # fmt: skip
_MID_AUTUMN = (927, 915, 1004, 924, 913, 1001, 921, 910, 929, 917, 1006, 925, 915, 1003, 922, 912, 1001, 919, 908, 927, 916)  # fmt: skip
LUNAR_FROM = 2015
"""The year that the lists of lunar festivals begin with; outside of them the whole time is meant in which they can be."""


@dataclass(frozen=True, kw_only=True)
class Days:
    """A span of days; `begin` and `end` are days' ordinals, `end` is the first day after it.

    Attributes:
        begin: Its first day.
        end: The day after its last.
        grain: How finely it was said.
        named: By its name in the calendar (a month, a date), not from the day of asking.
        with_year: Its year was said.
        vague: "recently", "a few days ago".
    """

    begin: int
    end: int
    grain: Grain
    named: bool = False
    with_year: bool = False
    vague: bool = False


def spanned(begin: int, end: int, grain: Grain, *, vague: bool = False) -> Days:
    """Give a span within the calendar, whatever the ends."""
    first = clamped(begin)
    return Days(begin=first, end=max(first, clamped(end)), grain=grain, vague=vague)


def clamped(ordinal: int) -> int:
    """Keep a day within the calendar."""
    return min(max(ordinal, FIRST), LAST)


def ordinal(year: int, month: int, day: int = 1) -> int:
    """Give a day's number; a month below 1 or above 12 is one of another year, a day that the month lacks its last."""
    year, index = divmod(year * MONTHS_A_YEAR + month - 1, MONTHS_A_YEAR)
    if year < MINYEAR:
        return FIRST
    if year > MAXYEAR:
        return LAST
    return date(year, index + 1, min(day, monthrange(year, index + 1)[1])).toordinal()


def one_day(year: int, month: int, day: int) -> Days | None:
    """Give a day of the calendar; None for one that is not (31 April)."""
    if not (MINYEAR <= year <= MAXYEAR and 1 <= month <= MONTHS_A_YEAR and 1 <= day <= monthrange(year, month)[1]):
        return None
    begin = date(year, month, day).toordinal()
    return spanned(begin, begin + 1, "day")


def months(year: int, month: int, count: int = 1, grain: Grain = "month") -> Days:
    """Give so many months from one on."""
    return spanned(ordinal(year, month), ordinal(year, month + count), grain)


def season(year: int, name: str) -> Days:
    """Give a season of the northern year; a winter is the one that begins in it."""
    return months(year, SEASONS[name], MONTHS_A_SEASON, "season")


def year_of(year: int) -> Days:
    """Give a whole year."""
    return months(year, 1, MONTHS_A_YEAR, "year")


def part_of(days: Days, part: int) -> Days:
    """Give the first (0), middle (1) or last (2) third of a span."""
    third = -(-(days.end - days.begin) // PARTS)
    begin = (days.begin, days.begin + third, days.end - third)[part]
    return replace(days, begin=begin, end=max(begin, min(begin + third, days.end)))


def half_of(days: Days, half: int) -> Days:
    """Give the first (0) or second (1) half of a span."""
    middle = (days.begin + days.end) // 2
    return replace(days, end=middle) if half == 0 else replace(days, begin=middle)


def nearest(make: Callable[[int], Days | None], today: date, lean: Lean) -> Days | None:
    """Give the one that is meant of what comes back each year.

    Args:
        make: Gives it for a year.
        today: When it is asked.
        lean: Which one is meant.
    """
    now = today.toordinal()
    fits: Mapping[Lean, Callable[[Days], bool]] = {
        "past": lambda one: one.begin <= now,
        "over": lambda one: one.end <= now,
        "future": lambda one: one.end > now,
        "ahead": lambda one: one.begin > now,
    }
    steps = (1, 0, -1, -2, -3, -4) if lean in ("past", "over") else (-1, 0, 1, 2, 3, 4)
    made = (make(today.year + step) for step in steps)
    return next((one for one in made if one is not None and fits[lean](one)), None)


def festival(name: str, year: int) -> Days | None:
    """Give a festival by its name in either language, with the days on which it is kept."""
    folded = name.casefold()
    return next((make(year) for words, make in _FESTIVALS if any(word in folded for word in words)), None)


def _fixed(month: int, day: int, days: int = 1) -> Callable[[int], Days]:
    return lambda year: spanned(ordinal(year, month, day), ordinal(year, month, day) + days, "day")


def _lunar(listed: Sequence[int], around: tuple[int, int], before: int, days: int) -> Callable[[int], Days]:
    def made(year: int) -> Days:
        place = year - LUNAR_FROM
        if 0 <= place < len(listed):
            first = ordinal(year, *divmod(listed[place], 100))
            return spanned(first - before, first - before + days, "day")
        return months(year, around[0], around[1])

    return made


def _thanksgiving(year: int) -> Days:
    first = ordinal(year, 11)
    weekday = (first - 1) % 7
    begin = first + (THURSDAY - weekday) % 7 + 21
    return spanned(begin, begin + 1, "day")


def _easter(year: int) -> Days:
    """Give Easter Friday to Monday.

    Source: the anonymous Gregorian computus (Meeus, Jones, Butcher).
    """
    golden, century, rest = year % 19, year // 100, year % 100
    corrected = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - corrected + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * sunday) // 451
    month, day = divmod(epact + sunday - 7 * shift + 114, 31)
    begin = ordinal(year, month, day + 1)
    return spanned(begin - 2, begin + 2, "day")


_FESTIVALS: tuple[tuple[tuple[str, ...], Callable[[int], Days]], ...] = (
    (("除夕", "年三十"), _lunar(_LUNAR_NEW_YEAR, (1, 2), 1, 1)),
    (("春节", "过年", "新春", "大年", "spring festival", "chinese new year", "lunar new year"), _lunar(_LUNAR_NEW_YEAR, (1, 2), 1, 8)),
    (("元宵",), _lunar(_LUNAR_NEW_YEAR, (2, 2), -14, 1)),
    (("端午", "dragon boat"), _lunar(_DRAGON_BOAT, (5, 2), 0, 3)),
    (("中秋", "mid-autumn"), _lunar(_MID_AUTUMN, (9, 2), 0, 3)),
    (("清明",), _fixed(4, 3, 4)),
    (("元旦", "新年", "跨年", "new year"), lambda year: _fixed(12, 31, 2)(year - 1)),
    (("五一", "劳动节", "labour day", "labor day"), _fixed(5, 1, 5)),
    (("国庆", "十一假", "十一长假", "national day"), _fixed(10, 1, 7)),
    (("圣诞", "平安夜", "christmas", "xmas"), _fixed(12, 24, 3)),
    (("情人节", "valentine"), _fixed(2, 14)),
    (("万圣", "halloween"), _fixed(10, 31)),
    (("感恩节", "thanksgiving"), _thanksgiving),
    (("复活节", "easter"), _easter),
    (("暑假",), lambda year: months(year, 7, 2, "season")),
    (("寒假",), lambda year: spanned(ordinal(year, 1, 10), ordinal(year, 3), "season")),
)  # fmt: skip
