"""Times: what day "明天", "last Friday" or "3月1日" is, for one who says it at a known moment.

A period that is longer than a day (上个月, "last year", 去年五月) is given by its first day. A day and month without a year
is the one in the year it is said in. Chinese weeks begin on Monday: 上周五 is the Friday of the week before. English "last
Friday" is the latest Friday before today, "next Friday" the Friday of next week, "on Friday" the first from today on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MONTHS_A_YEAR = 12
DAYS_A_WEEK = 7
SATURDAY, SUNDAY = 5, 6
CENTURY = 2000

_HAN_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_WORD_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("", "a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
    for word in words.split()
} | {"a couple of": 2, "couple of": 2}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NEAR_DAYS = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0, "今早": 0,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0,
    "the day after tomorrow": 2, "tomorrow": 1,
}  # fmt: skip
_NEAR_YEARS = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "last year": -1, "this year": 0, "next year": 1}

COUNT = r"(?:[0-9]{1,3}|[零〇一二两三四五六七八九十半]{1,3})"
MONTH_NAMES = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
DAY_NAMES = r"(?:mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs)?(?:day)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
ENGLISH_COUNT = r"(?:[0-9]{1,3}|an?|(?:a )?couple of|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"

Reading = Callable[[re.Match[str], date], date | None]


class TimezoneError(ValueError):
    """A time zone's name is not known."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Cannot resolve dates in the time zone {name!r}: it is not in the tz database. "
            "Use a name such as 'Asia/Shanghai' or 'UTC'."
        )


@dataclass(frozen=True, kw_only=True)
class _Form:
    """One way to say a day, and how to read it."""

    pattern: str
    read: Reading


def resolve_dates(text: str, *, said_at: datetime | None, timezone: str = "UTC") -> list[tuple[str, date]]:
    """Give the phrases of the text that name a day, in order, with the day that each means.

    Args:
        text: What was said, in Chinese or English.
        said_at: When it was said; a time without offset is taken as local time. None: nothing is resolved.
        timezone: Where it was said, a name of the tz database; it decides what day it was.

    Raises:
        TimezoneError: The time zone is not known.
    """
    if said_at is None:
        return []
    today = _local_day(said_at, timezone)
    return [(match.group(), day) for match, form in _phrases(text) if (day := form.read(match, today))]


