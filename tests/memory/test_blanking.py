"""Blanking: words are taken out of a text wherever they stand, and only they."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.blanking import FORGOTTEN, blanked, without_value


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("我对花生过敏，住在杭州", "我对花生过敏", f"{FORGOTTEN}，住在杭州"),
        ("I live in  Leeds, near Leedsham.", "i live in leeds", f"{FORGOTTEN}, near Leedsham."),
        ("我对花生过敏。", "我对花生过敏", ""),
        ("what it says was changed since", "I live in Leeds", ""),
        ("nothing to take out", "", "nothing to take out"),
        ("tea, tea and tea", "tea", f"{FORGOTTEN} and {FORGOTTEN}"),
    ],
)
def test_words_are_taken_out_as_they_stand(text: str, words: str, left: str) -> None:
    assert blanked(text, [words]) == left


@pytest.mark.parametrize(
    ("text", "value", "beside", "left"),
    [
        (
            "我的生日是三月五号。三月五号也是植树的日子。",
            "三月五号",
            ["生日"],
            f"我的生日是{FORGOTTEN}。三月五号也是植树的日子。",
        ),
        (
            "My birthday is March 5. On March 5 we met.",
            "March 5",
            ["birthday"],
            f"My birthday is {FORGOTTEN}. On March 5 we met.",
        ),
        ("Leeds and Leedsham", "Leeds", None, f"{FORGOTTEN} and Leedsham"),
        ("version 3.5 is out, not 3.55", "3.5", None, f"version {FORGOTTEN} is out, not 3.55"),
        ("a cat", "a", None, "a cat"),
        ("我喜欢茶。", "茶", None, f"我喜欢{FORGOTTEN}。"),
    ],
)
def test_a_value_is_taken_out_as_a_whole_word(text: str, value: str, beside: list[str] | None, left: str) -> None:
    assert without_value(text, value, beside=beside) == left


@given(st.text(max_size=60), st.text(min_size=2, max_size=8))
def test_a_value_taken_out_is_there_no_more(text: str, value: str) -> None:
    assert without_value(without_value(text, value), value) == without_value(text, value)


@given(st.text(max_size=60), st.text(min_size=1, max_size=8))
def test_what_is_left_of_a_text_is_its_own_words(text: str, words: str) -> None:
    left = blanked(text, [words]).replace(FORGOTTEN, "")
    assert set("".join(left.split())) <= set("".join(text.split()))


def test_quotes_that_overlap_are_taken_out_once() -> None:
    text = "My sister Anna is a nurse. I like tea."
    assert blanked(text, ["Anna is a nurse", "My sister Anna is a nurse"]) == f"{FORGOTTEN}. I like tea."
