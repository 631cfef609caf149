"""occasion: which sitting a turn belongs to, and how late or early that is among those that bear on the question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.importance import is_small_talk
from memory.ranking.corpus import Corpus, Floats, Whole
from memory.ranking.question import Question
from memory.ranking.signals import Signals
from memory.ranking.signals.words import SATURATION, scored

PAUSE_S = 2 * 3600.0
"""What follows after so long a pause is another sitting; what was said less long ago is this one, not the last."""
BEARS, BEARS_BY_FIT = 0.5, 0.8
"""A sitting bears on a question whose best turn has at least this much of the most that any has of the topic's words; of
the best fit, where nothing holds these words."""
CONTENT, BY_ASSISTANT, ASKED, SMALL = 1.0, 0.7, 0.6, 0.3


@dataclass(frozen=True, kw_only=True)
class Sittings:
    """The sitting of each row, and of each sitting when it ended (-inf: unknown) and the last item of it."""

    of: Whole
    end: Floats
    last_item: Whole


def occasions(corpus: Corpus, question: Question, fit: Floats) -> Signals:
    """Prefer the latest (or the first) of the sittings that bear on the question: 1 in it, 1/2 in the next, and so on.

    The sitting that goes on as it is asked is none of them: nobody means it by "last time".
    """
    nothing = np.zeros(len(corpus))
    if not question.occasion or not len(corpus):
        return {"last_time": nothing, "first_time": nothing}
    sittings = corpus.once(sittings_of)
    latest = _by_rank(sittings, _bearing(corpus, sittings, question, fit), first=question.occasion == "first")
    return {
        "last_time": latest if question.occasion == "last" else nothing,
        "first_time": latest if question.occasion == "first" else nothing,
    }


def content(corpus: Corpus) -> Floats:
    """Say how much (0..1) a turn tells by its form: small talk, questions and the assistant's turns tell less."""
    return corpus.once(_content)


def sittings_of(corpus: Corpus) -> Sittings:
    """Part the threads where there was a long pause."""
    said_at = np.array([np.nan if one.said_at is None else one.said_at for one in corpus.said])
    begins = np.ones(len(corpus), dtype=bool)
    begins[1:] = (corpus.threads[1:] != corpus.threads[:-1]) | (np.abs(said_at[1:] - said_at[:-1]) > PAUSE_S)
    of = np.cumsum(begins) - 1
    number = int(of[-1]) + 1 if len(of) else 0
    end = np.full(number, -np.inf)
    last_item = np.zeros(number, dtype=np.int64)
    known = ~np.isnan(said_at)
    np.maximum.at(end, of[known], said_at[known])
    np.maximum.at(last_item, of, corpus.items)
    return Sittings(of=of.astype(np.int64), end=end, last_item=last_item)


def _bearing(corpus: Corpus, sittings: Sittings, question: Question, fit: Floats) -> NDArray[np.bool_]:
    """Tell which sittings bear on a question, by the words of its topic where any is known, and were over when it was asked."""
    bears = np.ones(len(sittings.end), dtype=bool)
    if question.asked_at is not None:
        now = question.asked_at.timestamp()
        bears &= ~((sittings.end > now - PAUSE_S) & np.isfinite(sittings.end))
    if question.only_time:
        return bears
    own = scored(corpus, question.topic, saturation=SATURATION)
    best = np.full(len(sittings.end), -np.inf)
    known = bool(own.any())
    np.maximum.at(best, sittings.of, own if known else fit)
    most = float(best[bears].max(initial=-np.inf))
    return bears & (best >= (BEARS if known else BEARS_BY_FIT) * most) if most > 0 else bears


def _by_rank(sittings: Sittings, bears: NDArray[np.bool_], *, first: bool) -> Floats:
    values = np.zeros(len(sittings.end))
    order = [int(one) for one in np.lexsort((sittings.last_item, sittings.end)) if bears[one]]
    for rank, one in enumerate(order if first else reversed(order)):
        values[one] = 1 / (1 + rank)
    return values[sittings.of]


def _content(corpus: Corpus) -> Floats:
    assistant = np.array([one.speaker == "assistant" for one in corpus.said])
    small = np.array([is_small_talk(one.text) for one in corpus.said])
    values: Floats = np.where(assistant, BY_ASSISTANT, CONTENT)
    values = np.where(corpus.asks > 0, np.minimum(values, ASKED), values)
    return np.where(small, SMALL, values)
