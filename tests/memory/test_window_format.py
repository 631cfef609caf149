"""Tests that any provider takes what a window shows, whatever stands in the thread, under each strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count as counting
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory.tokens import count_message, count_messages
from memory.window import Strategy, cut, to_fold
from tests.memory.chat_format import calls_of, faults_of

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
words = st.one_of(
    st.sampled_from(
        ["", " ", "\n", "好的", "我不吃香菜", "order #8842", "订单 ERR-4471 到了吗？", "never mind", "🎉" * 30]
    ),
    st.text(alphabet="ab 好的。\n", max_size=60),
)
blocks = st.one_of(words.map(lambda text: {"type": "text", "text": text}), st.just(picture))
contents: st.SearchStrategy[Any] = st.one_of(words, st.lists(blocks, max_size=3))
results: st.SearchStrategy[Any] = st.one_of(contents, st.sampled_from(["row 17 ok\n" * 900, "结果" * 2_000]))


def said(content: Any, **more: Any) -> AIMessage:
    return AIMessage(content=content, **more)


def asked(content: Any) -> HumanMessage:
    return HumanMessage(content=content)


def calling(names: Sequence[str], content: Any = "") -> AIMessage:
    return said(
        content, tool_calls=[{"name": "f", "args": {"n": 1}, "id": name, "type": "tool_call"} for name in names]
    )


def answered(name: str, content: Any = "ok") -> ToolMessage:
    return ToolMessage(content=content, tool_call_id=name)


def numbered(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    return [message.model_copy(update={"id": f"m{at}"}) for at, message in enumerate(messages)]


@st.composite
def steps(draw: st.DrawFn, numbers: Any, *, whole: bool = False) -> list[BaseMessage]:
    """Draw a model's calls with their results, in any order; unless whole, some may be missing or come twice."""
    names = [f"c{next(numbers)}" for _ in range(draw(st.integers(1, 3)))]
    given_for = draw(st.permutations(names)) if whole else draw(st.lists(st.sampled_from(names), max_size=4))
    content = draw(st.sampled_from(["", "查一下"]))
    return [calling(names, content), *(answered(name, draw(results)) for name in given_for)]


@st.composite
def threads(draw: st.DrawFn) -> list[BaseMessage]:
    """Draw a thread with anything in it, that ends where a model is to go on: with the user or with a whole step."""
    numbers = counting()
    pieces: list[BaseMessage] = []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["user", "user", "answer", "step", "whole step", "system", "result"]))
        if kind == "user":
            pieces.append(asked(draw(contents)))
        elif kind == "answer":
            pieces.append(said(draw(contents)))
        elif kind == "system":
            pieces.append(SystemMessage(draw(words)))
        elif kind == "result":
            pieces.append(answered(f"c{next(numbers)}"))
        else:
            pieces.extend(draw(steps(numbers, whole=kind == "whole step")))
    pieces.append(asked(draw(contents)))
    if draw(st.booleans()):
        pieces.extend(draw(steps(numbers, whole=True)))
    return numbered(pieces)


@given(threads(), st.sampled_from(STRATEGIES), st.integers(0, 3_000), st.integers(1, 4))
def test_any_provider_takes_the_window(
    thread: list[BaseMessage], strategy: Strategy, max_tokens: int, max_turns: int
) -> None:
    window = cut(thread, strategy=strategy, max_tokens=max_tokens, max_turns=max_turns, keep=(3, 7))
    assert faults_of(window.messages) == []


@given(threads(), st.sampled_from(STRATEGIES), st.integers(0, 3_000))
def test_ids_and_order_stay_and_the_thread_is_not_touched(
    thread: list[BaseMessage], strategy: Strategy, max_tokens: int
) -> None:
    before = [message.model_copy(deep=True) for message in thread]
    window = cut(thread, strategy=strategy, max_tokens=max_tokens)
    assert thread == before
    spoken = [str(m.id) for m in window.messages if not isinstance(m, SystemMessage)]
    assert spoken == [str(m.id) for m in thread if str(m.id) in spoken]
    system = [isinstance(m, SystemMessage) for m in window.messages]
    assert system == sorted(system, reverse=True)


@given(threads(), st.sampled_from(STRATEGIES), st.integers(0, 3_000))
def test_what_the_model_is_to_answer_is_there(thread: list[BaseMessage], strategy: Strategy, max_tokens: int) -> None:
    window = cut(thread, strategy=strategy, max_tokens=max_tokens)
    shown = [message.id for message in window.messages]
    assert shown[-1] == thread[-1].id
    assert [m.id for m in thread if isinstance(m, HumanMessage)][-1] in shown


@given(threads(), st.integers(0, 3_000))
def test_no_tool_result_is_shown_beyond_a_thousand_tokens(thread: list[BaseMessage], max_tokens: int) -> None:
    for strategy in STRATEGIES:
        window = cut(thread, strategy=strategy, max_tokens=max_tokens)
        texts = [m.text for m in window.messages if isinstance(m, ToolMessage)]
        assert all(count_message(answered("", text)) <= 1_004 for text in texts)


