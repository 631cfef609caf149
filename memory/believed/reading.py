"""reading: a message cut into what it tells in earnest, and where in it signs of a change stand around a value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory.asking import opens_asking
from memory.believed.mentions import last_other, speaks_of
from memory.believed.signs import MARK, Patterns, signs
from memory.clauses import Clause, Reading
from memory.kinds import Fact

NAMED = frozenset({"person", "pet", "thing"})
"""What begins the keys of what is not the user's own."""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A stretch of a message in lower case, told in earnest: a clause, or a sentence up to what it asks.

    `start`, `end`: where it stands in the message; `sentence`: where its sentence begins.
    """

    message: str
    start: int
    end: int
    sentence: int

    @property
    def text(self) -> str:
        """Give its words."""
        return self.message[self.start : self.end]

    @property
    def lead(self) -> str:
        """Give what its sentence says before it."""
        return self.message[self.sentence : self.start]

    def holds(self, start: int, end: int) -> bool:
        """Say whether a stretch of the message is part of it."""
        return self.start <= start and end <= self.end

    def masked(self, start: int, end: int) -> str:
        """Give its text with a mark in the place of a value, which stands so in the message."""
        return f"{self.message[self.start : start]}{MARK}{self.message[end : self.end]}"


def clauses_of(reading: Reading, message: str) -> Iterator[Passage]:
    """Give each clause that tells something; `message` is the text in lower case."""
    for clause in reading.clauses:
        if not (clause.unreal or clause.asked or opens_asking(message[clause.start : clause.end])):
            yield Passage(message=message, start=clause.start, end=clause.end, sentence=clause.sentence_start)


def sentences_of(reading: Reading, message: str) -> Iterator[Passage]:
    """Give each sentence that tells something, up to what it asks."""
    together: dict[int, list[Clause]] = defaultdict(list)
    for clause in reading.clauses:
        together[clause.sentence_start].append(clause)
    for start, clauses in together.items():
        end = min([clause.start for clause in clauses if clause.asked] or [clauses[-1].end])
        end -= len(message[start:end]) - len(message[start:end].rstrip(" ,"))
        if end > start and not any(clause.unreal for clause in clauses):
            yield Passage(message=message, start=start, end=end, sentence=start)


def lowered(text: str) -> str:
    """Give a text in lower case, as long as it was."""
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def says(passage: Passage, start: int, end: int, patterns: Patterns) -> Iterator[re.Match[str]]:
    """Give each sign around a value that is not of what is only wanted, feared or yet to come."""
    masked = passage.masked(start, end)
    for pattern in patterns:
        for match in pattern.finditer(masked):
            if not any(sign.search(masked[: match.start()]) for sign in signs().not_yet):
                yield match


def is_for_now(passage: Passage) -> bool:
    """Say whether a passage tells of what is so for a while only ("done for today", 周末)."""
    return any(sign.search(passage.text) for sign in signs().for_now)


def is_spoken_of(fact: Fact, passage: Passage, upto: str, people: Iterable[str]) -> bool:
    """Say whether a passage, read up to the end of a sign, speaks of whom or what a fact is about."""
    first, *rest = fact.key.split(".")
    if first in NAMED:
        return bool(rest) and speaks_of(rest[0], passage.message[: passage.end])
    said = f"{passage.lead}{upto}"
    other = last_other(said, people)
    return other < 0 or signs().first_person.search(said, other) is not None
