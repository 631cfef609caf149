"""Varied: marked messages with other values in their places, so that the tagger learns how things are told, not these values.

Source: Dai & Adel 2020, "An Analysis of Simple Data Augmentation for Named Entity Recognition" (mention replacement).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from bench.marked import Marked
from memory.tagging.marks import Mark
from memory.words import has_cjk

EXCHANGED, IN_SMALL_LETTERS = 0.5, 0.15
"""So often a value is exchanged, and a message written without capitals."""
WORDS_MORE = 1
CHARS_MORE = 2

Shape = tuple[str, str, bool, bool, bool]


def varied(messages: Sequence[Marked], *, seed: int) -> list[Marked]:
    """Give each message with some of its values exchanged for values that others have under the same tag.

    A value gives way to one of the same script, much the same length and the same ending, so that most sentences stay
    sentences. Messages that are held out are given as they are, and lend no values.

    Args:
        messages: What is learned from.
        seed: Another one gives others.
    """
    random = Random(seed)  # noqa: S311  (the same messages each time)
    values = _values(messages)
    return [one if one.is_held_out else _varied(one, values, random) for one in messages]


def _values(messages: Sequence[Marked]) -> Mapping[Shape, Sequence[str]]:
    found: dict[Shape, list[str]] = defaultdict(list)
    for message in messages:
        for mark in () if message.is_held_out else message.marks:
            found[_shape(message.text, mark)].append(message.text[mark.start : mark.end])
    return found


def _shape(text: str, mark: Mark) -> Shape:
    words = text[mark.start : mark.end]
    return mark.owner, mark.attribute, has_cjk(words), words[:1].isupper(), words.split(" ")[0].endswith("ing")


def _varied(message: Marked, values: Mapping[Shape, Sequence[str]], random: Random) -> Marked:
    text, marks, at = "", [], 0
    for mark in message.marks:
        text += message.text[at : mark.start]
        words = _other(message.text, mark, values, random) if random.random() < EXCHANGED else ""
        words = words or message.text[mark.start : mark.end]
        marks.append(replace(mark, start=len(text), end=len(text) + len(words)))
        text += words
        at = mark.end
    text += message.text[at:]
    small = text.lower() if random.random() < IN_SMALL_LETTERS else text
    return Marked(text=small if len(small) == len(text) else text, marks=tuple(marks))


def _other(text: str, mark: Mark, values: Mapping[Shape, Sequence[str]], random: Random) -> str:
    """Give a value of about the same length; "" where a few tries find none."""
    words = text[mark.start : mark.end]
    known = values.get(_shape(text, mark), ())
    return next((one for one in _drawn(known, random) if one != words and _is_as_long(one, words)), "")


def _drawn(known: Sequence[str], random: Random, tries: int = 8) -> Iterator[str]:
    yield from (random.choice(known) for _ in range(tries if known else 0))


def _is_as_long(one: str, other: str) -> bool:
    if has_cjk(one):
        return abs(len(one) - len(other)) <= CHARS_MORE
    return abs(one.count(" ") - other.count(" ")) <= WORDS_MORE
