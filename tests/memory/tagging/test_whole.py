"""Whole: marks begin and end where words do, and neighbours that say the same are one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.tagging.marks import Mark
from memory.tagging.whole import whole


def mark(start: int, end: int, *, attribute: str = "hobby", ended: bool = False, confidence: float = 0.8) -> Mark:
    return Mark(start=start, end=end, owner="user", attribute=attribute, ended=ended, confidence=confidence)


def words(text: str, *marks: Mark) -> list[str]:
    return [text[one.start : one.end] for one in whole(text, marks)]


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        ("I fail every midterm", [mark(13, 16)], ["midterm"]),
        ("a dodgy knee again", [mark(2, 5), mark(5, 12)], ["dodgy knee"]),
        ("I do aqua-jogging now", [mark(5, 9), mark(10, 17)], ["aqua-jogging"]),
        ("Rock & roll, chess", [mark(12, 18)], ["chess"]),
        ("最近迷上了陶艺，周末去", [mark(5, 7)], ["陶艺"]),
        ("在学pottery呢", [mark(2, 5)], ["pottery"]),
        ("“陶艺”", [mark(0, 4)], ["陶艺"]),
    ],
)
def test_a_mark_covers_whole_words(text: str, marks: list[Mark], expected: list[str]) -> None:
    assert words(text, *marks) == expected


def test_neighbours_that_say_something_else_stay_apart() -> None:
    text = "Ada chess"
    assert words(text, mark(0, 3, attribute="name"), mark(4, 9)) == ["Ada", "chess"]
    assert words(text, mark(0, 3, ended=True), mark(4, 9)) == ["Ada", "chess"]


def test_of_two_marks_on_the_same_words_the_surer_one_stays() -> None:
    (kept,) = whole("chess", [mark(0, 5, confidence=0.4), mark(0, 5, attribute="likes", confidence=0.7)])
    assert kept.attribute == "likes"


TEXTS = st.text(alphabet=st.sampled_from("abc é,.'-! 我在学 12😂"), max_size=30)


@given(
    TEXTS, st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9), st.sampled_from(["hobby", "likes"])), max_size=6)
)
def test_marks_stay_in_the_text_in_order_and_apart(text: str, spans: list[tuple[int, int, str]]) -> None:
    marks = [mark(at, at + size, attribute=name) for at, size, name in spans if at + size <= len(text)]
    found = whole(text, marks)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert whole(text, found) == found
