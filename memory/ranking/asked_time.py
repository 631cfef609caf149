"""asked time: which times a question names, and which a message does, as spans that can be compared.

What a word means hangs on what is asked: "in March" is the latest March that has begun, "last May" the latest that is over,
「周五」 the latest Friday before today; where plans are asked for, the next. Seasons are those of the northern half.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from memory.ranking.asked_time_bounds import bounded, offset, paired
from memory.ranking.asked_time_calendar import Days, Grain
from memory.ranking.asked_time_forms import hinted, phrases
from memory.ranking.asked_time_frame import Meant, asking, is_habit, meant_of, tense_of
from memory.ranking.asked_time_readings import Found, Seen

JUST_NOW = timedelta(hours=2)
MOST_TIMES = 8


@dataclass(frozen=True, kw_only=True)
class Span:
    """A time that is asked for.

    Attributes:
        begin: Its first moment, aware.
        end: The moment after it, aware; never before `begin`.
        meant: What is to lie in it: what was said, what happened, or either.
        grain: How finely it was said; `range` where it has two ends or one.
        vague: "recently", "a few days ago".
        named: By its name in the calendar, so that it means the same on whatever day it is asked.
        phrase: The words for it.
    """

    begin: datetime
    end: datetime
    meant: Meant
    grain: Grain
    vague: bool
    named: bool
    phrase: str


def asked_times(text: str, now: datetime | None) -> tuple[Span, ...]:
    """Give the times that a question names, in order, at most 8.

    Args:
        text: What is asked, in Chinese or English.
        now: When it is asked; its zone is the one that days are meant in. None: only what names its year is known.
    """
    zone = (now.tzinfo if now else None) or UTC
    spans: list[Span] = []
    for sentence in asking(text):
        tense = tense_of(sentence)
        meant = meant_of(sentence, tense)
        for phrase, days in _times(sentence, Seen(today=now.date() if now else None, tense=tense)):
            if now and days.begin > now.toordinal():
                spans.append(_span(phrase, days, "happened", now, zone))
            else:
                spans.append(_span(phrase, days, meant, now, zone))
    return tuple(spans[:MOST_TIMES])


def told_days(text: str, said_on: date) -> list[Days]:
    """Give the times that a message names, but for vague ones; what it says of a weekday is taken to lie ahead.

    Args:
        text: What was said.
        said_on: On which day.
    """
    if not hinted(text):
        return []
    seen = Seen(today=said_on, tense=tense_of(text, otherwise="future"))
    return [days for _, days in phrases(text, seen) if not days.vague and days.grain != "moment"]


def _times(sentence: str, seen: Seen) -> list[tuple[str, Days]]:
    """Give the times of a sentence with their words: ranges joined, bounds opened."""
    found = _found(sentence, seen)
    times: list[tuple[str, Days]] = []
    at = 0
    while at < len(found):
        first, days = found[at]
        at += 1
        if at < len(found) and (pair := paired(sentence, found[at - 1], found[at])) is not None:
            times.append((sentence[first.start() : found[at][0].end()], pair))
            at += 1
        elif beside := offset(sentence, first, days):
            times = [*(time for time in times if time[0] not in beside[0]), beside, (first.group(), days)]
            while at < len(found) and found[at][0].group() in beside[0]:
                at += 1
        else:
            times.append((first.group(), bounded(sentence, first, days, seen)))
    return times


def _found(sentence: str, seen: Seen) -> list[Found]:
    """Find what names a time; beside a date, "recently" says nothing and "last Friday" is the one before that date."""
    found = phrases(sentence, seen)
    dates = [days for _, days in found if days.named and days.with_year and days.grain in ("day", "month")]
    if dates:
        if dates[0].grain == "day":
            found = phrases(sentence, Seen(today=date.fromordinal(dates[0].begin), tense="past"))
        found = [(match, days) for match, days in found if not days.vague]
    if is_habit(sentence):
        found = [(match, days) for match, days in found if days.with_year or days.grain not in ("day", "weekend")]
    return found


def _span(phrase: str, days: Days, meant: Meant, now: datetime | None, zone: tzinfo) -> Span:
    begin = datetime.fromordinal(days.begin).replace(tzinfo=zone)
    end = datetime.fromordinal(days.end).replace(tzinfo=zone)
    if days.grain == "moment" and now:
        end = now.replace(tzinfo=zone)
        begin = end - min(JUST_NOW, end - datetime.min.replace(tzinfo=zone))
    return Span(begin=begin, end=end, meant=meant, grain=days.grain, vague=days.vague, named=days.named, phrase=phrase)
