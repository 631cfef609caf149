"""expansion: words that go with the question's words in this corpus, and words of what fits best already."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection

import numpy as np

from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals

MOST_WORDS, LEAST_TOGETHER, LEAST_PMI = 20, 2, 1.0
MOST_TERMS = 24
TELLING = range(1, 301)
"""Of how many rows a term may be to have partners: what stands in more goes with everything."""
NOWHERE: tuple[tuple[int, ...], tuple[float, ...]] = ((), ())
FEEDBACK_ROWS, FEEDBACK_LENGTH = 3, 3.0


def going_with(corpus: Corpus, question: Question) -> Signals:
    """Score rows by words that stand beside the question's words more often than by chance (PMI), within one turn."""
    weights: Counter[str] = Counter()
    asked = frozenset(question.terms)
    known = [term for term in question.terms if len(corpus.found.get(term, NOWHERE)[0]) in TELLING]
    for term in sorted(known, key=lambda term: len(corpus.found[term][0]))[:MOST_TERMS]:
        weights.update(_partners(corpus, term, asked))
    total = np.zeros(len(corpus))
    for word, weight in weights.most_common(MOST_WORDS):
        total[list(corpus.found[word][0])] += weight * corpus.rarity(word)
    return {"going_with": standard(total)}


def feedback(corpus: Corpus, question: Question, fit: Floats) -> Signals:
    """Score rows by the telling words of the three rows that fit best already, their own length set against it."""
    weights: Counter[str] = Counter()
    for row in np.argsort(-fit, kind="stable")[:FEEDBACK_ROWS]:
        if fit[row] > 0:
            weights.update(
                {
                    term: float(fit[row]) * corpus.rarity(term)
                    for term in dict.fromkeys(corpus.terms[row])
                    if term not in question.terms
                }
            )
    total = np.zeros(len(corpus))
    for term, weight in weights.items():
        total[list(corpus.found[term][0])] += weight
    lengths = np.array([len(own) for own in corpus.terms])
    return {"feedback": standard(total / (lengths + FEEDBACK_LENGTH)), "feedback_all": standard(total)}


def _partners(corpus: Corpus, term: str, asked: Collection[str]) -> dict[str, float]:
    near = {row for own in corpus.found[term][0] for row in (own - 1, own, own + 1) if 0 <= row < len(corpus)}
    together = Counter(word for row in sorted(near) for word in dict.fromkeys(corpus.terms[row]) if word not in asked)
    scale = corpus.rarity(term) / 6 / math.log(len(corpus) + 2)
    partners = {}
    for word, times in together.items():
        if times >= LEAST_TOGETHER:
            within = min(3 * len(corpus.found[word][0]), len(corpus))
            pmi = math.log(times * len(corpus) / (len(near) * within))
            if pmi > LEAST_PMI:
                partners[word] = pmi * min(times, 5) / 5 * scale
    return partners
