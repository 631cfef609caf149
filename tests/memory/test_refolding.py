"""A summary is folded anew where the messages that it was folded from are not the same any more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.refolding import folded_anew, folded_from, language_of
from memory.summary import fold_summary
from memory.window import to_fold

SAID = {
    "zh": ("我的订单号是 #8842", "发票抬头写青松公司", "今天有点累"),
    "en": ("My order number is #8842", "Make the invoice out to Pinewood Ltd", "I am a bit tired today"),
}


def thread(*texts: str) -> list[BaseMessage]:
    said = [(HumanMessage(text, id=f"h{at}"), AIMessage("ok", id=f"a{at}")) for at, text in enumerate(texts)]
    return [message for turn in said for message in turn]


def all_of(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    return messages


def folded_turn_by_turn(messages: list[BaseMessage]) -> tuple[str, str]:
    """Fold as a conversation does: asked after each turn, before the next is said."""
    summary, upto = "", ""
    for end in range(2, len(messages) - 1, 2):
        due = to_fold(messages[:end], summarized_upto=upto or None)
        if due:
            summary = fold_summary(summary, due, language=language_of(due))
            upto = str(due[-1].id)
    return summary, upto


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("turns", [3, 10, 11, 25, 60])
def test_folded_anew_a_thread_has_the_summary_that_it_had(language: str, turns: int) -> None:
    messages = thread(*(SAID[language][at % 3] + f" {at}" for at in range(turns)))
    assert folded_anew(messages, harmless=all_of) == folded_turn_by_turn(messages)


@given(st.lists(st.text(min_size=1, max_size=30), max_size=40))
def test_it_is_the_same_whatever_was_said(texts: list[str]) -> None:
    messages = thread(*texts)
    summary, upto = folded_anew(messages, harmless=all_of)
    assert (summary, upto) == folded_turn_by_turn(messages)
    assert bool(summary) == bool(upto)


@pytest.mark.parametrize(("language", "gone"), [("zh", "青松"), ("en", "Pinewood")])
def test_what_may_not_be_folded_is_not_in_it(language: str, gone: str) -> None:
    messages = thread(*SAID[language], *(f"{at}?" for at in range(20)))
    assert gone in folded_anew(messages, harmless=all_of)[0]
    summary, _ = folded_anew(messages, harmless=lambda due: [one for one in due if gone not in one.text])
    assert gone not in summary
    assert "#8842" in summary


def test_a_summary_is_of_all_messages_up_to_its_mark_and_of_no_other() -> None:
    messages = thread("one", "two", "three")
    known = folded_from(messages, "a1")
    later = [*messages[:4], *thread("x", "y", "another")[4:]]
    edited = [HumanMessage("uno", id="h0"), *messages[1:]]
    assert known
    assert folded_from(later, "a1") == known
    assert folded_from(edited, "a1") != known
    assert folded_from(messages[1:], "a1") != known
    assert folded_from([*messages[:1], HumanMessage("ok", id="a0"), *messages[2:]], "a1") != known
    assert folded_from(messages, "gone") == ""
    assert folded_from(messages, "") == ""


@given(st.lists(st.text(max_size=10), min_size=1, max_size=6), st.data())
def test_an_edit_before_the_mark_is_always_seen(texts: list[str], data: st.DataObject) -> None:
    messages = thread(*texts)
    at = data.draw(st.integers(0, len(messages) - 1))
    edited = [*messages[:at], messages[at].model_copy(update={"content": messages[at].text + "!"}), *messages[at + 1 :]]
    for place, message in enumerate(messages):
        same = folded_from(messages, str(message.id)) == folded_from(edited, str(message.id))
        assert same == (place < at)


def test_messages_are_summed_up_in_the_users_language() -> None:
    assert language_of(thread("你好")) == "zh"
    assert language_of(thread("hello")) == "en"
    assert language_of([AIMessage("你好")]) == "en"
