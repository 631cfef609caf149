"""words: the question's terms in a turn, in the turns around it, and in what the same speaker said around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.fusion import rarity
from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals
from memory.ranking.terms import terms_of

AROUND = ((-1, 0.3), (-2, 0.15), (-3, 0.1), (-4, 0.05), (1, 0.2), (2, 0.1))
"""How much the words of a turn so many places away count as the turn's own."""
SPEAKER_REACH = 6
SATURATION, SATURATION_AROUND = 0.8, 0.6
MOST_TERMS = 64

Field = Callable[[Corpus, Floats], Floats]
"""Gives how often a term counts in each row, from how often it stands there."""


def words(corpus: Corpus, question: Question) -> Signals:
    """BM25 without a length norm, which short turns do not need (b = 0), over three fields; and by pieces.

    Source: Robertson & Zaragoza 2009 (BM25F); the fields' weights were measured on dialogue.
    """
    terms = question.terms[:MOST_TERMS]
    own = scored(corpus, terms, saturation=SATURATION)
    pieces = [scored(corpus, _of(piece, terms), saturation=SATURATION) for piece in question.pieces]
    best = np.max([standard(one) for one in pieces], axis=0) if pieces else own
    return {
        "own_words": standard(own),
        "words_around": standard(_summed(corpus, terms, _around, SATURATION_AROUND)),
        "speakers_words": standard(_summed(corpus, terms, _same_speaker, SATURATION)),
        "best_piece": standard(best),
    }


def coverage(corpus: Corpus, question: Question) -> Floats:
    """Say which share of the question's telling terms, names included, stands in each row, 0..1."""
    counts = {term: corpus.count(term) for term in dict.fromkeys(terms_of(question.text)[:MOST_TERMS])}
    telling = {
        term: rarity(documents=len(corpus), with_word=int(np.count_nonzero(found))) for term, found in counts.items()
    }
    found = np.zeros(len(corpus))
    for term, count in counts.items():
        found += telling[term] * count * (1 + SATURATION_AROUND) / (count + SATURATION_AROUND)
    shares: Floats = np.minimum(found / max(sum(telling.values()), 1e-9), 1.0)
    return shares


def scored(corpus: Corpus, terms: Sequence[str], *, saturation: float) -> Floats:
    """Give each row its BM25 for some terms."""
    return _summed(corpus, terms, lambda _, counts: counts, saturation)


def _summed(corpus: Corpus, terms: Sequence[str], field: Field, saturation: float) -> Floats:
    total = np.zeros(len(corpus))
    for term in terms:
        if rarity := corpus.rarity(term):
            counts = field(corpus, corpus.count(term))
            total += rarity * counts * (1 + saturation) / (counts + saturation)
    return total


def _around(corpus: Corpus, counts: Floats) -> Floats:
    total = counts.copy()
    for by, weight in AROUND:
        total += weight * corpus.shifted(counts, by)
    return total


def _same_speaker(corpus: Corpus, counts: Floats) -> Floats:
    total = counts.copy()
    for by, same in corpus.once(_by_the_same):
        total += corpus.shifted(counts, by) * same
    return total


def _by_the_same(corpus: Corpus) -> list[tuple[int, NDArray[np.bool_]]]:
    """Tell for each place within reach where the same speaker said what stands there."""
    reach = (*range(-SPEAKER_REACH, 0), *range(1, SPEAKER_REACH + 1))
    return [(by, corpus.same_speaker(by)) for by in reach]


def _of(piece: str, terms: Sequence[str]) -> list[str]:
    wanted = set(terms)
    return [term for term in dict.fromkeys(terms_of(piece)) if term in wanted]
