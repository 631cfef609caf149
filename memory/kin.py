"""Kin: one name for one relative of the user's, whatever they are called: 我妈, 老妈 and 母亲 are `person.妈妈`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from memory.plain_yaml import read_yaml
from memory.words import has_cjk

PERSON = "person"


def canonical_key(key: str) -> str:
    """Give a key with the one name of the relative it is about; any other key as it is.

    A relative is called in the language in which they were spoken of.
    """
    first, *segments = key.split(".")
    if first != PERSON or not segments:
        return key
    return ".".join([first, _names().get(segments[0].casefold(), segments[0]), *segments[1:]])


def is_kin(word: str) -> bool:
    """Say whether a word says who somebody is to the user, and is no name."""
    said = word.casefold()
    return said in _names() or any(name.endswith(f" {said}") for name in _names())


def words_for(name: str) -> tuple[str, ...]:
    """Give all words for the relative who is called so."""
    return tuple(word for word, called in _names().items() if called == name)


@cache
def _names() -> Mapping[str, str]:
    rows = read_yaml("memory.same", "kin.yaml")
    return {word.casefold(): name for row, said in rows.items() for word, name in _named(str(row), said)}


def _named(row: str, said: list[str]) -> list[tuple[str, str]]:
    """Name each wording by the first of its language: the row itself in English, where that is a plain word."""
    chinese = [word for word in said if has_cjk(word)]
    english = [word for word in (row, *said) if not has_cjk(word) and "(" not in word]
    return [(word, words[0]) for words in (chinese, english) if words for word in words]