def test_the_validator_finds_what_providers_refuse() -> None:
    question, step = asked("一"), calling(["c1", "c2"])
    good: list[BaseMessage] = [
        SystemMessage("规则"),
        question,
        step,
        answered("c2"),
        answered("c1"),
        said("好"),
        asked("二"),
    ]
    assert faults_of(good) == []
    faulty: list[list[BaseMessage]] = [
        [question, SystemMessage("规则"), asked("二")],
        [said("好"), question],
        [question, said("好")],
        [question, step, answered("c1"), asked("二")],
        [question, step, asked("二"), answered("c1"), answered("c2")],
        [question, answered("c9")],
        [question, step, answered("c1"), answered("c2"), answered("c2")],
        [question, calling(["c1", "c1"]), answered("c1")],
        [question, said(" "), asked("二")],
        [asked("")],
        [asked([{"type": "text", "text": ""}, picture])],
        [asked([])],
        [SystemMessage(""), question],
    ]
    assert [faults_of(thread) != [] for thread in faulty] == [True] * len(faulty)


odd = pytest.mark.parametrize("strategy", STRATEGIES)
Odd = Callable[[], list[BaseMessage]]


@odd
def test_a_message_larger_than_the_budget_is_shown_whole(strategy: Strategy) -> None:
    pasted = "合同第一条，" * 3_000
    thread = numbered([asked("一"), said("好"), asked(pasted)])
    window = cut(thread, strategy=strategy, max_tokens=1_000)
    assert window.messages[-1].content == pasted
    assert faults_of(window.messages) == []
    assert len(window.messages) == (3 if strategy == "fixed" else 1)


@odd
@pytest.mark.parametrize(("before", "shown"), [("在吗", "（空消息）"), ("Hello there", "(empty message)")])
def test_an_empty_message_says_that_it_is_empty(strategy: Strategy, before: str, shown: str) -> None:
    for blank in ("", " \n", [], [{"type": "text", "text": ""}]):
        window = cut(numbered([asked(before), said(""), asked(blank)]), strategy=strategy)
        assert [message.content for message in window.messages] == [before, shown]
        assert faults_of(window.messages) == []


@odd
def test_a_picture_without_words_is_not_empty(strategy: Strategy) -> None:
    window = cut([asked([{"type": "text", "text": ""}, picture])], strategy=strategy)
    assert window.messages[0].content == [picture]


@odd
def test_ten_thousand_emoji_are_shown_and_drive_out_what_was_before(strategy: Strategy) -> None:
    thread = numbered([asked("一"), said("好"), asked("🎉" * 10_000)])
    window = cut(thread, strategy=strategy)
    assert window.messages[-1].content == "🎉" * 10_000
    assert faults_of(window.messages) == []
    folded = to_fold([*thread, said("收到"), asked("二"), said("好")], summarized_upto=None)
    assert [str(message.content)[:1] for message in folded] == ["一", "好", "🎉", "收"]


@odd
def test_a_call_with_two_hundred_results_is_shown_with_each_of_them(strategy: Strategy) -> None:
    names = [f"call_{n:03}" for n in range(200)]
    rows = [answered(name, f"order {name}: shipped\n" + "detail line\n" * 60) for name in names]
    thread = numbered([asked("check all orders"), calling(names), *rows])
    window = cut(thread, strategy=strategy, max_tokens=16_000)
    assert [message.id for message in window.messages] == [message.id for message in thread]
    assert faults_of(window.messages) == []
    if strategy != "fixed":
        assert count_messages(window.messages) <= 16_000
        assert all(f"order {name}" in message.text for name, message in zip(names, window.messages[2:], strict=True))


@odd
def test_a_system_prompt_longer_than_the_budget_is_shown_with_what_is_asked(strategy: Strategy) -> None:
    rules = "Answer in the house style. " * 400
    step = [calling(["c1"]), answered("c1", "row\n" * 3_000)]
    thread = numbered([SystemMessage(rules), asked("一"), said("好"), asked("二"), *step])
    window = cut(thread, strategy=strategy, max_tokens=800)
    assert window.messages[0].content == rules
    assert [message.id for message in window.messages[-3:]] == ["m3", "m4", "m5"]
    assert faults_of(window.messages) == []
    if strategy != "fixed":
        assert count_messages(window.messages[-3:]) <= 300


@odd
def test_a_step_that_cannot_fit_still_has_all_its_results(strategy: Strategy) -> None:
    names = [f"call_{n:03}" for n in range(200)]
    thread = numbered([asked("查"), calling(names), *(answered(name, "长" * 2_000) for name in names)])
    window = cut(thread, strategy=strategy, max_tokens=100)
    assert len(window.messages) == 202
    assert calls_of(window.messages[1]) == names
    assert faults_of(window.messages) == []
