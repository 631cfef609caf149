"""The bounds of asked times: two that make a range, one that opens to a side, and what lies so long before or after one."""

from __future__ import annotations

import re
from dataclasses import replace

from memory.ranking.asked_time_calendar import FIRST, LAST, Days, clamped, spanned
from memory.ranking.asked_time_readings import Found, Seen
from memory.ranking.asked_time_relative import unit_of
from memory.times import COUNT, DAY_NAMES, DAYS_A_WEEK, ENGLISH_COUNT, WEEKDAYS, number_of

YEAR_DAYS = 365.2425
AROUND_DAYS = 7
REACH_CHARS = 40
UNIT_DAYS = {"day": 1, "weekend": 7, "week": 7, "month": 31, "year": 366}
_AND = re.compile(
    r"\s*(?:之间)?(?:的?(?:到|至|和|与|跟|~|～|—|–|-))\s*|\s+(?:to|and|until|till|through|-|–)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:\bbetween|\bfrom|从|自|在|介于)(?:\s+the)?\s*$", re.IGNORECASE)
_STRONG = re.compile(r"到|至|~|～|—|–|-|\b(?:to|until|till|through)\b", re.IGNORECASE)
_SINCE = re.compile(r"(?:\b(?:ever )?since|\bstarting(?: from| in)?|自从?)(?:\s+the)?\s*$", re.IGNORECASE)
_FROM = re.compile(r"(?:\bfrom|从)(?:\s+the)?\s*$", re.IGNORECASE)
_AFTER = re.compile(r"\bafter(?:\s+the)?\s*$", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|prior to|earlier than)(?:\s+the)?\s*$", re.IGNORECASE)
_UNTIL = re.compile(r"(?:\b(?:until|till)|直?到|截至)(?:\s+the)?\s*$", re.IGNORECASE)
_AROUND = re.compile(r"\b(?:around|about|close to)(?:\s+the)?\s*$", re.IGNORECASE)
_ZH_SINCE, _ZH_AFTER = (
    re.compile(r"\s*(?:份|节)?(?:以来|开始|起|至今|到现在|到今天)|\s+onwards?\b"),
    re.compile(r"\s*(?:之后|以后|后(?!天))"),
)
_ZH_BEFORE, _ZH_AROUND = re.compile(r"\s*(?:之前|以前|前(?!天|后|年))"), re.compile(r"\s*(?:前后|左右)")

_BESIDE = re.compile(
    rf"\b(?:(?:the|last|that) )?(?:(?P<count>{ENGLISH_COUNT}) )?(?:(?P<unit>days?|weeks?|weekends?|months?|years?)|(?P<weekday>{DAY_NAMES}))"
    r" (?P<side>before|after|prior to|following|preceding)(?: the)? $",
    re.IGNORECASE,
)
_ZH_BESIDE = re.compile(
    rf"(?:那天|当天)?的?(?:之|以)?(?P<side>[前后])的?(?P<count>{COUNT})个?(?P<unit>天|周|星期|礼拜|月|年)"
)


def _before(sentence: str, match: re.Match[str]) -> str:
    """Give what stands just before a time."""
    return sentence[max(0, match.start() - REACH_CHARS) : match.start()]


def paired(sentence: str, one: Found, other: Found) -> Days | None:
    """Join two times to one range: "between March and May", 从三月到五月."""
    (first, begin), (second, end) = one, other
    link = _AND.fullmatch(sentence, first.end(), second.start())
    if link is None or not (_STRONG.search(link.group()) or _BETWEEN.search(_before(sentence, first))):
        return None
    begin, end = _in_order(begin, end)
    return replace(begin, end=max(end.end, begin.begin), grain="range", named=False, vague=False)


def _in_order(begin: Days, end: Days) -> tuple[Days, Days]:
    """Put both into the year of the one whose year was said; without one, the first into the year before the second."""
    if begin.with_year and not end.with_year:
        years = (begin.begin - end.begin) / YEAR_DAYS
        return begin, _years_on(end, -int(-years // 1))
    if begin.begin > end.begin or (end.with_year and not begin.with_year):
        years = (end.begin - begin.begin) / YEAR_DAYS
        return _years_on(begin, int(years // 1)), end
    return begin, end


def _years_on(days: Days, years: int) -> Days:
    by = round(years * YEAR_DAYS)
    return replace(days, begin=clamped(days.begin + by), end=clamped(days.end + by))


def bounded(sentence: str, match: re.Match[str], days: Days, seen: Seen) -> Days:
    """Open a time to one side where it is only a bound: "since June", 五月之前."""
    before, after = _before(sentence, match), match.end()
    today = seen.today.toordinal() + 1 if seen.today and seen.tense == "past" else LAST
    if _BEFORE.search(before) or _ZH_BEFORE.match(sentence, after):
        return _range(FIRST, days.begin)
    if _UNTIL.search(before):
        return _range(FIRST, days.end)
    if _AFTER.search(before) or _ZH_AFTER.match(sentence, after):
        return _range(days.end, max(today, days.end))
    if _SINCE.search(before) or _FROM.search(before) or _ZH_SINCE.match(sentence, after):
        return _range(days.begin, max(today, days.end))
    if _AROUND.search(before) or _ZH_AROUND.match(sentence, after):
        return replace(days, begin=clamped(days.begin - AROUND_DAYS), end=clamped(days.end + AROUND_DAYS), named=False)
    return days


def _range(begin: int, end: int) -> Days:
    return Days(begin=begin, end=max(begin, end), grain="range")


def offset(sentence: str, match: re.Match[str], days: Days) -> tuple[str, Days] | None:
    """Give what lies beside a time, with its words: "two weeks before 11 August", "the Sunday after Easter", 8月3日前一周."""
    found = _BESIDE.search(_before(sentence, match)) or _ZH_BESIDE.match(sentence, match.end())
    if found is None or days.grain not in ("day", "weekend"):
        return None
    back = found["side"].lower() in ("before", "prior to", "preceding", "前")
    if weekday := found.groupdict().get("weekday"):
        return found.group(), _weekday_beside(days, WEEKDAYS.index(weekday[:3].lower()), back=back)
    number = number_of(found["count"] or "one") or 1
    return found.group(), _units_beside(days, number, unit_of(found["unit"]), back=back)


def _weekday_beside(days: Days, weekday: int, *, back: bool) -> Days:
    """Give the last such day before a time, or the first after it."""
    if back:
        begin = days.begin - 1 - (days.begin - 2 - weekday) % DAYS_A_WEEK
    else:
        begin = days.end + (weekday - days.end + 1) % DAYS_A_WEEK
    return spanned(begin, begin + 1, "day")


def _units_beside(days: Days, number: int, unit: str, *, back: bool) -> Days:
    reach = UNIT_DAYS[unit]
    begin = days.begin - number * reach if back else days.end + (number - 1) * reach
    return spanned(begin, begin + reach, "day" if unit == "day" else "week")
