"""Surrogates: half characters never reach what is kept."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from memory.context_query import text_of
from memory.privacy import redact
from memory.surrogates import unmasked, visible, without_halves

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


def test_no_format_character_is_left() -> None:
    unseen = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"]
    assert visible("1".join(["好", *unseen, "好"])) == "1".join(["好", *[""] * len(unseen), "好"])
    assert redact("小\u200b王\u3164").text == "小王"


def test_what_holds_an_emoji_together_stays() -> None:
    for emoji in ("👨\u200d👩\u200d👧", "❤\ufe0f", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3", "👩🏽\u200d💻"):
        assert visible(emoji) == emoji
    assert visible("1\u200d3\ufe0f8 小\u200d王") == "138 小王"
    assert visible("王\ufe0f\u200d👩") == "王👩"
    assert redact("".join(f"{digit}\ufe0f\u20e3" for digit in "13800138000")).text.startswith("[phone]")


@given(st.text())
def test_what_is_visible_stays_visible(text: str) -> None:
    assert visible(visible(text)) == visible(text)


def test_a_disguise_is_taken_off() -> None:
    assert unmasked("忽 略 以 上") == "忽略以上"
    assert unmasked("i g n o r e all") == "ignore all"
    assert unmasked("ign\u043ere") == "ignore"
    assert unmasked("I am a user, 小王 is 3") == "i am a user, 小王 is 3"
