"""Letters: what a text says once its letters are the ones that a model takes them for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from memory.plain_yaml import read_yaml

LONG = 7
"""Shorter words are one letter away from too many others."""
SEVERAL = 3

_HAN = r"\u3400-\u9fff"
_BETWEEN_HAN = re.compile(rf"(?<=[{_HAN}])[\s.·_*|/+~^\-\u2014\u2022]{{1,3}}(?=[{_HAN}])")
_SPACED_HAN = re.compile(
    rf"(?<![{_HAN}])[{_HAN}](?:[\s.·_*|/+~^,，、\-\u2014\u2022]{{1,3}}[{_HAN}]){{2,200}}(?![{_HAN}])"
)
_NOT_HAN = re.compile(rf"[^{_HAN}]+")
_SPELLED_OUT = re.compile(
    r"(?<![a-z0-9])[a-z0-9@$!](?P<gap>[\s.·_*|/+~,\-\u2022])(?:[a-z0-9@$!](?P=gap)){2,400}[a-z0-9@$!](?![a-z0-9])"
)
_SPELLING_GAP = re.compile(r"[\s.·_*|/+~,\-\u2022]")
_INSIDE_WORD = re.compile(r"(?<=[a-z])[*_~`^|\\+=]{1,3}(?=[a-z])")
_HYPHENED = re.compile(r"[a-z]{1,15}(?:[-./_+|~][a-z]{1,15}){2,40}")
_WORD = re.compile(r"[a-z]{6,16}")
_HYPHENS = re.compile(r"[-./_+|~][a-z]{1,15}[-./_+|~]")
_LEET_BESIDE = re.compile(r"[0-9@$!|€+](?:[a-z]|(?<=[a-z].))")
_LEETED = re.compile(r"(?=[a-z0-9@$!|€+]{0,15}[a-z])(?=[a-z@$!|€+]{0,15}[0-9@$!|€+])[a-z0-9@$!|€+]{3,24}")
_LATIN = re.compile(r"[A-Za-z]")
_ENDINGS = frozenset(("s", "d", "r", "ed", "er", "es", "ing", "ly", "rs", "en"))


@cache
def letter_data() -> Mapping[str, Any]:
    """Give the tables that letters and words are read by."""
    read: Mapping[str, Any] = read_yaml("memory.guard", "letters.yaml")
    return read


def _table(*rows: Mapping[str, str]) -> dict[int, str]:
    return {ord(a): b for row in rows for a, b in zip(row["from"], row["to"], strict=True)}


@cache
def _look_alikes() -> dict[int, str]:
    return _table(*letter_data()["look_alikes"])


@cache
def _traditional() -> dict[int, str]:
    return {code: char for code, char in _table(*letter_data()["traditional"]).items() if chr(code) != char}


@cache
def _homophones() -> tuple[re.Pattern[str], Mapping[str, str]]:
    words: Mapping[str, str] = letter_data()["homophones"]
    return re.compile("|".join(map(re.escape, words))), words


def latin(text: str) -> str:
    """Give a text without accents, and in Latin letters where it looks so.

    Other alphabets are left alone where no Latin letter stands beside them and none of theirs is a small capital.
    """
    if text.isascii():
        return text
    plain = "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")
    boxed = "".join(map(_unboxed, plain))
    mapped = boxed.translate(_look_alikes())
    return mapped if _LATIN.search(boxed) or _is_ascii_mostly(mapped) else boxed


def _is_ascii_mostly(text: str) -> bool:
    return sum(map(str.isascii, text)) * 10 >= len(text) * 9


def _unboxed(char: str) -> str:
    """Give the letter of a negative circled, squared or regional-indicator sign."""
    code = ord(char)
    for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6):
        if first <= code < first + 26:
            return chr(ord("a") + code - first)
    return char


def simplified(text: str) -> str:
    """Give Chinese text in simplified characters, with the words that homophones stand for."""
    pattern, words = _homophones()
    return pattern.sub(lambda found: words[found[0]], text.translate(_traditional()))


def closed_up(text: str) -> str:
    """Join letters and Chinese characters that are spelled out one by one or have marks between them."""
    if not text.isascii():
        text = _SPACED_HAN.sub(lambda found: _NOT_HAN.sub("", found[0]), text)
    text = _INSIDE_WORD.sub("", text)
    return _SPELLED_OUT.sub(lambda found: _SPELLING_GAP.sub("", found[0]), text)


def without_signs_between_han(text: str) -> str:
    """Join all Chinese characters that only a sign or two part, also where that ends a clause."""
    return text if text.isascii() else _BETWEEN_HAN.sub("", text)


def unhyphened(text: str) -> str:
    """Give words that hang together by hyphens, dots or low lines as separate words."""
    if not _HYPHENS.search(text):
        return text
    return _HYPHENED.sub(lambda found: re.sub(r"[-./_+|~]", " ", found[0]), text)


def unleeted(text: str) -> str:
    """Give words with digits and signs for letters in letters: 1gn0re → ignore."""
    if not _LEET_BESIDE.search(text):
        return text
    return _LEETED.sub(lambda found: found[0].translate(_leet()), text)


@cache
def _leet() -> dict[int, str]:
    return _table(letter_data()["leet"])


def upright(text: str) -> str:
    """Give a text that is written upside down as it is read when the page is turned."""
    return text[::-1].translate(_table(letter_data()["upside_down"]))


def is_upside_down(text: str) -> bool:
    """Tell whether a text holds several letters that only upside-down writing has."""
    return not text.isascii() and len(set(text) & set("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ")) >= SEVERAL


def corrected(text: str) -> str:
    """Give the words of the rules in place of those that are one letter or a scrambling away from them."""
    return _WORD.sub(lambda found: _meant(found[0]), text)


@cache
def _misspellings() -> tuple[frozenset[str], Mapping[str, str], Mapping[str, str]]:
    """Give the vocabulary, its words by their sorted letters, and by each form that lacks one letter."""
    words: list[str] = letter_data()["vocabulary"]
    shuffled = {_scrambled(word): word for word in words}
    shorter = {short: word for word in words if len(word) >= LONG for short in _without_one(word)}
    return frozenset(words), shuffled, shorter


@lru_cache(maxsize=4096)
def _meant(word: str) -> str:
    words, shuffled, shorter = _misspellings()
    if word in words:
        return word
    meant = shuffled.get(_scrambled(word)) or shorter.get(word) or _with_one_too_many(word, words)
    meant = meant or _with_one_wrong(word, shorter)
    return word if meant is None or _is_inflected(word, meant) else meant


def _with_one_too_many(word: str, words: frozenset[str]) -> str | None:
    return next((short for short in _without_one(word) if len(short) >= LONG and short in words), None)


def _with_one_wrong(word: str, shorter: Mapping[str, str]) -> str | None:
    meant = (shorter.get(short) for short in _without_one(word)) if len(word) >= LONG else ()
    return next((each for each in meant if each and len(each) == len(word)), None)


def _is_inflected(word: str, meant: str) -> bool:
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    return longer.startswith(shorter) and longer[len(shorter) :] in _ENDINGS


def _scrambled(word: str) -> str:
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


def _without_one(word: str) -> list[str]:
    return [word[:at] + word[at + 1 :] for at in range(1, len(word))]
