"""One wording: simplified characters, no punctuation, numbers as digits, English words in the singular."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import snowballstemmer

from memory.plain_yaml import read_yaml
from memory.same.numbers import with_digits, with_units
from memory.values import counts, folded, normalised

PACKAGE = "memory.same"

_APOSTROPHE = re.compile(r"(?<=[a-z])['’](?=[a-z])")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)")
_PARTICLES = re.compile(r"(?<=..)[了啊呀哦啦呢]+$")
_ARTICLE = re.compile(r"^(?:(?:an?|the) )+(?=\S)|(?<= )the (?=\S)")
_WORD = re.compile(r"[a-z]+")
_VERB = re.compile(r"^[a-z]{2,}(?= \S)")
SHORT = 3
"""Words of so many letters are not put in the singular (gas, his)."""


def plain(value: str) -> str:
    """Give the words of a value, one blank between them, without what makes no difference anywhere."""
    text = _APOSTROPHE.sub("", simplified(folded(value)))
    text = _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
    text = "".join(char if counts(text, at) else " " for at, char in enumerate(text))
    text = with_units(with_digits(" ".join(text.split())))
    return _PARTICLES.sub("", _ARTICLE.sub("", text))


def worded(text: str, *, action: bool = False) -> str:
    """Give plain words with American spelling and in the singular, closed up as values are compared.

    Args:
        text: The words.
        action: Whether they say what is done: then the verb that they begin with loses its ending.
    """
    words = _WORD.sub(lambda word: singular(word[0]), _ARTICLE.sub("", text))
    return normalised(_VERB.sub(lambda verb: _stem(verb[0]), words) if action else words)


def simplified(text: str) -> str:
    """Write traditional characters as the simplified ones that stand for them."""
    return text.translate(_characters())


def singular(word: str) -> str:
    """Give an English word without its plural's ending, in American spelling.

    A stemmer would go further, and join fish with fishing and an organ with an organization. So only the verb of what
    is done is stemmed.
    """
    spelt = _spellings().get(word, word)
    one = _plurals().get(spelt) or _without_ending(spelt)
    return _spellings().get(one, one)


def _without_ending(word: str) -> str:
    if len(word) <= SHORT or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "ches", "shes", "xes", "zzes", "oes")) and len(word) > len("toes"):
        return word[:-2]
    return word[:-1]


def _stem(verb: str) -> str:
    stem: str = _stemmer().stemWord(verb)
    return stem


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")


@cache
def _characters() -> Mapping[int, str]:
    pairs = read_yaml(PACKAGE, "traditional.yaml")["pairs"]
    return {ord(one): other for ones, others in pairs for one, other in zip(ones, others, strict=True)}


@cache
def _spellings() -> Mapping[str, str]:
    spellings: Mapping[str, str] = read_yaml(PACKAGE, "spelling.yaml")["spellings"]
    return spellings


@cache
def _plurals() -> Mapping[str, str]:
    plurals: Mapping[str, str] = read_yaml(PACKAGE, "spelling.yaml")["plurals"]
    return plurals
