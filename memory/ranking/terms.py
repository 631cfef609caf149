"""Terms: the words of a text as ranking compares them: English without endings and stop words, Chinese in pairs."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import Any

from memory.words import CJK, STOP_WORDS

_TOKEN = re.compile(rf"[{CJK}]+|#?[^\W_{CJK}]+(?:[-./:@+'’][^\W_{CJK}]+)*", re.UNICODE)
_CONTRACTED = re.compile(r"['’].*$")
_INNER = re.compile(r"[-./:@+]+")
_EMPTY = frozenset(
    word
    for line in (
        "not no just also too very really get got like s t re ve ll d m don didn doesn isn wasn one ones much many more",
        "most other such only own same",
    )
    for word in line.split()
)


def terms_of(text: str) -> list[str]:
    """Split a text into its terms, with repetitions; identifiers (`err-4471`) whole and in parts."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [term for match in _TOKEN.finditer(folded) for term in _forms(match.group())]


@lru_cache(maxsize=50_000)
def _forms(token: str) -> tuple[str, ...]:
    if re.match(f"[{CJK}]", token):
        return tuple(first + second for first, second in pairwise(token)) if len(token) > 1 else (token,)
    bare = _CONTRACTED.sub("", token)
    if not bare or bare in STOP_WORDS or bare in _EMPTY:
        return ()
    parts = [part for part in _INNER.split(bare) if part]
    return (bare, *parts) if len(parts) > 1 else (_stemmed(bare),)


def _stemmed(word: str) -> str:
    with _STEMMING:
        return str(_stemmer().stemWord(word))


_STEMMING = Lock()
"""The stemmer holds the word that it is at work on, and corpora are read in several threads at once."""


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer  # noqa: PLC0415  (where it is used)

    return snowballstemmer.stemmer("english")
