"""Marked: messages whose lasting facts are marked by hand, from which the tagger learns (bench/tagging/README.md)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from memory.extraction import propose
from memory.kinds import TAKES_AWAY, Act
from memory.rules import Rule, rule_books
from memory.tagging.marks import NAMES, Mark, Owner

FOLDER = Path(__file__).parent / "tagging"
_MARK = re.compile(r"\{\{([a-z._]+)\|([^{}|]+)\}\}")
_ENDED = "no."
_NAMED: dict[str, Owner] = {"who": "person", "pet": "pet", "thing": "thing"}
_OWNERS: dict[str, Owner] = {"user": "user", "pref": "user", "person": "person", "pet": "pet", "thing": "thing"}
_OUR_NAMES = {"other": "preference"}
_OWNED: dict[str, Owner] = {"p": "person", "pet": "pet", "thing": "thing"}


@dataclass(frozen=True, kw_only=True)
class Marked:
    """A message, and what in it says something that lasts."""

    text: str
    marks: tuple[Mark, ...]

    @property
    def is_held_out(self) -> bool:
        """Say whether it is kept from training, to measure on: one in twenty, by its words."""
        return int(hashlib.md5(self.text.encode(), usedforsecurity=False).hexdigest(), 16) % 20 == 0


def read_marked(paths: Iterable[Path]) -> list[Marked]:
    """Read files of marked messages, one a line.

    Raises:
        ValueError: A line has a tag that means nothing.
    """
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return [_marked(line) for line in lines if line.strip() and not line.startswith("# ")]


def _marked(line: str) -> Marked:
    text, marks, at = "", [], 0
    for match in _MARK.finditer(line):
        text += line[at : match.start()]
        marks.append(_mark(match[1], len(text), len(text) + len(match[2])))
        text += match[2]
        at = match.end()
    text += line[at:]
    if "{{" in text or "}}" in text:
        raise ValueError(f"A mark is not closed, or its tag is none: {line!r}")
    return Marked(text=text, marks=tuple(marks))


def _mark(tag: str, start: int, end: int) -> Mark:
    said = tag.removeprefix(_ENDED)
    owner, _, attribute = said.rpartition(".")
    return Mark(
        start=start,
        end=end,
        owner=_NAMED.get(said) or (_OWNED[owner] if owner else "user"),
        attribute=NAMES if said in _NAMED else attribute,
        ended=tag != said,
        confidence=1.0,
    )


def of_rules() -> Iterator[Marked]:
    """Give the examples that rules carry, where the words of each value stand in the message; and what must give nothing.

    They are plain statements, of which the marked messages have few.
    """
    for book in rule_books():
        for rule in book.rules:
            for text, told in rule.yes.items():
                marks = [mark for key, values in told.items() for mark in _marks_of(text, key, values)]
                if len(marks) == sum(len(_pairs(values)) for values in told.values()):
                    yield Marked(text=text, marks=tuple(sorted({*marks, *_names_in(text, told)}, key=_place)))
            yield from _left_unread(rule)


def _left_unread(rule: Rule) -> Iterator[Marked]:
    return (Marked(text=text, marks=()) for text in rule.no if not propose(text, said_at=None))


def _pairs(values: Any) -> list[tuple[str, str]]:
    """Give values with what is done to them: a plain one is stated."""
    rows = values if isinstance(values, list) else [values]
    if len(rows) == 2 and rows[1] in get_args(Act):  # noqa: PLR2004  (a value and its act)
        rows = [rows]
    return [(str(row[0]), str(row[1])) if isinstance(row, list) else (str(row), "state") for row in rows]


def _marks_of(text: str, key: str, values: Any) -> Iterator[Mark]:
    owner, _, attribute = key.rpartition(".")
    first = owner.split(".")[0]
    for value, act in _pairs(values):
        at = text.lower().find(value.lower()) if value else -1
        if at < 0 or first not in _OWNERS:
            continue
        whose = _OWNERS[first]
        name = _OUR_NAMES.get(attribute, attribute)
        yield Mark(start=at, end=at + len(value), owner=whose, attribute=name, ended=act in TAKES_AWAY, confidence=1.0)


def _names_in(text: str, told: Iterable[str]) -> Iterator[Mark]:
    """Mark whom the keys of a message are about."""
    for key in told:
        first, *rest = key.split(".")
        at = text.lower().find(rest[0].lower()) if first in _NAMED.values() and rest else -1
        if at >= 0:
            yield Mark(
                start=at, end=at + len(rest[0]), owner=_OWNERS[first], attribute=NAMES, ended=False, confidence=1.0
            )


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start, mark.end


def scored(found: Iterable[tuple[tuple[Mark, ...], Marked]]) -> Iterator[tuple[str, float]]:
    """Give precision and recall of marks: of the same words, and of words that overlap; then how often nothing was there and something was marked."""
    right = near = proposed = labelled = empty = misled = 0
    for marks, message in found:
        meant = [(each.owner, each.attribute, each.ended) for each in message.marks]
        proposed, labelled = proposed + len(marks), labelled + len(meant)
        empty += not meant
        misled += not meant and bool(marks)
        for mark in marks:
            fitting = [each for each in message.marks if _tells(mark) == _tells(each)]
            right += any((each.start, each.end) == (mark.start, mark.end) for each in fitting)
            near += any(each.start < mark.end and mark.start < each.end for each in fitting)
    yield "precision", right / max(1, proposed)
    yield "recall", right / max(1, labelled)
    yield "precision, about", near / max(1, proposed)
    yield "recall, about", near / max(1, labelled)
    yield "misled", misled / max(1, empty)


def _tells(mark: Mark) -> tuple[Owner, str, bool]:
    return mark.owner, mark.attribute, mark.ended
