"""The readings of asked times that hang on the day of asking: "yesterday", 上周五, "two weeks ago", 最近三个月."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import MINYEAR, date

from memory.ranking.asked_time_calendar import (
    FIRST,
    MONTHS_A_YEAR,
    Days,
    Grain,
    months,
    one_day,
    ordinal,
    spanned,
    year_of,
)
from memory.ranking.asked_time_readings import Tense, group, is_bare, parted
from memory.times import DAYS_A_WEEK, NEAR_DAYS, SATURDAY, WEEKDAYS, number_of

FEW = 3
LEAP_DAY = (2, 29)
RECENT_DAYS, OTHER_DAYS = 30, 7
_STEPS: Mapping[str, int] = {"last": -1, "past": -1, "this": 0, "next": 1}
_FEW_WORDS = frozenset(
    {"几", "好几", "数", "few", "a few", "several", "some", "couple of", "a couple of", "一两", "两三", "couple"}
)


def read_near_day(match: re.Match[str], today: date, _: Tense) -> Days:
    """Read "yesterday", 前天."""
    begin = today.toordinal() + NEAR_DAYS.get(match.group().lower(), 0)
    return spanned(begin, begin + 1, "day")


def read_day_a_year_ago(_: re.Match[str], today: date, __: Tense) -> Days:
    """Read "a year ago today", 去年今天; of 29 February the day before."""
    leap = (today.month, today.day) == LEAP_DAY
    begin = date(max(today.year - 1, MINYEAR), today.month, today.day - leap).toordinal()
    return spanned(begin, begin + 1, "day")


def read_moment(_: re.Match[str], today: date, __: Tense) -> Days:
    """Read "just now", 刚才."""
    return spanned(today.toordinal(), today.toordinal() + 1, "moment")


def read_lately(match: re.Match[str], today: date, _: Tense) -> Days:
    """Read "recently", 前几天."""
    days = OTHER_DAYS if match.lastgroup == "days" else RECENT_DAYS
    return spanned(today.toordinal() - days, today.toordinal() + 1, "range", vague=True)


def read_weekday_zh(match: re.Match[str], today: date, tense: Tense) -> Days:
    """Read 周五, 上周五."""
    number = min("一二三四五六日天".index(match["weekday"]), DAYS_A_WEEK - 1)
    which = match["which"]
    if which:
        return _day_of_week(today, which.count("下") - which.count("上"), number)
    return _weekday_near(today, number, tense)


def read_weekday_en(match: re.Match[str], today: date, tense: Tense) -> Days | None:
    """Read "on Friday", "last Friday", "Friday last week"."""
    number = WEEKDAYS.index(match["weekday"][:3].lower())
    if week := group(match, "week"):
        return _day_of_week(today, _STEPS[week], number)
    which = group(match, "which")
    if which is None:
        whole = match["weekday"].lower().endswith("day")  # "sat", "sun" and "wed" are words of their own
        return _weekday_near(today, number, tense) if whole or is_bare(match) else None
    if which in ("last", "past"):
        return _weekday_near(today, number, "past")
    return _day_of_week(today, _STEPS[which], number)


def _day_of_week(today: date, weeks: int, weekday: int) -> Days:
    begin = today.toordinal() - today.weekday() + weeks * DAYS_A_WEEK + weekday
    return spanned(begin, begin + 1, "day")


def _weekday_near(today: date, weekday: int, tense: Tense) -> Days:
    """Give the latest before today; of what will be, the next from today on."""
    back = (today.weekday() - weekday - 1) % DAYS_A_WEEK + 1
    begin = (
        today.toordinal() - back if tense == "past" else today.toordinal() + (weekday - today.weekday()) % DAYS_A_WEEK
    )
    return spanned(begin, begin + 1, "day")


def _weeks(today: date, weeks: int, *, weekend: bool) -> Days:
    begin = today.toordinal() - today.weekday() + weeks * DAYS_A_WEEK
    if weekend:
        return spanned(begin + SATURDAY, begin + DAYS_A_WEEK, "weekend")
    return spanned(begin, begin + DAYS_A_WEEK, "week")


def _weekend_near(today: date, tense: Tense) -> Days:
    """Give the weekend that it is; else the one before, or of what will be the one to come."""
    return _weeks(today, 0 if today.weekday() >= SATURDAY or tense == "future" else -1, weekend=True)


def read_week_zh(match: re.Match[str], today: date, tense: Tense) -> Days:
    """Read 上周, 上周末, 周末."""
    which, weekend = match["which"] or "", match.group().endswith("末")
    if weekend and not which:
        return _weekend_near(today, tense)
    return _weeks(today, which.count("下") - which.count("上"), weekend=weekend)


def read_month_zh(match: re.Match[str], today: date, _: Tense) -> Days | None:
    """Read 上个月, 上个月底."""
    which, day = match["which"], group(match, "day")
    index = today.year * MONTHS_A_YEAR + today.month - 1 + which.count("下") - which.count("上")
    year, month = index // MONTHS_A_YEAR, index % MONTHS_A_YEAR + 1
    if day:
        return one_day(year, month, number_of(day))
    return parted(months(year, month), match)


def read_period(match: re.Match[str], today: date, tense: Tense) -> Days | None:
    """Read "last week", "early last month", "the year before last", "the past week", "over the weekend"."""
    unit, which = match["unit"].lower().rstrip("s"), group(match, "which")
    step = -2 if group(match, "twice") else _STEPS.get(which or "this", 0)
    if which == "past":
        return _back_to(today, 1, unit)
    if unit == "weekend" and which is None and not group(match, "twice") and not is_bare(match):
        return None
    if unit == "weekend":
        last = which == "last" and today.weekday() < SATURDAY
        return (
            _weekend_near(today, tense) if (step == 0 and which is None) or last else _weeks(today, step, weekend=True)
        )
    if unit == "week":
        return _weeks(today, step, weekend=False)
    if unit == "month":
        return parted(months(today.year, today.month + step), match)
    return parted(year_of(today.year + step), match)


def unit_of(word: str) -> str:
    """Give a unit of time by its English name."""
    folded = word.lower().rstrip("s")
    return {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}.get(
        folded, folded
    )


def _count(word: str) -> tuple[int, bool]:
    """Give a count, and whether it is only about so much."""
    folded = word.lower()
    return (FEW, True) if folded in _FEW_WORDS else (number_of(folded), False)


def _is_month_name(match: re.Match[str]) -> bool:
    """Tell 六月之前 (before June) from 六个月之前 (six months ago)."""
    return match["unit"] == "月" and "个" not in match.group()


def read_ago(match: re.Match[str], today: date, _: Tense) -> Days | None:
    """Read "two weeks ago", 两周前, "in two weeks"."""
    unit = unit_of(match["unit"])
    if match["count"].lower() in ("半", "half a", "half an"):
        return _months_off(today, -MONTHS_A_YEAR // 2, "month") if unit == "year" else None
    if _is_month_name(match):
        return None
    number, vague = _count(match["count"])
    sign = 1 if match.groupdict().get("ahead") else -1
    found = _off(today, sign * number, unit) if number else None
    if found is None or not vague:
        return found
    reach = {"day": 3, "week": 14, "month": 61, "year": 730}[unit]
    return spanned(found.begin - reach, found.end + reach // 2, found.grain, vague=True)


def _off(today: date, number: int, unit: str) -> Days:
    """Give what lies so many units off: the day, the seven days around it, its month, its year."""
    if unit == "day":
        begin = today.toordinal() + number
        return spanned(begin, begin + 1, "day")
    if unit == "week":
        middle = today.toordinal() + number * DAYS_A_WEEK
        return spanned(middle - DAYS_A_WEEK // 2, middle + DAYS_A_WEEK // 2 + 1, "week")
    return _months_off(today, number, "month") if unit == "month" else year_of(today.year + number)


def _months_off(today: date, number: int, grain: Grain) -> Days:
    return replace(months(today.year, today.month + number), grain=grain)


def read_trailing(match: re.Match[str], today: date, _: Tense) -> Days | None:
    """Read "in the last two weeks", 最近三个月: from then until today."""
    if _is_month_name(match):
        return None
    number, vague = _count(group(match, "count") or "few")
    found = _back_to(today, number, unit_of(match["unit"])) if number else None
    return replace(found, vague=vague) if found else None


def _back_to(today: date, number: int, unit: str) -> Days:
    now = today.toordinal()
    if unit in ("day", "week"):
        begin = now - number * (DAYS_A_WEEK if unit == "week" else 1)
    else:
        begin = max(
            FIRST, ordinal(today.year, today.month - number * (MONTHS_A_YEAR if unit == "year" else 1), today.day)
        )
    return spanned(begin, now + 1, "range")
