"""Tests of long tool results: what of them is shown, and what is said of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory.prompt_texts import Language
from memory.tokens import count_message, count_tokens
from memory.window import cut
from memory.window.long_results import shortened

LOG = "\n".join(f"2026-03-0{n % 9 + 1} line {n}: request served in {n} ms" for n in range(2_000))


def result(text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id="c1", id="t-1", name="read_log", status="error")


@given(st.text(max_size=400).map(lambda text: text * 40), st.integers(12, 2_000), st.sampled_from(["zh", "en"]))
def test_a_result_is_itself_or_within_its_room(text: str, max_tokens: int, language: Language) -> None:
    short = shortened(result(text), max_tokens=max_tokens, count=count_message, language=language)
    assert (short.id, short.tool_call_id, short.name, short.status) == ("t-1", "c1", "read_log", "error")
    reference = 220
    assert short.text == text or count_tokens(short.text) <= max(max_tokens, reference)
    assert short.text == text or len(short.text) < len(text) + reference


def test_a_long_result_has_its_head_its_tail_and_a_reference() -> None:
    short = shortened(result(LOG), count=count_message, language="en").text
    assert short.startswith("2026-03-01 line 0: request served in 0 ms\n")
    assert short.endswith("line 1999: request served in 1999 ms")
    assert 700 < count_tokens(short) <= 1_000
    (reference,) = [line for line in short.splitlines() if line.startswith("[")]
    head, tail = short.split(reference)
    gone = count_tokens(LOG) - count_tokens(head) - count_tokens(tail)
    said = int(reference.split()[1])
    assert abs(said - gone) <= gone // 10
    assert "message t-1 of this thread" in reference
    assert "jiyi threads show" in reference
    assert all(line in LOG for line in (head + tail).splitlines())


def test_the_reference_is_in_the_users_language() -> None:
    call = AIMessage("", tool_calls=[{"name": "read_log", "args": {}, "id": "c1"}])
    for question, words in (
        ("看看日志", "完整结果是本对话中的消息 t-1"),
        ("show me the log", "The whole result is message t-1"),
    ):
        window = cut([HumanMessage(question), call, result(LOG)], strategy="fixed")
        assert words in window.messages[-1].text


def test_only_the_copy_that_is_shown_is_short() -> None:
    call = AIMessage("", tool_calls=[{"name": "read_log", "args": {}, "id": "c1"}])
    thread: list[BaseMessage] = [HumanMessage("看看日志"), call, result(LOG)]
    window = cut(thread, strategy="budget")
    assert thread[-1].content == LOG
    assert (window.messages[-1].id, window.left_out) == ("t-1", ())
    assert window.messages[-1].text != LOG


def test_pictures_of_a_long_result_stay() -> None:
    picture = {"type": "image", "url": "https://example.org/a.png"}
    message = ToolMessage([{"type": "text", "text": LOG}, picture], tool_call_id="c1", id="t-1")
    short = shortened(message, count=count_message, language="en")
    assert isinstance(short.content, list)
    assert [block["type"] for block in short.content if isinstance(block, dict)] == ["text", "image"]
    assert count_tokens(short.text) <= 1_000


def test_a_result_of_a_thousand_tokens_is_shown_whole() -> None:
    whole = result("字" * 1_000)
    assert shortened(whole, count=count_message, language="zh") is whole
    assert shortened(result("字" * 1_001), count=count_message, language="zh").text != whole.text


@pytest.mark.parametrize("text", ["x" * 3_000_000, "字" * 1_000_000, "a\n" * 1_000_000, "🎉" * 500_000])
@pytest.mark.timeout(20)
def test_a_huge_result_is_cut_at_once(text: str) -> None:
    assert count_tokens(shortened(result(text), count=count_message, language="zh").text) <= 1_000
