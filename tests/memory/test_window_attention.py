"""Tests of the window by attention: what bears on the question, what matters and what is fresh is shown."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from memory.tokens import count_messages
from memory.window import cut
from memory.window.attention import weights
from memory.window.blocks import turns_of


def thread_of(*said: str) -> list[BaseMessage]:
    """Build a thread of questions with short answers; the last is not answered yet."""
    pairs: list[tuple[BaseMessage, BaseMessage]] = [
        (HumanMessage(text, id=f"h{n}"), AIMessage("好", id=f"a{n}")) for n, text in enumerate(said)
    ]
    return [message for pair in pairs for message in pair][:-1]


def shown(thread: list[BaseMessage], max_tokens: int) -> list[str]:
    window = cut(thread, strategy="attention", max_tokens=max_tokens)
    return [message.text for message in window.messages if isinstance(message, HumanMessage)]


CHATTER = [f"第{n}天我们去了公园散步" for n in range(30)]
ENGLISH_CHATTER = [f"on day {n} we had a walk in the park" for n in range(30)]


@pytest.mark.parametrize(
    ("told", "chatter", "question"),
    [
        ("我的车停在地下三层 B 区", CHATTER, "我的车停在哪里？"),
        ("my car is parked on level three, section B", ENGLISH_CHATTER, "Where is my car parked?"),
    ],
)
def test_what_bears_on_the_question_is_shown_from_far_back(told: str, chatter: list[str], question: str) -> None:
    thread = thread_of(told, *chatter, question)
    seen = shown(thread, 120)
    assert (seen[0], seen[-1]) == (told, question)
    assert told not in [m.text for m in cut(thread, strategy="budget", max_tokens=120).messages]


@pytest.mark.parametrize(
    ("told", "chatter", "question"),
    [
        ("记住：我决定 3 月 5 日交房，编号 K-77", CHATTER, "随便聊聊吧，讲个笑话"),
        ("remember: I decided to hand over the flat on March 5, ref K-77", ENGLISH_CHATTER, "tell me a joke please"),
    ],
)
def test_what_matters_is_shown_whatever_is_asked(told: str, chatter: list[str], question: str) -> None:
    assert told in shown(thread_of(told, *chatter, question), 200)


def test_what_is_fresh_wins_among_equals() -> None:
    thread = thread_of(*CHATTER, "讲个笑话")
    seen = shown(thread, 100)
    assert seen == [*CHATTER[-len(seen) + 1 :], "讲个笑话"]


def test_a_question_that_leans_on_the_turn_before_is_completed_from_it() -> None:
    thread = thread_of("蓝色自行车的锁坏了", *CHATTER, "蓝色自行车的锁修好了没有？", "那个呢？")
    assert shown(thread, 110)[0] == "蓝色自行车的锁坏了"


def test_the_weights_are_the_published_ones() -> None:
    thread = thread_of("谢谢", "订单 #8842", "订单 #8842")
    small, before, now = weights(thread, turns_of(thread))
    assert now == pytest.approx(0.5 * 1 + 0.3 * 0.5 + 0.2 * 1)
    assert before == pytest.approx(0.5 * 1 + 0.3 * 0.5 + 0.2 * 0.5**0.1)
    assert small == pytest.approx(0.2 * 0.5**0.2)


said = st.sampled_from([*CHATTER[:4], "订单 #8842 取消", "my dog is called Rex", "谢谢", "长" * 60, ""])


@given(st.lists(said, min_size=1, max_size=20), st.integers(0, 400))
def test_what_is_shown_fits_in_time_order_with_the_last_turn(texts: list[str], max_tokens: int) -> None:
    thread = [SystemMessage("规则", id="s"), *thread_of(*texts)]
    window = cut(thread, strategy="attention", max_tokens=max_tokens)
    ids = [message.id for message in window.messages]
    assert ids == [message.id for message in thread if message.id in ids]
    assert ids[-1] == thread[-1].id
    assert len(ids) == 2 or count_messages(window.messages) <= max_tokens
    assert all((f"h{n}" in ids) == (f"a{n}" in ids) for n in range(len(texts) - 1))


@given(st.lists(said, min_size=1, max_size=20))
def test_with_room_for_all_it_shows_all(texts: list[str]) -> None:
    thread = [HumanMessage(text or "一", id=f"h{n}") for n, text in enumerate(texts)]
    assert cut(thread, strategy="attention", max_tokens=5_000).messages == tuple(thread)


def test_five_hundred_turns_are_weighed_in_a_blink() -> None:
    thread = thread_of(
        *(f"第{n}次：今天在公司讨论了项目 P-{n} 的预算和排期，然后去食堂吃了饭" for n in range(500)), "P-77 的预算？"
    )
    started = time.perf_counter()
    seen = shown(thread, 2_000)
    assert time.perf_counter() - started < 2
    assert "P-77" in seen[0] or any("P-77 " in text for text in seen)
