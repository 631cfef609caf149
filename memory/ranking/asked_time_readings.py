"""The readings of asked times: which days a phrase means; here of months, dates, seasons, festivals and years."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from memory.ranking.asked_time_calendar import (
    MONTHS_A_YEAR,
    SEASONS,
    Days,
    Lean,
    festival,
    half_of,
    months,
    nearest,
    one_day,
    part_of,
    season,
    year_of,
)
from memory.times import (
    month_of,
    number_of,
)

Tense = Literal["past", "future"]

CENTURY = 2000
SHORT_YEAR = 2
_NEAR_YEARS: Mapping[str, int] = {
    "前年": -2,
    "去年": -1,
    "今年": 0,
    "明年": 1,
    "后年": 2,
    "last": -1,
    "this": 0,
    "next": 1,
}
_HAN_DIGITS = "〇一二三四五六七八九"

_BARE_EN = re.compile(
    r"\b(?:in|since|before|after|until|till|by|during|from|between|around|throughout|of|on|over|at)(?: the)? $",
    re.IGNORECASE,
)
_PAIRED_EN = re.compile(r"\b(?:between|from)\b[^,.?!]{1,24}\b(?:and|to|through|until|till) $", re.IGNORECASE)
_BARE_ZH = re.compile(r"的时候|那时|时候|期间|里(?!程|面)|时|那会|那阵|以来|之前|以前|之后|以后|开始|起")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """From where a time is named: the day it is (None: not known), and whether what is told of has been or will be."""

    today: date | None
    tense: Tense


Found = tuple[re.Match[str], Days]
Reading = Callable[[re.Match[str], Seen], Days | None]
FromToday = Callable[[re.Match[str], date, Tense], Days | None]


def from_today(read: FromToday) -> Reading:
    """Give a reading that has none where today is not known."""
    return lambda match, seen: None if seen.today is None else read(match, seen.today, seen.tense)


def _lean(tense: Tense, which: str | None) -> Lean:
    if which in ("last", "past"):
        return "over"
    return "ahead" if which == "next" else tense


def is_bare(match: re.Match[str]) -> bool:
    """Tell whether what stands around a word makes it a time: "in May" is one, "may" is none."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    return bool(_BARE_EN.search(before) or _PAIRED_EN.search(before) or _BARE_ZH.match(match.string, match.end()))


def group(match: re.Match[str], name: str) -> str | None:
    """Give a part of a phrase in small letters; None where the form has no such part, or the phrase lacks it."""
    found: str | None = match.groupdict().get(name)
    return found.lower() if found else None


def _said_year(match: re.Match[str], today: date | None) -> int | None:
    """Give the year that is said, by its number or as last, this or next."""
    if year := group(match, "year"):
        digits = "".join(str(_HAN_DIGITS.index(one)) if one in _HAN_DIGITS else one for one in year.replace("零", "〇"))
        return int(digits) if len(digits) > SHORT_YEAR else CENTURY + int(digits)
    near = group(match, "near")
    return today.year + _NEAR_YEARS[near] if near and today else None


def _third(word: str | None) -> int | None:
    """Say which third of a period is meant: 初, "early", "the end of"."""
    if not word:
        return None
    if re.search(r"初|上旬|early|beginning|start", word):
        return 0
    return 2 if re.search(r"底|末|下旬|late|end", word) else 1


def parted(days: Days | None, match: re.Match[str]) -> Days | None:
    """Give the third of a period that a phrase says; all of it where it says none."""
    third = _third(group(match, "part"))
    return days if days is None or third is None else part_of(days, third)


def _yearly(match: re.Match[str], seen: Seen, make: Callable[[int], Days | None]) -> Days | None:
    """Read what comes back each year: in the year that is said, else the one that is meant of those around today."""
    year, which = _said_year(match, seen.today), group(match, "which")
    if year is not None:
        found = make(year)
    else:
        found = nearest(make, seen.today, _lean(seen.tense, which)) if seen.today else None
    named = not which and not group(match, "near")
    return None if found is None else replace(found, named=named, with_year=year is not None)


def read_month(match: re.Match[str], seen: Seen) -> Days | None:
    """Read a month, or a day of one, with or without its year."""
    name, day = match["month"].lower(), group(match, "day")
    english = name[0].isascii() and name[0].isalpha()
    parts = [group(match, part) for part in ("part", "which", "year", "near")]
    if english and not day and not any(parts) and not is_bare(match):
        return None  # "may I", "march on", a person called June
    month = month_of(name) if english else number_of(name)
    make = (lambda year: one_day(year, month, number_of(day))) if day else (lambda year: months(year, month))
    return parted(_yearly(match, seen, make), match)


def read_season(match: re.Match[str], seen: Seen) -> Days | None:
    """Read a season."""
    name = match["season"].lower()
    key = name if name in SEASONS else name[0]
    if not any(group(match, part) for part in ("part", "which", "year", "near")) and not is_bare(match):
        return None
    return parted(_yearly(match, seen, lambda year: season(year, key)), match)


def read_festival(match: re.Match[str], seen: Seen) -> Days | None:
    """Read a festival."""
    return _yearly(match, seen, lambda year: festival(match["festival"], year))


def read_year(match: re.Match[str], seen: Seen) -> Days | None:
    """Read a year, a half or a third of it."""
    year, half = _said_year(match, seen.today), group(match, "half")
    english = "half" not in match.groupdict()
    if (
        year is None
        or len(group(match, "year") or "last") == SHORT_YEAR
        or (english and not group(match, "part") and not is_bare(match))
    ):
        return None  # "10年经验", "the 2024 budget"
    found = replace(year_of(year), named=not group(match, "near"), with_year=True)
    return half_of(found, int(half != "上")) if half else parted(found, match)


def read_iso(match: re.Match[str], seen: Seen) -> Days | None:
    """Read 2024-05-01 and 2024-05."""
    day = group(match, "day")
    year, month = int(match["year"]), int(match["month"])
    found = one_day(year, month, int(day)) if day else months(year, month)
    return replace(found, named=True, with_year=True) if found else None


def read_slashed(match: re.Match[str], today: date, tense: Tense) -> Days | None:
    """Read 05/01 as month and day; as day and month where only that can be."""
    month, day = int(match["first"]), int(match["second"])
    month, day = (month, day) if month <= MONTHS_A_YEAR else (day, month)
    found = nearest(lambda year: one_day(year, month, day), today, tense)
    return replace(found, named=True) if found else None