def beginning_of(day: date, timezone: str) -> datetime:
    """Give the moment at which a day begins in a time zone that `resolve_dates` knows."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(timezone))


def phrase_pattern() -> str:
    """Give one pattern, without groups, for all phrases that name a day."""
    return "(?:" + "|".join(re.sub(r"\(\?P<\w+>", "(?:", form.pattern) for form in _FORMS) + ")"


def _local_day(said_at: datetime, timezone: str) -> date:
    if said_at.tzinfo is None:
        return said_at.date()
    try:
        zone = ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: a folder of zones (`America`)
        raise TimezoneError(timezone) from error
    return said_at.astimezone(zone).date()


def _phrases(text: str) -> list[tuple[re.Match[str], _Form]]:
    """Find all forms; where two overlap, the one that begins first, then the longer, is meant."""
    matches = [(match, form) for form in _FORMS for match in re.finditer(form.pattern, text, re.IGNORECASE)]
    matches.sort(key=lambda each: (each[0].start(), -each[0].end()))
    kept: list[tuple[re.Match[str], _Form]] = []
    for match, form in matches:
        if not kept or match.start() >= kept[-1][0].end():
            kept.append((match, form))
    return kept


def number_of(word: str) -> int:
    """Give the number of a count (`COUNT`, `ENGLISH_COUNT`); 0 for what is none."""
    if re.fullmatch(r"[0-9]+", word):
        return int(word)
    if word.lower() in _WORD_NUMBERS:
        return _WORD_NUMBERS[word.lower()]
    tens, ten, ones = word.rpartition("十")
    return (_HAN_DIGITS.get(tens, 1) * 10 if ten else 0) + _HAN_DIGITS.get(ones, 0)


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _shifted(today: date, days: int) -> date | None:
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def _months_on(today: date, months: int, *, day: int | None = None) -> date | None:
    """Go months forth or back; a day that the month lacks becomes its last."""
    year, month = divmod(today.year * MONTHS_A_YEAR + today.month - 1 + months, MONTHS_A_YEAR)
    days = (day or today.day, 30, 29, 28)
    return next((found for each in days if (found := _day_of(year, month + 1, each))), None)


def _near_day(match: re.Match[str], today: date) -> date | None:
    return _shifted(today, NEAR_DAYS[match.group().lower()])


def _near_year(match: re.Match[str], today: date) -> date | None:
    year = today.year + _NEAR_YEARS[match["year"].lower()]
    parts = match.groupdict()
    month, day = parts.get("month"), parts.get("day")
    return _day_of(year, number_of(month) if month else 1, number_of(day) if day else 1)


def _full_date(match: re.Match[str], today: date) -> date | None:
    parts = match.groupdict()
    year = _year(parts.get("year"), today)
    month = parts.get("month") or ""
    number = month_of(month) if month[:1].isascii() and month[:1].isalpha() else number_of(month)
    return _day_of(year, number, number_of(parts.get("day") or "1"))


def _year(said: str | None, today: date) -> int:
    if not said:
        return today.year
    return int(said) if len(said) > 2 else CENTURY + int(said)  # noqa: PLR2004


def month_of(name: str) -> int:
    """Give the number of a month by its English name or the first three letters of it."""
    return _MONTHS.index(name[:3].lower()) + 1


def _weekday(match: re.Match[str]) -> int:
    return min("一二三四五六日天".index(match["weekday"]), SUNDAY)


def _weekday_in_week(match: re.Match[str], today: date) -> date | None:
    which = match["which"] or ""
    weeks = which.count("下") - which.count("上")
    return _shifted(today, weeks * DAYS_A_WEEK + _weekday(match) - today.weekday())


def _week(match: re.Match[str], today: date) -> date | None:
    weeks = match["which"].count("下") - match["which"].count("上")
    weekday = SATURDAY if match.group().endswith("末") else 0
    return _shifted(today, weeks * DAYS_A_WEEK + weekday - today.weekday())


def _month_around(match: re.Match[str], today: date) -> date | None:
    months = match["which"].count("下") - match["which"].count("上")
    day = match.groupdict().get("day")
    return _months_on(today, months, day=number_of(day) if day else 1)


def _ago_or_ahead(match: re.Match[str], today: date) -> date | None:
    unit, number = match["unit"].lower().rstrip("s"), number_of(match["count"])
    if match["count"] == "半":
        unit, number = "月", MONTHS_A_YEAR // 2 if unit == "年" else 0
    sign = -1 if match.groupdict().get("back") else 1
    if unit in ("天", "日", "day"):
        return _shifted(today, sign * number)
    if unit in ("周", "星期", "礼拜", "week"):
        return _shifted(today, sign * number * DAYS_A_WEEK)
    if not number:
        return None
    months = number * (MONTHS_A_YEAR if unit in ("年", "year") else 1)
    return _months_on(today, sign * months)


def _english_weekday(match: re.Match[str], today: date) -> date | None:
    wanted, which = WEEKDAYS.index(match["weekday"][:3].lower()), match["which"].lower()
    ahead = (wanted - today.weekday()) % DAYS_A_WEEK
    if which == "last":
        return _shifted(today, ahead - DAYS_A_WEEK)
    if which == "next":
        return _shifted(today, wanted - today.weekday() + DAYS_A_WEEK)
    return _shifted(today, ahead)


def _english_period(match: re.Match[str], today: date) -> date | None:
    step = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
    if match["unit"].lower() == "week":
        return _shifted(today, step * DAYS_A_WEEK - today.weekday())
    return _months_on(today, step, day=1)


_FORMS = (
    _Form(pattern="|".join(word for word in NEAR_DAYS if not word.isascii()), read=_near_day),
    _Form(pattern=rf"(?<![a-z])(?:{'|'.join(w for w in NEAR_DAYS if w.isascii())})(?![a-z])", read=_near_day),
    _Form(
        pattern=rf"(?P<year>前年|去年|今年|明年|后年)(?:的?(?P<month>{COUNT})月份?(?:(?P<day>{COUNT})[日号])?)?",
        read=_near_year,
    ),
    _Form(pattern=r"(?<![a-z])(?P<year>(?:last|this|next) year)(?![a-z])", read=_near_year),
    _Form(
        pattern=r"(?:(?P<year>(?:19|20)[0-9]{2})年)?(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
        r"(?P<day>3[01]|[12][0-9]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]",
        read=_full_date,
    ),
    _Form(pattern=r"(?P<year>(?:19|20)[0-9]{2})年(?P<month>1[0-2]|0?[1-9])月(?!份?[0-9])", read=_full_date),
    _Form(
        pattern=r"(?<![0-9.-])(?P<year>(?:19|20)[0-9]{2})[-/.](?P<month>1[0-2]|0?[1-9])[-/.]"
        r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?![0-9])",
        read=_full_date,
    ),
    _Form(
        pattern=rf"(?<![a-z])(?P<month>{MONTH_NAMES}) (?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9a-z])"
        r"(?:,? (?P<year>(?:19|20)[0-9]{2}))?",
        read=_full_date,
    ),
    _Form(
        pattern=rf"(?<![0-9])(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH_NAMES})"
        r"(?![a-z])(?:,? (?P<year>(?:19|20)[0-9]{2}))?",
        read=_full_date,
    ),
    _Form(
        pattern=r"(?<![每一二三四五六七八九十两几0-9])(?P<which>上{1,2}个?|下{1,2}个?|本|这个?)?(?:周|星期|礼拜)"
        r"(?P<weekday>[一二三四五六日天])(?![年个天周次])",
        read=_weekday_in_week,
    ),
    _Form(pattern=r"(?P<which>上{1,2}个?|下{1,2}个?)(?:周末?|星期|礼拜)(?![一二三四五六日天末])", read=_week),
    _Form(pattern=rf"(?P<which>上{{1,2}}个?|下{{1,2}}个?|本|这个?)月(?:(?P<day>{COUNT})[日号])?", read=_month_around),
    _Form(
        pattern=rf"(?P<count>{COUNT})个?(?P<unit>天|日|周|星期|礼拜|月|年)(?:之|以)?(?:(?P<back>前)|后)(?!年)",
        read=_ago_or_ahead,
    ),
    _Form(
        pattern=rf"(?<![a-z0-9])in (?P<count>{ENGLISH_COUNT}) (?P<unit>(?:day|week|month|year)s?)(?![a-z])",
        read=_ago_or_ahead,
    ),
    _Form(
        pattern=rf"(?<![a-z0-9])(?P<count>{ENGLISH_COUNT}) (?P<unit>(?:day|week|month|year)s?) (?:(?P<back>ago|earlier)|from now|later)(?![a-z])",
        read=_ago_or_ahead,
    ),
    _Form(pattern=rf"(?<![a-z])(?P<which>last|next|this|on) (?P<weekday>{DAY_NAMES})(?![a-z])", read=_english_weekday),
    _Form(pattern=r"(?<![a-z])(?P<which>last|this|next) (?P<unit>week|month)(?![a-z])", read=_english_period),
)
