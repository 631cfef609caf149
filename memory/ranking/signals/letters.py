"""letters: runs of characters that the question and a turn share; they find other forms, compounds and slips of a word."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.kinds import is_name
from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.letters import KINDS, runs_of
from memory.ranking.question import Question
from memory.ranking.signals import Signals


@dataclass(frozen=True, kw_only=True)
class _Weighed:
    """The runs of all rows, one after the other: `row` has `run`, whose weight in the row's unit vector is `weight`."""

    row: NDArray[np.int64]
    run: NDArray[np.int64]
    weight: Floats
    rarity: Floats


def letters(corpus: Corpus, question: Question) -> Signals:
    """Compare runs of characters by TF-IDF and cosine; the names of those who speak do not count.

    Source: McNamee & Mayfield 2004 (character n-grams instead of words).
    """
    rows = corpus.once(_weighed)
    runs, times = np.unique(runs_of(_without_names(question.text, corpus.names)), return_counts=True)
    asked = np.zeros(KINDS)
    asked[runs] = (1 + np.log(times)) * rows.rarity[runs]
    total = np.bincount(rows.row, weights=rows.weight * asked[rows.run], minlength=len(corpus))
    return {"letters": standard(np.asarray(total, dtype=np.float64))}


def _weighed(corpus: Corpus) -> _Weighed:
    lengths = np.array([len(own) for own in corpus.letters])
    every = np.concatenate(corpus.letters) if len(corpus) else np.zeros(0, dtype=np.int64)
    both, times = np.unique(np.repeat(np.arange(len(corpus)), lengths) * KINDS + every, return_counts=True)
    row, run = both // KINDS, both % KINDS
    rarity = np.log((len(corpus) + 1) / (np.bincount(run, minlength=KINDS) + 1)) + 1
    weight = (1 + np.log(times)) * rarity[run]
    norm = np.sqrt(np.bincount(row, weights=weight**2, minlength=len(corpus)))
    return _Weighed(row=row, run=run, weight=weight / norm[row], rarity=rarity)


def _without_names(text: str, names: tuple[str, ...]) -> str:
    spoken = [re.escape(name) for name in names if is_name(name)]
    return re.sub("|".join(spoken), " ", text, flags=re.IGNORECASE) if spoken else text
