"""Surrogates: half characters never reach what is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from memory.context_query import text_of
from memory.privacy import redact
from memory.surrogates import without_halves

texts = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=20)


def test_half_an_emoji_is_shown_as_one_unknown_character() -> None:
    assert without_halves("好的 \ud83d") == "好的 \ufffd"
    assert without_halves("好的 😀") == "好的 😀"


@given(texts)
def test_what_is_left_can_be_written_and_every_position_stays(text: str) -> None:
    whole = without_halves(text)
    assert len(whole) == len(text)
    assert whole.encode().decode() == whole
    assert without_halves(whole) == whole


@given(texts)
def test_what_is_redacted_or_read_of_a_message_can_be_written(text: str) -> None:
    assert redact(text).text.encode() is not None
    assert text_of(HumanMessage(text)).encode() is not None
    assert text_of(HumanMessage([{"type": "text", "text": text}])).encode() is not None
