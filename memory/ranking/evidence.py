"""evidence: what speaks for it that a memory holds an answer at all, measured before anything is shown.

Each is a small number that means the same in every memory and for every embedder, so that one set of weights fits all:

matched   how much of the question's content, by rarity, stands together in one of the rows that rank best
near      how far the nearest row is on the way from what is unrelated in its language to the very same
asks      something is asked, or the speaker's own affairs are told
topic     neither: bare words; what share of them stands together in one of those rows
task      anybody could be asked to do it: a translation, a sum, a joke, code, general knowledge
courtesy  a greeting, thanks, assent
bare      it has no content at all
foreign   it names a number or a code that stands nowhere
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.context_query import EMPTY_WORDS, HAN, REQUESTS
from memory.ranking.asking import asks, is_courtesy, is_own, is_task
from memory.ranking.corpus import Corpus, Floats
from memory.ranking.question import Question
from memory.ranking.terms import terms_of

Evidence = Mapping[str, float]

NAMES = ("matched", "near", "asks", "topic", "task", "courtesy", "bare", "foreign")
BEST_ROWS = 5
MOST_TERMS = 64
LEAST_ROWS = 100
"""A memory of fewer rows is taken to be of so many: in three rows no word is rare, and yet it may be just what is meant."""
LEAST_NEAR = 0.1
"""Less says no more: where all words match, an embedder that sees no likeness at all is the one that errs."""
_CODE = re.compile(
    r"(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*(?!\w)|(?<!\d)\d{5,}(?!\d)",
    re.ASCII | re.IGNORECASE,
)

Rows = NDArray[np.bool_]


def evidence(
    corpus: Corpus,
    question: Question,
    scores: Floats,
    *,
    near: Floats | None = None,
    left_out: Rows | None = None,
) -> Evidence:
    """Measure it all; `near` is missing without vectors.

    Args:
        corpus: What there is.
        question: What is asked.
        scores: How well each row ranks; only their order counts.
        near: How far each row is on the way from what is unrelated to the very same (`nearness`).
        left_out: Rows that are the question itself (`repeated`).
    """
    counts = np.ones(len(corpus), dtype=bool) if left_out is None else ~left_out
    nearest = {} if near is None else {"near": max(float(near[counts].max(initial=0.0)), LEAST_NEAR)}
    wording = _wording(question)
    words = _words(corpus, question, scores, counts, bare=not wording["asks"])
    return {**words, **nearest, **wording, "foreign": _foreign(corpus, question)}


def repeated(corpus: Corpus, question: Question) -> Rows:
    """Tell which rows are lines of the question, word for word: what was said just now, or was asked before."""
    asked = f"\n{question.text}\n"
    return np.array([f"\n{one.text.strip()}\n" in asked for one in corpus.said], dtype=bool)


def _words(corpus: Corpus, question: Question, scores: Floats, counts: Rows, *, bare: bool) -> Evidence:
    """Say how much of the content stands in one row, of those that rank best; what stands nowhere counts as rare."""
    standing = {term: _standing(corpus, term, counts) for term in _content(corpus, question)}
    telling = {term: _rarity(len(corpus), len(rows)) for term, rows in standing.items()}
    order = [int(row) for row in np.argsort(-scores, kind="stable") if counts[row]][:BEST_ROWS]
    most = max((sum(telling[term] for term, rows in standing.items() if row in rows) for row in order), default=0.0)
    return {
        "topic": most / sum(telling.values()) if most and bare else 0.0,
        "matched": math.log1p(most),
        "bare": float(not standing),
    }


def _wording(question: Question) -> Evidence:
    text = question.text
    own = is_own(text) or bool(question.about)
    return {
        "asks": float(own or asks(text)),
        "task": float(not own and is_task(text)),
        "courtesy": float(not own and is_courtesy(text)),
    }


def _foreign(corpus: Corpus, question: Question) -> float:
    codes = [terms_of(match.group()) for match in _CODE.finditer(question.text)]
    return float(any(code and code[0] not in corpus.found for code in codes))


def _content(corpus: Corpus, question: Question) -> Sequence[str]:
    """Give the terms of what is asked, without function words and without the names of those who speak."""
    names = {term for name in corpus.names for term in terms_of(name)}
    terms = terms_of(EMPTY_WORDS.sub(" ", REQUESTS.sub(" ", question.text)))
    return [term for term in dict.fromkeys(terms) if term not in names][:MOST_TERMS]


def _standing(corpus: Corpus, term: str, counts: Rows) -> set[int]:
    """Give the rows that a term stands in; a lone Chinese character may stand within a word there."""
    rows: Sequence[int] = corpus.found[term][0] if term in corpus.found else ()
    if not rows and len(term) == 1 and HAN.match(term):
        rows = [row for row, one in enumerate(corpus.said) if term in one.text]
    return {row for row in rows if counts[row]}


def _rarity(rows: int, within: int) -> float:
    """Say how telling a term is: BM25's idf."""
    return math.log1p((max(rows, LEAST_ROWS) - within + 0.5) / (within + 0.5))
