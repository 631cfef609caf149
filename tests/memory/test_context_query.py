"""Tests of what memory is searched with."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory.context_query import MAX_BORROWED_CHARS, in_context, is_elliptical, text_of
from memory.importance import is_small_talk


def said(*texts: str) -> list[BaseMessage]:
    """Build a thread in which the model answers each message but the last."""
    thread: list[BaseMessage] = []
    for text in texts:
        thread.extend([HumanMessage(text), AIMessage("好的。")])
    return thread[:-1]


@pytest.mark.parametrize(
    "text",
    [
        "那个呢？", "退款呢？", "它什么时候到？", "进度怎么样了？", "多久？", "为什么？", "这个可以退吗？",
        "他喜欢什么？",
        "那家店在哪里？",
        "查一下进度", "第二个怎么样", "继续",
        "and the second one?", "what about the blue one?", "When will it arrive?", "How much is it?", "why?",
        "Is she coming?", "any news?", "I want to cancel it", "我想取消它", "which one is cheaper?",
    ],
)  # fmt: skip
def test_a_message_that_leans_on_another_is_seen_to(text: str) -> None:
    assert is_elliptical(text)


@pytest.mark.parametrize(
    "text",
    [
        "我的订单号是 #8842，帮我查物流", "我叫什么名字？", "我住在哪里？", "今天天气怎么样", "讲个笑话",
        "我的生日是哪天",
        "帮我订一张明天去上海的高铁票", "公司的地址电话", "其他城市的天气预报",
        "What is my name?", "Where do I live?", "What is the capital of France?", "Tell me a joke about cats",
        "I bought a new car last week and it broke down on the highway this morning near the bridge",
        "我的上司他在广州上班", "When did Caroline meet her friends?",
        "谢谢", "还在吗", "好的，谢谢", "thanks a lot!", "ok", "2+2", "👍", "",
    ],
)  # fmt: skip
def test_a_message_that_stands_by_itself_is_left_alone(text: str) -> None:
    assert not is_elliptical(text)


def test_what_is_missing_is_taken_from_the_turn_before() -> None:
    assert in_context(said("我的订单号是 #8842", "进度怎么样了？")) == "我的订单号是 #8842\n进度怎么样了？"
    assert in_context(said("Which trains go to Xi'an tomorrow?", "and the second one?")) == (
        "Which trains go to Xi'an tomorrow?\nand the second one?"
    )


def test_it_goes_back_to_the_nearest_turn_that_stands_by_itself() -> None:
    thread = said("上海有什么好吃的餐厅", "我想买一台新的笔记本电脑", "轻一点的呢？", "它多少钱？")
    assert in_context(thread) == "我想买一台新的笔记本电脑\n轻一点的呢？\n它多少钱？"


def test_it_goes_back_three_turns_at_most() -> None:
    assert in_context(said("订一张去北京的机票", *["那个呢？"] * 5)).count("\n") == 3


def test_small_talk_in_between_is_passed_over() -> None:
    assert (
        in_context(said("我的订单号是 #8842", "好的，谢谢", "它什么时候到？")) == "我的订单号是 #8842\n它什么时候到？"
    )


def test_small_talk_and_sums_borrow_nothing() -> None:
    for text in ("谢谢", "还在吗", "2+2", "thanks!"):
        assert in_context(said("我的订单号是 #8842", text)) == text


def test_in_a_new_thread_there_is_nothing_to_borrow() -> None:
    assert in_context(said("进度怎么样了？")) == "进度怎么样了？"


def test_what_the_model_and_the_tools_said_is_not_searched_with() -> None:
    call = {"name": "track", "args": {}, "id": "c1", "type": "tool_call"}
    thread = [
        SystemMessage("规则"),
        HumanMessage("我的包裹到哪里了，单号 SF123"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("杭州", tool_call_id="c1"),
        HumanMessage("它什么时候到？"),
        AIMessage("明天"),
    ]
    assert in_context(thread) == "我的包裹到哪里了，单号 SF123\n它什么时候到？"


def test_of_a_long_turn_the_end_is_borrowed() -> None:
    long = "这里是很长的一段背景介绍，" * 50 + "我的问题是关于订单 #8842 的"
    borrowed, asked = in_context(said(long, "它怎么样了？")).split("\n")
    assert asked == "它怎么样了？"
    assert len(borrowed) <= MAX_BORROWED_CHARS
    assert borrowed.startswith("这里是")
    assert borrowed.endswith("#8842 的")


def test_only_the_text_of_blocks_is_read() -> None:
    blocks: list[str | dict[Any, Any]] = [
        {"type": "text", "text": "这张图里"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        "是什么",
        {"type": "text", "text": " "},
    ]
    assert text_of(HumanMessage(blocks)) == "这张图里\n是什么"
    assert text_of(HumanMessage("  你好 ")) == "你好"
    assert in_context([HumanMessage("一"), HumanMessage([blocks[1]])]) == ""


def test_without_a_user_message_there_is_no_query() -> None:
    assert in_context([]) == in_context([AIMessage("好")]) == ""


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_the_last_message_ends_the_query(texts: list[str]) -> None:
    query = in_context(said(*texts))
    assert query.endswith(texts[-1].strip())
    assert not query or texts[-1].strip()


@given(st.text(max_size=30))
def test_small_talk_is_never_elliptical(text: str) -> None:
    assert not (is_small_talk(text) and is_elliptical(text))


@pytest.mark.parametrize("text", ["嗯" * 20_000 + "x", "haha" * 5_000 + "z", "and " + "w " * 9_000, "呢" * 20_000])
def test_a_hostile_message_takes_no_time(text: str) -> None:
    started = time.perf_counter()
    is_elliptical(text)
    assert time.perf_counter() - started < 2
