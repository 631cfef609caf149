"""Varied messages: the marks stay on their words, and what is measured is neither varied nor lent."""

from __future__ import annotations

import pytest

from bench.marked import FOLDER, Marked, read_marked
from bench.varied import varied
from memory.tagging.marks import Mark
from memory.words import has_cjk

MESSAGES = read_marked(sorted(FOLDER.glob("*.txt")))[::7]


@pytest.fixture(scope="module")
def others() -> list[Marked]:
    return varied(MESSAGES, seed=1)


def words_of(message: Marked) -> list[str]:
    return [message.text[mark.start : mark.end] for mark in message.marks]


def test_each_message_keeps_its_marks_in_order_and_what_stands_between_them(others: list[Marked]) -> None:
    for before, after in zip(MESSAGES, others, strict=True):
        told = [(mark.owner, mark.attribute, mark.ended) for mark in before.marks]
        assert [(mark.owner, mark.attribute, mark.ended) for mark in after.marks] == told
        assert _between(after).lower() == _between(before).lower()


def test_many_values_are_others_and_each_is_said_somewhere_under_the_same_tag(others: list[Marked]) -> None:
    said = {(mark.owner, mark.attribute, word.lower()) for one in MESSAGES for mark, word in _pairs(one)}
    pairs = [(mark, word) for one in others for mark, word in _pairs(one)]
    assert {(mark.owner, mark.attribute, word.lower()) for mark, word in pairs} <= said
    changed = sum(one.lower() != other.lower() for one, other in _beside(others))
    assert 0.2 < changed / len(pairs) < 0.5
    assert all(has_cjk(one) == has_cjk(other) for one, other in _beside(others))


def test_what_is_held_out_stays_and_lends_nothing() -> None:
    held_out = [one for one in MESSAGES if one.is_held_out]
    assert held_out
    assert varied(held_out, seed=1) == held_out
    alone = next(one for one in MESSAGES if one.marks and not one.is_held_out)
    first, *rest = varied([alone, *held_out], seed=3)
    assert (first.text.lower(), rest) == (alone.text.lower(), held_out)


def test_the_same_seed_gives_the_same_and_another_one_others(others: list[Marked]) -> None:
    assert varied(MESSAGES, seed=1) == others
    assert varied(MESSAGES, seed=2) != others


def _pairs(message: Marked) -> list[tuple[Mark, str]]:
    return list(zip(message.marks, words_of(message), strict=True))


def _beside(others: list[Marked]) -> list[tuple[str, str]]:
    pairs = zip(MESSAGES, others, strict=True)
    return [both for before, after in pairs for both in zip(words_of(before), words_of(after), strict=True)]


def _between(message: Marked) -> str:
    text, at = "", 0
    for mark in message.marks:
        text += message.text[at : mark.start] + "|"
        at = mark.end
    return text + message.text[at:]
