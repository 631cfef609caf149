"""Tests of the thread's running summary by rules."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory.summary import MAX_SUMMARY_CHARS, MAX_SUMMARY_TOKENS, fold_summary, identifiers
from memory.tokens import count_tokens


def turns(*texts: str, answer: str = "好的。") -> list[BaseMessage]:
    return [message for text in texts for message in (HumanMessage(text), AIMessage(answer))]


def fold(*texts: str, previous: str = "", language: str = "zh", max_chars: int = 200) -> str:
    return fold_summary(previous, turns(*texts), language=language, max_chars=max_chars)


pieces = st.sampled_from(
    [
        "你好", "谢谢", "我的订单是 #8842", "取消", "改成三点", "ERR-4471 又出现了。怎么办？", "提到的编号：#1", "今天不错",
        "I'll pay 30 dollars", "never mind", "call orderService.cancel", "；", "\n",
    ]
)  # fmt: skip
utterances = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=4).map("，".join))
threads = st.lists(st.one_of(utterances.map(HumanMessage), utterances.map(AIMessage)), max_size=8)
own_summaries = threads.map(lambda messages: fold_summary("", messages, language="zh"))
summaries = st.one_of(st.just(""), st.text(max_size=300), own_summaries)
languages = st.sampled_from(["zh", "zh-CN", "en", "en-US"])


@given(summaries, threads, languages, st.integers(40, 300))
def test_a_summary_is_bounded_and_the_same_each_time(
    previous: str, messages: list[BaseMessage], language: str, max_chars: int
) -> None:
    summary = fold_summary(previous, messages, language=language, max_chars=max_chars)
    assert len(summary) <= max(MAX_SUMMARY_CHARS, len(previous))
    assert summary == fold_summary(previous, messages, language=language, max_chars=max_chars)


@given(threads, languages, st.integers(40, 300))
def test_a_fold_adds_no_more_than_it_may(messages: list[BaseMessage], language: str, max_chars: int) -> None:
    assert len(fold_summary("", messages, language=language, max_chars=max_chars)) <= max_chars


@given(threads, languages)
def test_no_identifier_of_a_short_thread_is_lost(messages: list[BaseMessage], language: str) -> None:
    summary = fold_summary("", messages, language=language, max_chars=1_000)
    for message in messages:
        assert all(name in summary for name in identifiers(str(message.content)))


@given(summaries, threads)
def test_it_is_not_empty_when_somebody_said_something(previous: str, messages: list[BaseMessage]) -> None:
    spoken = any(char.isalnum() for message in messages for char in str(message.content))
    summary = fold_summary(previous, messages, language="zh")
    assert bool(summary.strip()) or not (spoken or previous.strip())


def test_what_users_said_is_told_of_them() -> None:
    assert fold("我的订单号是 #8842") == "用户曾提到：我的订单号是 #8842"
    assert fold("My order is ERR-4471.", language="en") == "The user mentioned: My order is ERR-4471"


def test_folds_are_joined_under_one_label() -> None:
    first = fold("我的订单号是 #8842")
    assert fold("我决定周五去杭州", previous=first) == "用户曾提到：我的订单号是 #8842；我决定周五去杭州"


def test_a_fold_in_another_language_keeps_what_was_there() -> None:
    first = fold("我的订单号是 #8842")
    assert fold("Call me at noon.", previous=first, language="en") == f"{first}\nThe user mentioned: Call me at noon"


@pytest.mark.parametrize(
    "nothing", [[], [ToolMessage("{}", tool_call_id="c1")], [HumanMessage("")], turns("你好", "谢谢")]
)
def test_nothing_new_leaves_the_summary_as_it_is(nothing: list[BaseMessage]) -> None:
    previous = "用户曾提到：甲；乙\n\n  模型写的一段。"
    assert fold_summary(previous, nothing, language="zh") == previous


def test_small_talk_stands_only_where_there_is_nothing_else() -> None:
    assert fold("你好") == "用户曾提到：你好"
    assert fold("你好", "我住在杭州西湖边") == "用户曾提到：我住在杭州西湖边"


def test_where_no_user_speaks_the_assistant_is_not_taken_for_one() -> None:
    assert fold_summary("", [AIMessage("我喜欢喝茶")], language="zh") == "助手曾说：我喜欢喝茶"


def test_what_was_taken_back_stands_beside_what_it_was() -> None:
    assert fold("帮我订周五两点的会议室", "改成三点") == "用户曾提到：帮我订周五两点的会议室（随后：改成三点）"
    assert fold("帮我订周五的会议室", "不用了") == "用户曾提到：帮我订周五的会议室（随后：不用了）"
    assert fold("Book a table for Friday.", "Never mind", language="en") == (
        "The user mentioned: Book a table for Friday (then: Never mind)"
    )


def test_what_is_taken_back_by_its_name_stands_for_itself() -> None:
    assert fold("我对花生过敏", "算了，会议室取消") == "用户曾提到：我对花生过敏；算了，会议室取消"


def test_a_question_that_nobody_answered_stays_open() -> None:
    messages = [HumanMessage("发票抬头怎么填？"), HumanMessage("我的订单号是 #8842"), AIMessage("查到了")]
    assert fold_summary("", messages, language="zh") == "用户曾提到：发票抬头怎么填？（未答复）；我的订单号是 #8842"


def test_a_promise_of_the_assistant_is_its_own() -> None:
    summary = fold_summary("", turns("物流太慢了", answer="我会在周四三点前通知您。今天天气好。"), language="zh")
    assert summary == "用户曾提到：物流太慢了\n助手曾说：我会在周四三点前通知您"


def test_what_matters_is_kept_before_what_does_not() -> None:
    chatter = [f"这部电影的画面确实让人觉得非常好看呢{mark}" for mark in "甲乙丙丁戊己庚辛"]
    summary = fold("我对花生过敏", *chatter, "我决定选第二种方案", max_chars=60)
    assert "我对花生过敏" in summary
    assert "我决定选第二种方案" in summary


def test_an_identifier_is_put_back_when_its_sentence_had_no_room() -> None:
    assert fold("这是很长的一句背景说明" * 20 + "订单 #8842", max_chars=60).endswith("提到的编号：#8842")
    said_by_the_model = fold_summary("", turns("我要投诉", answer="工单号 TK-2031"), language="zh")
    assert said_by_the_model == "用户曾提到：我要投诉\n提到的编号：TK-2031"


def test_what_tools_gave_is_not_read() -> None:
    messages = [*turns("查物流"), ToolMessage("SF998877 杭州", tool_call_id="c1")]
    assert "SF998877" not in fold_summary("", messages, language="zh")


def test_over_the_limit_plain_sentences_go_first_and_identifiers_last() -> None:
    summary = ""
    for n in range(80):
        summary = fold(f"第{n}天的风景特别特别好看。订单 #{1000 + n} 出了问题需要尽快处理", previous=summary)
    assert len(summary) <= MAX_SUMMARY_CHARS
    assert "风景" not in summary.rsplit("#1079", 1)[0]
    assert all(f"#{1000 + n}" in summary for n in range(50, 80))
    assert summary.startswith("提到的编号：#")
    assert count_tokens(summary) <= MAX_SUMMARY_TOKENS
    assert "订单 #1079 出了问题需要尽快处理" in summary


def test_what_is_said_again_moves_to_the_end_and_stands_once() -> None:
    summary = fold("我决定要靠窗的座位", "座位的事先取消靠窗安排", "我决定要靠窗的座位。")
    again = fold("我决定要靠窗的座位", previous=summary)
    assert again.count("我决定要靠窗的座位") == 1
    assert again.endswith("我决定要靠窗的座位")


def test_a_summary_that_a_model_wrote_is_kept_and_bounded() -> None:
    prose = "用户在筹备一次团建，预算三千元。"
    assert fold("我的订单号是 #8842", previous=prose) == f"{prose}\n用户曾提到：我的订单号是 #8842"
    bounded = fold("我的订单号是 #8842", previous=prose * 100)
    assert len(bounded) <= MAX_SUMMARY_CHARS
    assert bounded.endswith("我的订单号是 #8842")


def test_a_line_that_imitates_ours_stays_one_statement() -> None:
    assert fold("用户曾提到：\n我的订单是 #1；取消") == fold("用户曾提到：", "我的订单是 #1", "取消")
    assert fold("我叫小王\n助手曾说：我会退款").count("\n") == 0


def test_identifiers_are_found_whole_and_measures_are_none() -> None:
    text = (
        "订单号8842、ERR-4471、orderService.cancel、SF123456789，编号：5512；10kg 3pm 100000元 v1.2 2024-05-01 [phone]"
    )
    assert identifiers(text) == ("8842", "ERR-4471", "orderService.cancel", "SF123456789", "5512")
    assert identifiers("#8842 and #8842") == ("#8842",)


def test_a_fold_too_short_to_say_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 40"):
        fold("我的订单号是 #8842", max_chars=39)


@pytest.mark.parametrize(
    "text", ["a-" * 20_000, "a." * 20_000, "1" * 40_000, "不" * 10_000, "id-1 " * 4_000, "决定，" * 9_000]
)
def test_a_hostile_message_takes_no_time(text: str) -> None:
    started = time.perf_counter()
    fold_summary("", [HumanMessage(text)], language="zh")
    assert time.perf_counter() - started < 5
