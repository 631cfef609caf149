"""told: the times that a turn itself tells of, from when it was said, against the times that are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from memory.ranking.asked_time import Span, told_days
from memory.ranking.asked_time_calendar import Days
from memory.ranking.corpus import Corpus, Floats, Said, Whole


@dataclass(frozen=True, kw_only=True)
class Told:
    """All times told: the row of each, its first day and the day after its last, as ordinals."""

    rows: Whole
    begin: Whole
    end: Whole


def told_within(corpus: Corpus, times: Sequence[Span]) -> Floats:
    """Say for each row how much (0..1) of a time that it tells of lies within one that is asked for.

    A day in the month that is asked for lies in it wholly, and a year that holds that month hardly does.
    """
    values = np.zeros(len(corpus))
    asked = [span for span in times if span.meant != "said" and not span.vague]
    if not asked:
        return values
    told = corpus.once(told_times)
    for span in asked:
        begin, end = span.begin.toordinal(), span.end.toordinal()
        shared = np.minimum(told.end, end) - np.maximum(told.begin, begin)
        np.maximum.at(values, told.rows, np.maximum(shared, 0) / np.maximum(told.end - told.begin, 1))
    return values


def told_times(corpus: Corpus) -> Told:
    """Find the times that the turns tell of; days are those of UTC."""
    found = [(row, days.begin, days.end) for row, told in enumerate(corpus.each(_days)) for days in told]
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Told(rows=table[:, 0], begin=table[:, 1], end=table[:, 2])


def _days(one: Said) -> tuple[Days, ...]:
    return () if one.said_at is None else tuple(told_days(one.text, datetime.fromtimestamp(one.said_at, UTC).date()))
