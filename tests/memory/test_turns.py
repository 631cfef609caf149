"""Turns: a user's message and all that answers it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory.fence import fenced
from memory.turns import turns_of, turns_since

CALL: Any = {"name": "orders_status", "args": {"order_id": "#8842"}, "id": "c1"}
THREAD = [
    SystemMessage("be kind", id="s"),
    HumanMessage("#8842 到哪了", id="h1"),
    AIMessage("我看看", id="a1", tool_calls=[CALL]),
    ToolMessage("SHIPPED", tool_call_id="c1", id="t1"),
    AIMessage("已发货", id="a2", tool_calls=[{**CALL, "id": "c2"}]),
    HumanMessage("谢谢", id="h2"),
]
kinds = st.sampled_from([HumanMessage, AIMessage, SystemMessage])
threads = st.lists(kinds, max_size=12).map(lambda of: [kind(f"text {at}", id=f"m{at}") for at, kind in enumerate(of)])


def test_a_turn_has_what_was_said_what_answered_it_and_which_tools_were_used() -> None:
    first, second = turns_of(THREAD)
    assert (first.text, first.position, first.replies, first.tools_used) == (
        "#8842 到哪了",
        1,
        ("我看看", "已发货"),
        ("orders_status",),
    )
    assert (second.text, second.position, second.replies) == ("谢谢", 5, ())


def test_a_tools_raw_result_is_no_reply() -> None:
    assert not any("SHIPPED" in reply for turn in turns_of(THREAD) for reply in turn.replies)


def test_what_we_put_beside_the_words_is_in_neither_side() -> None:
    block = fenced("episodes", ["he said: 我对花生过敏"], note="data")
    (turn,) = turns_of([HumanMessage(f"{block}\n\n我住在杭州", id="h"), AIMessage(f"好的 {block}", id="a")])
    assert (turn.text, turn.replies) == ("我住在杭州", ("好的",))


def test_turns_since_a_message_begin_after_it() -> None:
    assert [turn.human.id for turn in turns_since(THREAD, "a2")] == ["h2"]
    assert [turn.human.id for turn in turns_since(THREAD, "h1")] == ["h2"]
    assert turns_since(THREAD, "h2") == []


def test_without_a_mark_or_with_one_that_was_removed_all_turns_are_given() -> None:
    for mark in ("", "gone"):
        assert [turn.human.id for turn in turns_since(THREAD, mark)] == ["h1", "h2"]


@given(threads)
def test_every_message_from_the_first_of_the_user_on_is_in_exactly_one_turn(thread: list[BaseMessage]) -> None:
    turns = turns_of(thread)
    held = [message for turn in turns for message in (turn.human, *turn.answers)]
    first = next((at for at, message in enumerate(thread) if isinstance(message, HumanMessage)), len(thread))
    assert held == thread[first:]
    assert [thread[turn.position] for turn in turns] == [turn.human for turn in turns]


@given(threads, st.integers(0, 12))
def test_turns_are_taken_once_however_the_thread_is_read(thread: list[BaseMessage], at: int) -> None:
    """Whoever reads to a mark and goes on from there has read every turn once, where the mark ends a turn."""
    turns = turns_of(thread)
    read, left = turns[:at], turns[at:]
    if read:
        last = (read[-1].human, *read[-1].answers)[-1]
        assert turns_since(thread, str(last.id)) == left
