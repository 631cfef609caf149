"""Decoding: marks from what each piece most likely is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.tag.decoding import NAMING, OWNERS, marks_of
from store.tag.pieces import Piece

ATTRIBUTES = (NAMING, "hobby", "lives_in")


def scores(parts: list[list[float]], *, attribute: int = 1, owner: int = 0, ended: int = 0) -> dict[str, np.ndarray]:
    def sure(number: int, classes: int) -> np.ndarray:
        return np.tile(np.where(np.arange(classes) == number, 9.0, 0.0), (len(parts), 1)).astype(np.float32)

    return {
        "part": np.array(parts, dtype=np.float32),
        "attribute": sure(attribute, len(ATTRIBUTES)),
        "owner": sure(owner, len(OWNERS)),
        "ended": sure(ended, 2),
    }


def pieces(count: int, *, prefix: int = 0) -> list[Piece]:
    outside = [Piece(number=0, start=-1, end=-1)] * prefix
    return [*outside, *(Piece(number=0, start=2 * at, end=2 * at + 2) for at in range(count - prefix))]


OUT, BEGIN, ON = [5.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 5.0]


def test_a_beginning_and_what_goes_on_are_one_mark() -> None:
    (mark,) = marks_of(scores([OUT, BEGIN, ON, OUT], attribute=2), pieces(4), ATTRIBUTES)
    assert (mark.start, mark.end, mark.owner, mark.attribute, mark.ended) == (2, 6, "user", "lives_in", False)
    assert mark.confidence > 0.9


def test_two_beginnings_are_two_marks() -> None:
    found = list(marks_of(scores([BEGIN, BEGIN], owner=2, ended=1), pieces(2), ATTRIBUTES))
    assert [(mark.start, mark.end, mark.owner, mark.ended) for mark in found] == [
        (0, 2, "pet", True),
        (2, 4, "pet", True),
    ]


def test_words_that_name_somebody_have_no_attribute() -> None:
    (mark,) = marks_of(scores([BEGIN], attribute=0, owner=1), pieces(1), ATTRIBUTES)
    assert (mark.owner, mark.attribute) == ("person", "")


def test_nothing_goes_on_that_has_not_begun() -> None:
    surely_out, rather_on = [9.0, 0.0, 0.0], [1.0, 0.0, 5.0]
    assert list(marks_of(scores([surely_out, rather_on, OUT]), pieces(3), ATTRIBUTES)) == []
    (mark,) = marks_of(scores([[5.0, 4.9, 0.0], ON, OUT]), pieces(3), ATTRIBUTES)
    assert (mark.start, mark.end) == (0, 4)


def test_the_prefix_of_the_model_is_never_marked() -> None:
    found = marks_of(scores([BEGIN, ON, BEGIN]), pieces(3, prefix=2), ATTRIBUTES)
    assert [(mark.start, mark.end) for mark in found] == [(0, 2)]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_where_all_is_outside_nothing_is_marked(count: int) -> None:
    assert list(marks_of(scores([OUT] * count), pieces(count), ATTRIBUTES)) == []


@given(st.lists(st.lists(st.floats(-9, 9, width=32), min_size=3, max_size=3), min_size=1, max_size=12))
def test_marks_are_in_order_and_apart(parts: list[list[float]]) -> None:
    found = list(marks_of(scores(parts), pieces(len(parts)), ATTRIBUTES))
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= mark.confidence <= 1 and mark.start < mark.end for mark in found)
