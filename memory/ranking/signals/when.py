"""when: the time that a question names against when a turn was said, and times in a turn where a time is asked for."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np

from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals

DAY_S = 86_400.0
TOLD_WITHIN_DAYS = 3
ON_THE_DAY, IN_THE_MONTH, NEAR = 1.5, 1.0, 0.5
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "|".join(MONTHS)
_EN = re.compile(
    rf"\b(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month1>{_MONTH})\b(?:,?\s+(?P<year1>\d{{4}}))?"
    rf"|\b(?P<month2>{_MONTH})\b(?:\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s+(?:of\s+)?(?P<year2>\d{{4}}))?",
    re.IGNORECASE,
)
_ZH = re.compile(r"(?:(?P<year>\d{4})年)?(?P<month>1[0-2]|0?[1-9])月(?:(?P<day>\d{1,2})[日号])?")
TIME_WORDS = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week(?:end)?s?|months?|years?|monday|tuesday|wednesday|thursday|friday"
    rf"|saturday|sunday|{_MONTH}|morning|recently|since|soon|(?:19|20)\d\d)\b"
    r"|[昨今明前后]天|[上下这本]个?(?:周|月|星期|礼拜)|[去今明前]年|星期[一二三四五六日天]|周[一二三四五六日末]|\d+[月日号年]|[前后]$|年前|天前",
    re.IGNORECASE,
)


def when(corpus: Corpus, question: Question) -> Signals:
    """Compare the month (and day, and year) that is named; count times in a turn only where a time is asked for."""
    return {
        "said_then": _said_then(corpus, question.text),
        "tells_a_time": corpus.once(_tells_a_time) * question.asks_when,
    }


def _tells_a_time(corpus: Corpus) -> Floats:
    return standard(np.array([float(bool(TIME_WORDS.search(one.text))) for one in corpus.said]))


def _said_then(corpus: Corpus, text: str) -> Floats:
    named = _named(text)
    if named is None:
        return np.zeros(len(corpus))
    year, month, day = named
    return np.array([_fits(one.said_at, year, month, day) for one in corpus.said])


def _named(text: str) -> tuple[int | None, int, int | None] | None:
    if found := _ZH.search(text):
        return _number(found["year"]), int(found["month"]), _number(found["day"])
    for found in _EN.finditer(text):
        month = found["month1"] or found["month2"]
        year, day = found["year1"] or found["year2"], found["day1"] or found["day2"]
        if month == "may" and not (year or day):
            continue  # "may I", "it may be"
        return _number(year), MONTHS.index(month.lower()) + 1, _number(day)
    return None


def _fits(said_at: float | None, year: int | None, month: int, day: int | None) -> float:
    if said_at is None:
        return 0.0
    at = datetime.fromtimestamp(said_at, UTC)
    if year is not None and at.year != year:
        return 0.0
    if day is None:
        return IN_THE_MONTH if at.month == month else 0.0
    try:
        late = (at.date() - at.date().replace(month=month, day=day)).days
    except ValueError:  # 31 April
        return NEAR if at.month == month else 0.0
    if 0 <= late <= TOLD_WITHIN_DAYS:
        return ON_THE_DAY
    return NEAR if at.month == month else 0.0


def _number(text: str | None) -> int | None:
    return int(text) if text else None
