"""When a proposed value is the labelled one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.facts_values import is_value

SAME = [
    ("a product designer", "product designer"),
    ("Product designer.", "product designer"),
    ("Harbour Lane Books", "harbour lane books"),
    ("178 centimetres", "178cm"),
    ("62 kilos", "62 kg"),
    ("play the cello (2026-05-08)", "play the cello"),
    ("learn Welsh", "Welsh"),
    ("练书法", "书法"),
    ("高级工程师", "工程师"),
    ("178厘米", "178cm"),
    ("62公斤", "62kg"),
    ("分享经验，促进合作", "分享经验，促进合作。。"),
    ("去医院复查 (2026-05-05)", "去医院复查"),
    ("江苏无锡", "江苏"),
]
APART = [
    ("meat", "no meat"),
    ("fish", "don't eat fish"),
    ("sugar", "sugar free"),
    ("Ann", "Anna"),
    ("C", "C++"),
    ("3", "33"),
    ("a tea", "tea with a lot of lemon"),
    ("吃辣", "不吃辣"),
    ("糖", "无糖"),
    ("3岁", "33岁"),
    ("五岁", "十五岁"),
    ("南京", "南京市第一中学附属小学"),
    ("上海", "北京"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_cut_otherwise_is_the_same_value(one: str, other: str) -> None:
    assert is_value(one, other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_means_something_else_is_another_value(one: str, other: str) -> None:
    assert not is_value(one, other)


@given(st.text(), st.text())
def test_it_does_not_matter_which_of_two_values_was_proposed(one: str, other: str) -> None:
    assert is_value(one, other) == is_value(other, one)


@given(st.text())
def test_a_value_is_itself(value: str) -> None:
    assert is_value(value, value)


@given(
    st.lists(st.sampled_from(["tea", "milk", "lemon", "茶", "奶", "7"]), min_size=1),
    st.lists(st.sampled_from(["red", "blue", "红"])),
)
def test_words_that_are_added_matter_when_they_are_more_than_what_was_there(said: list[str], added: list[str]) -> None:
    kept, more = sum(map(len, said)), sum(map(len, added))
    assert is_value(" ".join(said), " ".join([*said, *added])) == (kept >= more)
