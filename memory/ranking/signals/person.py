"""person: whether a turn is by the one whom the question is about, or tells of them."""

from __future__ import annotations

import numpy as np

from memory.ranking.corpus import Corpus, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals

USER, ASSISTANT = "user", "assistant"


def person(corpus: Corpus, question: Question) -> Signals:
    """Give +1 to the turns of the only speaker who is named, -1 to the others'; the user's own where "I" is asked about."""
    of = np.zeros(len(corpus))
    if len(question.about) == 1 and len(corpus.names) > 1:
        of = np.where(corpus.speakers == corpus.names.index(question.about[0]), 1.0, -1.0)
    elif question.of_me and {USER, ASSISTANT} <= set(corpus.names):
        of = np.where(corpus.speakers == corpus.names.index(USER), 1.0, -1.0)
    tells_of = np.zeros(len(corpus))
    if question.by and question.by not in (USER, ASSISTANT):
        tells_of = standard(np.array([float(question.by.casefold() in one.text.casefold()) for one in corpus.said]))
    return {"by_whom": of, "by_whom_when": of * question.asks_when, "tells_of_asker": tells_of}
