"""Cutting: one function for all strategies."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from memory.tokens import MessageCounter, count_message
from memory.window.attention import by_attention
from memory.window.blocks import Turn, joined, system_of, turns_of
from memory.window.budget import Chosen, within
from memory.window.folding import unfolded
from memory.window.policy import FOLDING, Strategy, Window, WindowPolicy, check
from memory.window.shown import View, views


def cut(
    messages: Sequence[BaseMessage],
    *,
    strategy: Strategy,
    max_turns: int = 10,
    max_tokens: int = 8_000,
    keep: tuple[int, int] = (6, 20),
    summarized_upto: str | None = None,
    count: MessageCounter = count_message,
) -> Window:
    """Choose what a model sees of a thread: whole turns, system messages first, the last user message always.

    "fixed" shows the newest `max_turns` turns, whatever they cost. "budget" shows the newest turns within `max_tokens`.
    "summary" and "compressed" show what is not yet folded (see `to_fold`), within `max_tokens`; they differ in what is
    folded. "attention" shows the turns that bear most on what is asked now, within `max_tokens`, in the thread's
    order. Of the turn that is going on the newest blocks that fit are shown.

    A tool result over 1,000 tokens is shown as its head, its tail and a reference; a blank message says that it is
    empty. Only these are copied, with their ids; none of the thread's messages is changed.

    Args:
        messages: The thread, oldest first.
        strategy: See above.
        max_turns: At least 1.
        max_tokens: Of the whole window as `count` counts it. Shown whatever it is: the system messages that the thread
            begins with, the last user message, and the tool calls that the thread ends with, their results shortened.
        keep: For "summary" and "compressed", see `to_fold`.
        summarized_upto: For these, the id up to which the summary reaches. Without it (or where it is no longer in
            the thread) it is worked out as if `to_fold` had been asked after each turn.
        count: Counts a message's tokens.

    Raises:
        ValueError: `max_turns` or `keep` is out of range.
    """
    check(max_turns, keep)
    turns, view = turns_of(messages), views(messages, count)
    if strategy == "fixed":
        return _window(messages, _fixed(messages, turns[-max_turns:], view))
    if strategy == "attention":
        return _window(messages, by_attention(messages, turns, view, max_tokens, count))
    if strategy in FOLDING:
        turns = unfolded(messages, turns, summarized_upto, keep)
    return _window(messages, within(messages, turns, view, max_tokens, count))


def cut_by(
    messages: Sequence[BaseMessage],
    policy: WindowPolicy,
    *,
    summarized_upto: str | None = None,
    count: MessageCounter = count_message,
) -> Window:
    """Cut as a policy says."""
    return cut(
        messages,
        strategy=policy.strategy,
        max_turns=policy.max_turns,
        max_tokens=policy.max_tokens,
        keep=policy.keep,
        summarized_upto=summarized_upto,
        count=count,
    )


def _fixed(messages: Sequence[BaseMessage], turns: Sequence[Turn], view: View) -> Chosen:
    return Chosen(positions=(*system_of(messages), *joined(turns)), view=view, room=0)


def _window(messages: Sequence[BaseMessage], chosen: Chosen) -> Window:
    shown = set(chosen.positions)
    system = [at for at in system_of(messages) if at in shown]
    return Window(
        messages=tuple(chosen.view(at) for at in [*system, *sorted(shown - set(system))]),
        left_out=tuple(message for at, message in enumerate(messages) if at not in shown),
    )
