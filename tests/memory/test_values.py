"""When two wordings are the same value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.values import normalised, same_value

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
words = st.text("abc素食茶é", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("素食", " 素食。"),
        ("素食了", "素食"),
        ("Ｐｙｔｈｏｎ", "python"),
        ("Ice cream", "ice-cream!"),
        ("A vegetarian", "vegetarian"),
        ("the Beatles", "Beatles"),
        ("ERR-4471", "err 4471"),
        ("1,000 元", "1000元"),
        ("《三体》", "三体"),
        ("cafe\u0301", "café"),
        ("杭\u200b州", "杭州"),
        ("#8842", "＃8842"),
    ],
)
def test_width_case_space_and_punctuation_do_not_tell_values_apart(one: str, other: str) -> None:
    assert same_value(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("allergic to nuts", "not allergic to nuts"),
        ("喜欢香菜", "不喜欢香菜"),
        ("吃肉", "不吃肉"),
        ("vegetarian", "non-vegetarian"),
        ("can swim", "can't swim"),
        ("#8842", "8842"),
        ("C", "C++"),
        ("C#", "C"),
        ("3.11", "311"),
        ("1.5", "15"),
        ("-5", "5"),
        ("12:30", "1230"),
        ("1 2", "12"),
        ("2024-01-11", "2024-11-1"),
        ("酒吧", "酒"),
        ("目的", "目"),
        ("🍵", "☕"),
    ],
)
def test_what_differs_in_meaning_stays_apart(one: str, other: str) -> None:
    assert not same_value(one, other)


@given(text)
def test_normalising_twice_changes_nothing(value: str) -> None:
    assert normalised(normalised(value)) == normalised(value)


@given(text)
def test_only_a_value_with_nothing_to_see_becomes_blank(value: str) -> None:
    assert normalised(value) or not any(char.isprintable() and not char.isspace() for char in value)


@given(words, words)
def test_a_negation_is_never_the_same_as_what_it_negates(one: str, other: str) -> None:
    assert not same_value(f"{one} {other}", f"not {one} {other}")
    assert not same_value(f"{one}{other}", f"不{one}{other}")


@given(words, st.sampled_from(["。", "!", " ", "，", "\n", "…"]))
def test_punctuation_around_a_value_does_not_matter(value: str, mark: str) -> None:
    assert same_value(value, f"{mark}{value}{mark}")
