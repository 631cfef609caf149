"""when: the time that a question names against when a turn was said, what it tells of, and which occasion it was."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np

from memory.ranking.asked_time import Span
from memory.ranking.corpus import ODD, Corpus, Floats, Said, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals
from memory.ranking.signals.occasion import content, occasions
from memory.ranking.signals.told import told_within

DAY_S = 86_400.0
TOLD_WITHIN_DAYS = 3
ON_THE_DAY, DAYS_AFTER, IN_THE_WEEK, IN_THE_MONTH, NEAR = 1.5, 1.3, 1.25, 1.0, 0.5
ONLY_TIME = 4.0
"""How much more a time counts where nothing else is asked for: more than meaning can, which has little to go by then."""
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
_OF_TIME = re.compile(r"\b(?:in|of|since|during|before|after|until|last|this|early|mid|late)\s+$", re.IGNORECASE)
TIME_WORDS = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week(?:end)?s?|months?|years?|monday|tuesday|wednesday|thursday|friday"
    rf"|saturday|sunday|{_MONTH}|morning|recently|since|soon|(?:19|20)\d\d)\b"
    r"|[昨今明前后]天|[上下这本]个?(?:周|月|星期|礼拜)|[去今明前]年|星期[一二三四五六日天]|周[一二三四五六日末]|(?<!\d)\d{1,4}[月日号年]|[前后]$|年前|天前",
    re.IGNORECASE,
)


def when(corpus: Corpus, question: Question, fit: Floats) -> Signals:
    """Compare the times that are named; count times in a turn only where a time is asked for.

    Args:
        corpus: What is ranked.
        question: What is asked, with its times.
        fit: How well each row fits by words and meaning; it tells which sittings bear on the question.
    """
    said, happened = _said_then(corpus, question), told_within(corpus, question.times)
    occasion = occasions(corpus, question, fit)
    if question.only_time:
        last = occasion["last_time"] if question.occasion == "last" else occasion["first_time"]
        said = ONLY_TIME * content(corpus) * np.max([said, happened, np.floor(last)], axis=0)
    return {
        "said_then": said,
        "happened_then": happened,
        **occasion,
        "tells_a_time": corpus.once(_tells_a_time) * question.asks_when,
    }


def _tells_a_time(corpus: Corpus) -> Floats:
    return standard(np.array(corpus.each(_has_time_words)), most=ODD)


def _has_time_words(one: Said) -> float:
    return float(bool(TIME_WORDS.search(one.text)))


def _said_then(corpus: Corpus, question: Question) -> Floats:
    """Measure by the spans of time that are named; where it is not known when it is asked, by a month as it stands."""
    values = np.zeros(len(corpus))
    for span in question.times:
        values = np.maximum(values, _within(corpus.once(_said_at), span))
    if not question.times and (named := _named(question.text)) is not None:
        values = np.array([_fits(one.said_at, *named) for one in corpus.said])
    return values


def _within(said_at: Floats, span: Span) -> Floats:
    """Give 1 and more to what was said in a span, the more the finer it is; half to what was said just after it."""
    if span.meant == "happened":
        return np.zeros(len(said_at))
    begin, end = span.begin.timestamp(), span.end.timestamp()
    inside = {"moment": ON_THE_DAY, "day": ON_THE_DAY, "weekend": ON_THE_DAY, "week": IN_THE_WEEK}.get(
        span.grain, IN_THE_MONTH
    )
    after = NEAR if span.meant == "either" and span.grain != "range" else 0.0
    if after and span.named and span.grain == "day":
        after = DAYS_AFTER
    late = (said_at >= end) & (said_at < end + TOLD_WITHIN_DAYS * DAY_S)
    within = (said_at >= begin) & (said_at < end)
    values: Floats = within * (NEAR if span.vague else inside) + late * after
    return values


def _said_at(corpus: Corpus) -> Floats:
    return np.array([np.nan if one.said_at is None else one.said_at for one in corpus.said], dtype=np.float64)


def _named(text: str) -> tuple[int | None, int, int | None] | None:
    if found := _ZH.search(text):
        return _number(found["year"]), int(found["month"]), _number(found["day"])
    for found in _EN.finditer(text):
        month = found["month1"] or found["month2"]
        year, day = found["year1"] or found["year2"], found["day1"] or found["day2"]
        if month.lower() == "may" and not (year or day or _OF_TIME.search(text, 0, found.start())):
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
