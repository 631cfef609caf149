"""following: what no longer holds because of what was told, though nobody says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memory.believed.heard import Heard, kind_of_tool, same
from memory.believed.mentions import literal
from memory.believed.signs import signs, slot
from memory.kinds import TAKES_AWAY, Fact
from memory.matching import Told
from memory.same.identity import identity

OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
AROUND = 40
"""So many characters before and after are looked at for a word such as "new"."""


def followed(heard: Heard) -> Iterator[Told]:
    """Take back what cannot hold beside what was told: a dislike of what is liked, a rank before a promotion, and so on."""
    for told in heard.told:
        if told.act in TAKES_AWAY:
            yield from _meant(told, heard)
            continue
        for fact in _contrary(told, heard):
            if not heard.is_told(fact):
                yield replace(told, key=fact.key, value=fact.value, act="retract")


def _contrary(told: Told, heard: Heard) -> Iterator[Fact]:
    name = slot(told.key)
    if name in OPPOSITE:
        yield from _likewise(told, heard, OPPOSITE[name])
    elif name == "position":
        yield from (fact for fact in _of(told, heard, "occupation") if signs().ranks.search(fact.value.lower()))
    elif name == "personality":
        yield from _opposite(told, heard)
    elif name == "relation":
        yield from _whom_they_followed(told, heard)
    elif name == "uses":
        yield from _tools_before(told, heard)
    elif told.key.startswith("ref."):
        yield from _issued_before(told, heard)


def _of(told: Told, heard: Heard, name: str) -> Iterator[Fact]:
    """Give the facts of the same owner under another word."""
    key = f"{told.key.rpartition('.')[0]}.{name}"
    yield from (fact for fact in heard.facts if fact.key == key)


def _likewise(told: Told, heard: Heard, name: str) -> Iterator[Fact]:
    yield from (fact for fact in _of(told, heard, name) if same(told.value, fact.value, fact.key))


def _opposite(told: Told, heard: Heard) -> Iterator[Fact]:
    form = identity(told.value, key=told.key)
    for fact in _of(told, heard, "personality"):
        pair = {form, identity(fact.value, key=fact.key)}
        if any(pair == {identity(word, key=fact.key) for word in words} for words in signs().opposites):
            yield fact


def _whom_they_followed(told: Told, heard: Heard) -> Iterator[Fact]:
    """Give who was the user's boss, room-mate or the like before, where somebody new is."""
    if told.value.lower() not in signs().one_at_a_time or not _beside(signs().new_one, told, heard):
        return
    for fact in heard.facts:
        if fact.key.endswith(".relation") and fact.key != told.key and same(fact.value, told.value, fact.key):
            yield fact


def _tools_before(told: Told, heard: Heard) -> Iterator[Fact]:
    """Give the tools of the same kind that somebody used before."""
    kind = kind_of_tool(told.value)
    if kind and _beside(signs().new_tool, told, heard) and not _beside(signs().for_another, told, heard):
        for fact in heard.facts:
            known = slot(fact.key) == "uses" and fact.key.startswith(told.key.partition(".uses")[0])
            if known and kind_of_tool(fact.value) == kind and not same(fact.value, told.value, fact.key):
                yield fact


def _issued_before(told: Told, heard: Heard) -> Iterator[Fact]:
    """Give the identifier that was issued anew: the only one of its kind, or one that is named."""
    before = [fact for fact in heard.facts if fact.key == told.key and not same(fact.value, told.value, fact.key)]
    named = [fact for fact in before if any(True for _ in literal(heard.text, fact.value))]
    if _beside(signs().issued_anew, told, heard):
        yield from named or (before if len(before) == 1 else [])


def _beside(sign: re.Pattern[str], told: Told, heard: Heard) -> bool:
    return sign.search(heard.text, max(0, told.start - AROUND), told.end + AROUND) is not None


def _meant(told: Told, heard: Heard) -> Iterator[Told]:
    """Give what is believed under another key that a taking back names ("doesn't do drone racing": a like of it)."""
    if not told.value or any(_is_named(told, fact) for fact in heard.facts if fact.key == told.key):
        return
    owner = told.key.rpartition(".")[0]
    for fact in heard.readable:
        if fact.key.rpartition(".")[0] == owner and _is_named(told, fact) and not heard.is_told(fact):
            yield replace(told, key=fact.key, value=fact.value)


def _is_named(told: Told, fact: Fact) -> bool:
    """Say whether the words of a taking back end with a value: "indoor climbing" is climbing, "climbing shoes" are not."""
    said = told.value.lower()
    return same(told.value, fact.value, fact.key) or any(end == len(said) for _, end in literal(said, fact.value))
