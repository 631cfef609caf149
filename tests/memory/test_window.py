"""Tests of what a model sees of a thread."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory.tokens import count_message, count_messages
from memory.window import FOLDING, LAST_SIX, Strategy, Window, WindowPolicy, cut, cut_by, sized, to_fold
from memory.window.blank import EMPTY
from tests.memory.chat_format import calls_of, faults_of

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


def user(text: str, name: str = "") -> HumanMessage:
    return HumanMessage(text, id=name or f"h-{text}")


def answer(text: str, *calls: str) -> AIMessage:
    tool_calls = [{"name": "f", "args": {}, "id": call, "type": "tool_call"} for call in calls]
    return AIMessage(text, id=f"a-{text}", tool_calls=tool_calls)


def result(call: str, text: str = "ok") -> ToolMessage:
    return ToolMessage(text, tool_call_id=call, id=f"t-{call}")


def chat(turns: int) -> list[BaseMessage]:
    """Build a plain thread: question and answer, numbered from 1."""
    return [message for n in range(1, turns + 1) for message in (user(f"问题{n}"), answer(f"回答{n}"))]


def shown(window: Window) -> list[str]:
    return [str(message.content) for message in window.messages]


texts = st.text(alphabet="ab 好的。", max_size=40)
calls = st.lists(st.sampled_from(["c1", "c2", "c3"]), max_size=2)
random_message = st.one_of(
    st.builds(HumanMessage, texts),
    st.builds(answer, texts),
    st.builds(lambda text, ids: answer(text, *ids), texts, calls),
    st.builds(result, st.sampled_from(["c1", "c2", "c3"]), texts),
    st.builds(SystemMessage, texts),
)


@st.composite
def threads(draw: st.DrawFn) -> list[BaseMessage]:
    """Draw any list of messages, broken ones too, each with an id of its own."""
    messages = draw(st.lists(random_message, max_size=40))
    return [message.model_copy(update={"id": f"m{at}"}) for at, message in enumerate(messages)]


@given(threads(), st.sampled_from(STRATEGIES), st.integers(1, 5), st.integers(0, 200))
def test_a_window_is_always_a_chat_that_a_provider_takes(
    thread: list[BaseMessage], strategy: Strategy, max_turns: int, max_tokens: int
) -> None:
    asked = [*thread, user("问", "last")]
    window = cut(asked, strategy=strategy, max_turns=max_turns, max_tokens=max_tokens, keep=(3, 7))
    assert faults_of(window.messages) == []


@given(threads(), st.sampled_from(STRATEGIES), st.integers(0, 200))
def test_the_last_user_message_is_always_there(thread: list[BaseMessage], strategy: Strategy, max_tokens: int) -> None:
    window = cut(thread, strategy=strategy, max_turns=1, max_tokens=max_tokens, keep=(1, 1))
    asked = [message.id for message in thread if isinstance(message, HumanMessage)]
    assert [message.id for message in window.messages if isinstance(message, HumanMessage)][-1:] == asked[-1:]


@given(threads(), st.sampled_from(STRATEGIES), st.integers(0, 200))
def test_each_message_is_shown_or_left_out_itself(
    thread: list[BaseMessage], strategy: Strategy, max_tokens: int
) -> None:
    window = cut(thread, strategy=strategy, max_tokens=max_tokens)
    itself = [message for message in window.messages if str(message.content).strip() not in EMPTY.values()]
    both = {id(message) for message in itself} | {id(message) for message in window.left_out}
    assert both <= {id(message) for message in thread}
    assert {m.id for m in window.messages} | {m.id for m in window.left_out} == {m.id for m in thread}
    assert len(window.messages) + len(window.left_out) == len(thread)


@given(threads(), st.integers(0, 300))
def test_a_budget_is_kept_unless_what_is_always_shown_is_more(thread: list[BaseMessage], max_tokens: int) -> None:
    for strategy in STRATEGIES:
        window = cut(thread, strategy=strategy, max_tokens=max_tokens, keep=(50, 50))
        if strategy == "fixed" or count_messages(window.messages) <= max_tokens:
            continue
        rest = list(window.messages)
        while rest and rest[0].type == "system":
            rest.pop(0)
        assert [message.type for message in rest[:1]] in ([], ["human"])
        assert not rest[1:] or (calls_of(rest[1]) and {m.type for m in rest[2:]} == {"tool"})


@given(threads(), st.integers(0, 200), st.integers(0, 100))
def test_a_bigger_budget_only_adds(thread: list[BaseMessage], max_tokens: int, more: int) -> None:
    less = cut(thread, strategy="budget", max_tokens=max_tokens)
    greater = cut(thread, strategy="budget", max_tokens=max_tokens + more)
    assert {m.id for m in less.messages} <= {m.id for m in greater.messages}


@given(threads(), st.integers(1, 6))
def test_more_turns_only_add_before(thread: list[BaseMessage], max_turns: int) -> None:
    less = cut(thread, strategy="fixed", max_turns=max_turns).messages
    more = cut(thread, strategy="fixed", max_turns=max_turns + 1).messages
    spoken = [m for m in less if not isinstance(m, SystemMessage)]
    assert [m for m in more if not isinstance(m, SystemMessage)][-len(spoken) or len(more) :] == spoken


@given(threads(), st.sampled_from([(1, 1), (2, 5), (6, 20)]))
def test_after_folding_nothing_is_due_and_nothing_is_in_neither(
    thread: list[BaseMessage], keep: tuple[int, int]
) -> None:
    folded = to_fold(thread, summarized_upto=None, keep=keep)
    mark = folded[-1].id if folded else None
    assert to_fold(thread, summarized_upto=mark, keep=keep) == ()
    if mark is not None:
        for strategy in FOLDING:
            window = cut(thread, strategy=strategy, keep=keep, summarized_upto=mark)
            known = {m.id for m in (*folded, *window.messages)}
            assert [m.id for m in thread if m.id not in known and isinstance(m, HumanMessage)] == []


def test_a_call_and_its_results_stay_together() -> None:
    thread = [user("一"), answer("", "c1", "c2"), result("c2"), result("c1"), answer("完成"), user("二")]
    whole = count_messages(thread)
    assert cut(thread, strategy="budget", max_tokens=whole).messages == tuple(thread)
    assert shown(cut(thread, strategy="budget", max_tokens=whole - 1)) == ["二"]


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        ([answer("查", "c1")], []),
        ([answer("查", "c1", "c2"), result("c1")], []),
        ([result("c9")], []),
        ([answer("好"), result("c9")], ["好"]),
        ([answer("查", "c1"), result("c1", "到了"), result("c1", "又")], ["查", "到了"]),
        ([answer("查", "c1"), user("等等"), result("c1")], ["等等"]),
    ],
)
def test_what_an_interrupted_run_left_is_not_shown(broken: list[BaseMessage], kept: list[str]) -> None:
    window = cut([user("一"), *broken, user("二")], strategy="budget")
    assert shown(window) == ["一", *kept, "二"]


def test_a_malformed_call_needs_its_result_too() -> None:
    bad = AIMessage("", invalid_tool_calls=[{"name": "f", "args": "{", "id": "c1", "error": "no JSON"}])
    assert shown(cut([user("一"), bad], strategy="budget")) == ["一"]
    assert shown(cut([user("一"), bad, result("c1", "bad")], strategy="budget")) == ["一", "", "bad"]


def test_a_fixed_window_shows_so_many_turns_and_the_system_first() -> None:
    thread = [*chat(3), SystemMessage("规则"), *chat(2)]
    assert shown(cut(thread, strategy="fixed", max_turns=2)) == ["规则", "问题1", "回答1", "问题2", "回答2"]


def test_a_greeting_before_the_user_speaks_is_left_out() -> None:
    window = cut([answer("欢迎"), user("你好")], strategy="fixed")
    assert (shown(window), [m.content for m in window.left_out]) == (["你好"], ["欢迎"])


def test_the_turn_that_goes_on_shows_its_newest_steps() -> None:
    thread = [user("一"), answer("", "c1"), result("c1", "长" * 500), answer("", "c2"), result("c2")]
    window = cut(thread, strategy="budget", max_tokens=100)
    assert [m.id for m in window.messages] == ["h-一", "a-", "t-c2"]
    assert faults_of(window.messages) == []


def test_a_last_message_over_the_budget_stands_alone_after_the_system_prompt() -> None:
    thread = [SystemMessage("规则"), *chat(1), SystemMessage("又一条"), user("长" * 100)]
    assert shown(cut(thread, strategy="budget", max_tokens=10)) == ["规则", "长" * 100]


def test_an_exact_counter_may_stand_in_for_the_estimate() -> None:
    window = cut(chat(5), strategy="budget", max_tokens=2 + 4, count=lambda _: 1)
    assert shown(window) == ["问题4", "回答4", "问题5", "回答5"]


def test_without_a_user_message_there_is_nothing_to_answer() -> None:
    assert cut([SystemMessage("规则"), answer("好")], strategy="budget").messages == (SystemMessage("规则"),)
    assert cut([], strategy="summary") == Window(messages=(), left_out=())


def live(turns: int, policy: WindowPolicy) -> list[tuple[int, int, int]]:
    """Run a thread turn by turn; give for each: messages seen, messages folded so far, messages in neither."""
    thread: list[BaseMessage] = []
    folded: list[BaseMessage] = []
    seen = []
    for n in range(1, turns + 1):
        thread.append(user(f"问题{n}"))
        mark = folded[-1].id if folded else None
        window = cut_by(thread, policy, summarized_upto=mark)
        assert window == cut_by(thread, policy), "worked out without the mark, it is the same"
        seen.append((len(window.messages), len(folded), len(thread) - len(folded) - len(window.messages)))
        thread.append(answer(f"回答{n}"))
        folded.extend(to_fold(thread, summarized_upto=mark, keep=policy.keep, max_tokens=policy.max_tokens))
    return seen


def test_a_window_with_a_summary_grows_to_twenty_and_folds_to_six() -> None:
    seen = live(40, WindowPolicy())
    assert [size for size, _, _ in seen[:12]] == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 7, 9]
    assert max(size for size, _, _ in seen) <= 20
    assert min(size for size, _, _ in seen[10:]) == 7
    assert {missing for _, _, missing in seen} == {0}


def test_the_preset_of_six_messages_never_shows_a_seventh_and_loses_none() -> None:
    seen = live(30, LAST_SIX)
    assert max(size for size, _, _ in seen) == 5
    assert {missing for _, _, missing in seen} == {0}


def test_the_preset_of_ten_turns_folds_what_is_older() -> None:
    policy = sized(window_size=5, summary_threshold=12)
    assert policy.keep == (10, 12)
    assert [folded for _, folded, _ in live(15, policy)] == [0] * 6 + [2, 4, 6, 8, 10, 12, 14, 16, 18]


def test_a_fold_that_failed_loses_nothing() -> None:
    thread = chat(30)
    window = cut(thread, strategy="summary", summarized_upto=thread[1].id)
    assert window.messages == tuple(thread[2:])


def test_a_long_paste_is_folded_for_its_size() -> None:
    thread = [user("长" * 9_000), answer("收到"), *chat(2)]
    assert to_fold(thread, summarized_upto=None) == tuple(thread[:2])
    assert cut(thread, strategy="summary").messages == tuple(thread[2:])


def test_a_turn_longer_than_the_window_is_not_divided() -> None:
    steps = [message for n in range(15) for message in (answer("", f"c{n}"), result(f"c{n}"))]
    thread = [*chat(2), user("做"), *steps, answer("完成")]
    assert to_fold(thread, summarized_upto=None) == tuple(thread[:4])
    assert to_fold(thread, summarized_upto=thread[3].id) == ()


def test_a_mark_that_is_gone_folds_anew() -> None:
    assert to_fold(chat(15), summarized_upto="gone") == to_fold(chat(15), summarized_upto=None) != ()


def test_system_messages_are_never_folded() -> None:
    thread = [SystemMessage("规则"), *chat(12)]
    assert to_fold(thread, summarized_upto=None) == tuple(thread[1:-6])


def test_what_makes_no_window_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        cut(chat(1), strategy="fixed", max_turns=0)
    with pytest.raises(ValueError, match="fewest"):
        cut(chat(1), strategy="summary", keep=(7, 6))
    with pytest.raises(ValueError, match="fewest"):
        to_fold(chat(1), summarized_upto=None, keep=(0, 6))


def test_the_estimate_is_what_the_window_is_counted_with() -> None:
    thread = chat(2)
    assert count_messages(thread) == 2 + sum(map(count_message, thread))
