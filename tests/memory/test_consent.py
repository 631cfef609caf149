"""Consent: only a clear yes is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.consent import AGREED, DECLINED, agrees, is_verdict

paddings = st.text(st.sampled_from("。.!！，,~ "), max_size=3)


@pytest.mark.parametrize("answer", ["好的", "可以。", "是的！", " Yes ", "OK", "y", "确认", "没问题", True])
def test_a_clear_yes_agrees(answer: object) -> None:
    assert agrees(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "不",
        "不好",
        "不可以",
        "好像不行",
        "no",
        "not ok",
        "yes?",
        "是吗",
        "maybe",
        "好的，不过先别取消",
        "",
        None,
        False,
        1,
        ["yes"],
    ],
)
def test_whatever_is_no_clear_yes_is_a_no(answer: object) -> None:
    assert not agrees(answer)


@given(st.sampled_from(sorted(AGREED | DECLINED)), paddings, paddings)
def test_space_and_punctuation_around_a_verdict_change_nothing(word: str, before: str, after: str) -> None:
    answer = f"{before}{word.upper()}{after}"
    assert is_verdict(answer)
    assert agrees(answer) == (word in AGREED)


@pytest.mark.parametrize("text", ["#8843 现在什么状态", "好的，帮我查物流", "what?", ""])
def test_another_message_is_no_verdict(text: str) -> None:
    assert not is_verdict(text)


def test_no_word_means_both() -> None:
    assert AGREED.isdisjoint(DECLINED)


@given(st.text(max_size=8))
def test_who_agrees_has_given_a_verdict(text: str) -> None:
    assert is_verdict(text) or not agrees(text)
