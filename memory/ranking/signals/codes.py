"""codes: numbers, names of errors, functions and files in the question; whoever types one means it, and nothing like it."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from memory.ranking.corpus import Corpus, Said
from memory.ranking.question import Question
from memory.ranking.signals import Signals

MOST_CODES = 8
_YEAR = re.compile(r"(?:19|20)\d\d")
_CODE = re.compile(
    r"(?<![a-z0-9])#?(?:"
    r"(?=[a-z0-9_-]*\d)(?=[a-z0-9_-]*[a-z])[a-z0-9]+(?:[-_][a-z0-9]+)*"  # err-4471, x200
    r"|[a-z_][a-z0-9_]+(?:(?:\.|::)[a-z_][a-z0-9_]+)+"  # orderservice.cancel, notes.txt
    r"|\d{4,}(?:-\d+)*"  # 8842
    r")(?![a-z0-9])"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm)")


def codes(corpus: Corpus, question: Question) -> Signals:
    """Give each row the share of the question's codes that stand in it whole, 0..1."""
    asked = sorted(codes_of(question.text))[:MOST_CODES]
    total = np.zeros(len(corpus))
    for code in asked:
        whole = re.compile(rf"(?<![a-z0-9]){re.escape(code)}(?![a-z0-9])")
        total += [float(whole.search(text) is not None) for text in corpus.each(_folded)]
    return {"codes": total / max(len(asked), 1)}


def codes_of(text: str) -> frozenset[str]:
    """Find the codes of a text, without `#`; years, dates' endings and hours are none."""
    found = (match.group().lstrip("#") for match in _CODE.finditer(_fold(text)))
    return frozenset(code for code in found if not (_YEAR.fullmatch(code) or _ORDINAL.fullmatch(code)))


def _folded(one: Said) -> str:
    return _fold(one.text)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
