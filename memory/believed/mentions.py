"""Mentions: where a text speaks of a value, in whatever words and language it is known by, and of whom it speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from memory.believed.signs import signs
from memory.kin import canonical_key
from memory.plain_yaml import read_yaml
from memory.same.meaning import table
from memory.same.wording import plain, worded
from memory.words import has_cjk

LONGEST_WORDS, LONGEST_CHARS = 4, 7
LEAST_LETTERS, LEAST_CHARS, LEAST_DIGITS = 3, 2, 4
_WORD = re.compile(r"[a-z0-9][a-z0-9'+#&.-]*(?<![.'-])")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_OWNED = ("我", "咱", "俺", "我家", "我们家")


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A stretch of a text, and the form of what it means."""

    start: int
    end: int
    form: str


def literal(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Give where a value stands word for word in a text of lower case; never inside a longer word."""
    wanted = value.casefold().strip()
    least = LEAST_CHARS if has_cjk(wanted) else LEAST_LETTERS
    if len(wanted) < (LEAST_DIGITS if wanted.isdigit() else least):
        return
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (_runs_on(text[at - 1 : at], wanted[0]) or _runs_on(text[end : end + 1], wanted[-1])):
            yield at, end
        at = text.find(wanted, end)


def _runs_on(beside: str, edge: str) -> bool:
    return bool(beside) and beside.isascii() and beside.isalnum() and edge.isascii() and edge.isalnum()


Gram = tuple[int, int, str]
"""Where a run of words stands, and its compared form."""


def grams(text: str) -> list[Gram]:
    """Give every short run of words of a text of lower case."""
    return [(start, end, worded(plain(text[start:end]))) for start, end in _grams(text)]


def things(runs: Iterable[Gram], name: str) -> tuple[Mention, ...]:
    """Give what of a table (of memory/same) is named by runs of words, the longest of what overlaps."""
    heads = table(name)
    known = ((start, end, heads.get(form, frozenset())) for start, end, form in runs)
    found = [Mention(start=start, end=end, form=next(iter(of))) for start, end, of in known if len(of) == 1]
    return tuple(_longest(found))


@cache
def forms(name: str) -> frozenset[str]:
    """Give the forms of all that a table knows."""
    return frozenset(head for heads in table(name).values() for head in heads)


def _longest(found: Iterable[Mention]) -> Iterator[Mention]:
    """Leave out what overlaps something longer, or as long and before it."""
    kept: list[Mention] = []
    for each in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        if all(each.end <= other.start or each.start >= other.end for other in kept):
            kept.append(each)
    yield from sorted(kept, key=lambda each: each.start)


def _grams(text: str) -> Iterator[tuple[int, int]]:
    words = [match.span() for match in _WORD.finditer(text)]
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST_WORDS, len(words))):
            yield words[first][0], words[last][1]
    for run in _HAN.finditer(text):
        for start in range(run.start(), run.end()):
            for end in range(start + 1, min(start + LONGEST_CHARS, run.end()) + 1):
                yield start, end


def speaks_of(label: str, text: str) -> bool:
    """Say whether a text of lower case names somebody or something: `label` is the second segment of a key."""
    return any(True for called in _names(label) for _ in literal(text, called)) or any(
        f"{owner}{short}" in text for short in _short(label) for owner in _OWNED
    )


def _names(label: str) -> tuple[str, ...]:
    return (label.replace("_", " ").replace("·", "."), *_others(label))


def _short(label: str) -> tuple[str, ...]:
    """Give the short form of a relative's name that stands only behind "my": 我弟, 我妈."""
    doubled = len(label) == LEAST_CHARS and label[0] == label[1] and has_cjk(label)
    return (label[0],) if doubled else ()


@cache
def _others(label: str) -> tuple[str, ...]:
    """Give how else a relative is called."""
    key = canonical_key(f"person.{label}")
    return tuple(word for word in _kin() if word != label and canonical_key(f"person.{word}") == key)


@cache
def _kin() -> tuple[str, ...]:
    rows = read_yaml("memory.same", "kin.yaml")
    words = {word for row, said in rows.items() for word in (str(row), *said) if "(" not in word}
    words |= {word.rpartition(" ")[2] for word in words}  # "my brother" beside "younger brother"
    return tuple(sorted(word for word in words if len(word) >= LEAST_CHARS))


def last_other(text: str, people: Iterable[str]) -> int:
    """Give where the last words end by which a text of lower case speaks of somebody but the user; -1 for none."""
    by_sign = (match.end() for sign in signs().others for match in sign.finditer(text))
    by_name = (end for name in (*_kin(), *people) for _, end in literal(text, name))
    short = (f"{owner}{one}" for name in _kin() for one in _short(name) for owner in _OWNED)
    by_short = (text.rfind(said) + len(said) for said in short if said in text)
    return max((*by_sign, *by_name, *by_short), default=-1)
