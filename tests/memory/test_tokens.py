"""Tests of the token estimate. Counts to compare with were made with the real o200k vocabulary."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from memory.tokens import (
    IMAGE_TOKENS,
    MESSAGE_TOKENS,
    REPLY_TOKENS,
    Usage,
    count_message,
    count_messages,
    count_tokens,
    usage,
)

REAL_O200K = {
    "今天下午三点在二楼会议室开项目评审会，请提前准备好材料。": 20,
    "用户反馈说订单一直没有发货，希望客服尽快核实并给出答复。": 20,
    "The quarterly report is due on Friday, so please send me your figures by Wednesday evening.": 18,
    "We moved the database to another region last night and nothing broke.": 13,
    "def total(prices: list[float]) -> float:\n    return sum(price for price in prices if price > 0)\n": 26,
    '{"order": 8842, "items": [{"sku": "A-1", "count": 2}], "paid": true}': 29,
    "13900001111": 4,
    "ERR-4471 orderService.cancel": 7,
}


def test_nothing_takes_no_tokens_and_anything_at_least_one() -> None:
    assert count_tokens("") == 0
    assert count_tokens("a") == count_tokens("好") == count_tokens(" ") == count_tokens("\n") == 1


@pytest.mark.parametrize(("text", "real"), REAL_O200K.items())
def test_the_estimate_is_not_below_and_not_far_above_what_a_vocabulary_needs(text: str, real: int) -> None:
    assert real <= count_tokens(text) <= 1.5 * real + 1


def test_each_script_has_its_own_rate() -> None:
    assert count_tokens("记忆" * 50) == 100
    assert count_tokens("memory " * 50) == pytest.approx(52, abs=3)
    assert count_tokens("123" * 50) == 50
    assert count_tokens("😀" * 10) == 25
    assert count_tokens("добрый день") <= 6


@given(st.text(), st.text())
def test_a_text_takes_no_more_than_its_parts(first: str, second: str) -> None:
    assert count_tokens(first + second) <= count_tokens(first) + count_tokens(second) + 1


@given(st.text(), st.text())
def test_a_longer_text_does_not_take_less(first: str, second: str) -> None:
    assert count_tokens(first + second) >= count_tokens(first) - 1


@given(st.text())
def test_a_text_that_is_there_is_counted(text: str) -> None:
    assert (count_tokens(text) > 0) == bool(text)


def test_a_message_takes_four_more_than_its_text() -> None:
    assert MESSAGE_TOKENS == 4
    assert count_message(HumanMessage("你好")) == 2 + 4


def test_a_message_of_blocks_counts_its_text_and_its_pictures() -> None:
    blocks: list[str | dict[Any, Any]] = [
        "看",
        {"type": "text", "text": "这张图"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9_000}},
    ]
    assert count_message(HumanMessage(blocks)) == MESSAGE_TOKENS + 4 + IMAGE_TOKENS


def test_a_tool_call_counts_once_even_where_it_stands_in_the_content_too() -> None:
    call = {"name": "track", "args": {"order": "#8842"}, "id": "c1", "type": "tool_call"}
    plain = AIMessage("", tool_calls=[call])
    doubled = AIMessage([{"type": "tool_use", "id": "c1", "name": "track", "input": call["args"]}], tool_calls=[call])
    assert count_message(plain) == count_message(doubled) > 2 * MESSAGE_TOKENS


def test_a_malformed_tool_call_counts() -> None:
    broken = AIMessage("", invalid_tool_calls=[{"name": "f", "args": "{" * 40, "id": "c", "error": "no JSON"}])
    assert count_message(broken) > 20


def test_a_request_counts_two_for_the_reply() -> None:
    messages = [HumanMessage("你好"), ToolMessage("ok", tool_call_id="c1")]
    assert count_messages(messages) == sum(map(count_message, messages)) + REPLY_TOKENS
    assert count_messages(messages, count=lambda _: 1) == 2 + 2


def test_usage_is_rounded_to_one_decimal() -> None:
    assert usage(123, 2_000) == Usage(current=123, max=2_000, remaining=1_877, usage_percent=6.2)
    assert usage(1, 3).usage_percent == 33.3


def test_usage_over_the_maximum_has_a_negative_remainder() -> None:
    assert usage(150, 100) == Usage(current=150, max=100, remaining=-50, usage_percent=150.0)


def test_usage_of_no_maximum_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        usage(1, 0)
