"""The table of signals: for each row of the corpus, everything that speaks for or against it, by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from memory.ranking.corpus import Corpus, Floats, standard
from memory.ranking.question import Question
from memory.ranking.signals import Signals
from memory.ranking.signals.codes import codes
from memory.ranking.signals.expansion import feedback, going_with
from memory.ranking.signals.form import form
from memory.ranking.signals.letters import letters
from memory.ranking.signals.meaning import Meant, meaning
from memory.ranking.signals.neighbours import neighbours
from memory.ranking.signals.person import person
from memory.ranking.signals.when import when
from memory.ranking.signals.words import words

GROUPS: Mapping[str, tuple[str, ...]] = {
    "words": ("own_words", "words_around", "speakers_words", "best_piece"),
    "letters": ("letters",),
    "codes": ("codes",),
    "meaning": ("meaning", "meaning_around", "meaning_of_last", "meaning_of_best_piece"),
    "neighbours": tuple(
        f"{of}_{place}" for of in ("words", "meaning") for place in ("before", "after", "near", "answered")
    ),
    "person": ("by_whom", "by_whom_when", "tells_of_asker"),
    "when": ("said_then", "happened_then", "last_time", "first_time", "tells_a_time"),
    "form": ("asks", "names", "length"),
    "expansion": ("going_with", "feedback", "feedback_all"),
}
"""The signals by what they look at; a group can be left out as a whole."""


def signals_of(corpus: Corpus, question: Question, meant: Meant | None) -> Signals:
    """Measure all signals; those of meaning are missing without vectors."""
    lexical = words(corpus, question)
    semantic = meaning(corpus, meant) if meant is not None else {}
    first = [
        lexical["own_words"],
        lexical["best_piece"],
        *([semantic["meaning"], semantic["meaning_of_best_piece"]] if semantic else []),
    ]
    fit: Floats = np.mean(first, axis=0)
    return {
        **lexical,
        **letters(corpus, question),
        **codes(corpus, question),
        **semantic,
        **neighbours(corpus, lexical["own_words"], "words"),
        **(neighbours(corpus, semantic["meaning"], "meaning") if semantic else {}),
        **person(corpus, question),
        **when(corpus, question, fit),
        **corpus.once(form),
        **going_with(corpus, question),
        **feedback(corpus, question, standard(fit)),
    }
