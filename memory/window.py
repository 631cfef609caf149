"""The window: which messages of a thread a model sees, and which are left to the thread's summary.

A *block* is a message, or a model's message with tool calls and all their results: it is shown whole or not at all.
A *turn* is a user message and the blocks that answer it. What is broken (a call without its result, a result without
its call, as an interrupted run leaves them) is never shown: providers refuse a request that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from memory.tokens import REPLY_TOKENS, MessageCounter, count_message

Strategy = Literal["fixed", "budget", "summary"]
Block = tuple[int, ...]
"""Positions in the thread of messages that stay together."""
Turn = tuple[Block, ...]
"""A user message's block first, then those that answer it."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """What a model sees, system messages first, and what it does not see; both in the thread's order."""

    messages: tuple[BaseMessage, ...]
    left_out: tuple[BaseMessage, ...]


@dataclass(frozen=True, kw_only=True)
class WindowPolicy:
    """How a window is cut; the fields are the arguments of `cut`."""

    strategy: Strategy = "summary"
    max_turns: int = 10
    max_tokens: int = 8_000
    keep: tuple[int, int] = (6, 20)


LAST_SIX = WindowPolicy(keep=(4, 6))
"""The last six messages and a summary of the rest (Source: seed 003); a turn is folded before a seventh comes."""


def sized(*, window_size: int = 10, summary_threshold: int = 20) -> WindowPolicy:
    """Keep `window_size` turns of two messages, folding when there are more than `summary_threshold` messages.

    Source:
        Seed 004, strategy 3.
    """
    low = window_size * 2
    return WindowPolicy(keep=(low, max(low, summary_threshold)))


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
    """Choose what a model sees of a thread: the newest, from a user message on, the last user message always.

    "fixed" shows `max_turns` turns. "budget" shows whole turns within `max_tokens`; of the turn that is going on
    it shows the newest blocks that fit. "summary" shows what is not yet folded into the summary, within `max_tokens`.

    Args:
        messages: The thread, oldest first. None of them is changed or copied.
        strategy: See above.
        max_turns: At least 1.
        max_tokens: Of the whole window as `count` counts it; exceeded only where the last user message does alone.
        keep: For "summary", see `to_fold`.
        summarized_upto: For "summary", the id up to which the summary reaches. Without it (or where it is no longer in
            the thread) it is worked out as if `to_fold` had been asked after each turn.
        count: Counts a message's tokens.

    Raises:
        ValueError: `max_turns` or `keep` is out of range.
    """
    _check(max_turns, keep)
    turns = _turns(messages)
    if strategy == "fixed":
        return _window(messages, [*_system(messages), *_joined(turns[-max_turns:])])
    if strategy == "summary":
        turns = _unfolded(messages, turns, summarized_upto, keep)
    return _window(messages, _within(messages, turns, max_tokens, count))


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


def to_fold(
    messages: Sequence[BaseMessage],
    *,
    summarized_upto: str | None,
    keep: tuple[int, int] = (6, 20),
    max_tokens: int = 8_000,
    count: MessageCounter = count_message,
) -> tuple[BaseMessage, ...]:
    """Give what is due to be folded into the summary; asked after a turn, its last message is the next mark.

    Nothing until `keep[1]` messages (or more than `max_tokens`) stand after the mark; then everything but the newest
    whole turns that have at least `keep[0]` messages, so that the prompt's beginning changes rarely. The last stays.

    Args:
        messages: The thread, oldest first.
        summarized_upto: Id of the last message that the summary holds; None, or one that is no longer in the thread,
            for none.
        keep: Fewest and most messages that stand unfolded; a turn is never divided for it.
        max_tokens: As for `cut`, so that what that leaves out for its size is folded too.
        count: Counts a message's tokens.

    Raises:
        ValueError: `keep` is out of range.
    """
    _check(1, keep)
    after = _mark(messages, summarized_upto) + 1
    turns = [turn for turn in _turns(messages) if turn[0][0] >= after]
    shown = _within(messages, turns, max_tokens, count)
    if not turns or (_size(turns) < keep[1] and set(_joined(turns)) <= set(shown)):
        return ()
    kept = [turn for turn in _newest(turns, keep) if turn is turns[-1] or set(_joined([turn])) <= set(shown)]
    return tuple(m for m in messages[after : kept[0][0][0]] if not isinstance(m, SystemMessage))


def _check(max_turns: int, keep: tuple[int, int]) -> None:
    if max_turns < 1:
        raise ValueError(f"Cannot cut a window of {max_turns!r} turns: the last one is always shown; give at least 1.")
    if not 1 <= keep[0] <= keep[1]:
        raise ValueError(f"Cannot keep {keep!r} messages: give (fewest, most) with 1 <= fewest <= most.")


def _system(messages: Sequence[BaseMessage]) -> list[int]:
    return [at for at, message in enumerate(messages) if isinstance(message, SystemMessage)]


def _turns(messages: Sequence[BaseMessage]) -> list[Turn]:
    """Divide a thread into turns; what stands before the first user message belongs to none."""
    turns: list[list[Block]] = []
    for block in _blocks(messages):
        if isinstance(messages[block[0]], HumanMessage):
            turns.append([block])
        elif turns:
            turns[-1].append(block)
    return [tuple(turn) for turn in turns]


def _blocks(messages: Sequence[BaseMessage]) -> Iterator[Block]:
    at = 0
    while at < len(messages):
        end = _results_end(messages, at + 1)
        if block := _whole(messages, at, end):
            yield block
        at = end


def _results_end(messages: Sequence[BaseMessage], at: int) -> int:
    while at < len(messages) and isinstance(messages[at], ToolMessage):
        at += 1
    return at


def _whole(messages: Sequence[BaseMessage], at: int, end: int) -> Block:
    """Join a message with one result for each of its calls; nothing where one is missing, or for a model to see."""
    if isinstance(messages[at], SystemMessage | ToolMessage | FunctionMessage | RemoveMessage):
        return ()
    results = {_answered(messages[place]): place for place in reversed(range(at + 1, end))}
    calls = _calls(messages[at])
    if len(set(calls)) < len(calls) or not results.keys() >= set(calls):
        return ()
    return (at, *sorted(results[call] for call in calls))


def _answered(message: BaseMessage) -> str:
    return message.tool_call_id if isinstance(message, ToolMessage) else ""


def _calls(message: BaseMessage) -> list[str]:
    """List the ids that a message wants results for; malformed calls are sent to providers too, so they count."""
    calls = [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
    return [call["id"] or "" for call in calls]


def _joined(turns: Sequence[Turn]) -> list[int]:
    return [at for turn in turns for block in turn for at in block]


def _size(turns: Sequence[Turn]) -> int:
    return len(_joined(turns))


def _within(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], max_tokens: int, count: MessageCounter
) -> list[int]:
    """Take what matters most until the next does not fit, so that a bigger budget only ever adds."""
    chosen: list[int] = []
    used = REPLY_TOKENS
    for block in _by_need(_system(messages), turns):
        used += sum(count(messages[at]) for at in block)
        if used > max_tokens and (chosen or not turns):
            break
        chosen.extend(block)
    return chosen


def _by_need(system: Sequence[int], turns: Sequence[Turn]) -> Iterator[Block]:
    """Order by need: the last user message, the system's, what answers the former, then older turns whole."""
    if turns:
        yield turns[-1][0]
    yield from ((at,) for at in system)
    if turns:
        yield from reversed(turns[-1][1:])
    yield from (tuple(_joined([turn])) for turn in reversed(turns[:-1]))


def _unfolded(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], summarized_upto: str | None, keep: tuple[int, int]
) -> list[Turn]:
    """Give the turns after the mark; without one, replay the folding turn by turn."""
    mark = _mark(messages, summarized_upto)
    if mark >= 0:
        return [turn for turn in turns if turn[0][0] > mark]
    raw: list[Turn] = []
    for turn in turns[:-1]:
        raw.append(turn)
        if _size(raw) >= keep[1]:
            raw = _newest(raw, keep)
    return [*raw, *turns[-1:]]


def _newest(turns: Sequence[Turn], keep: tuple[int, int]) -> list[Turn]:
    """Give the fewest newest turns that have `keep[0]` messages; one fewer where they have more than `keep[1]`."""
    first = len(turns) - 1
    while first > 0 and _size(turns[first:]) < keep[0]:
        first -= 1
    if _size(turns[first:]) > keep[1] and first < len(turns) - 1:
        first += 1
    return list(turns[first:])


def _mark(messages: Sequence[BaseMessage], summarized_upto: str | None) -> int:
    """Find the marked message's position; -1 where there is none."""
    if not summarized_upto:
        return -1
    return next((at for at, message in enumerate(messages) if message.id == summarized_upto), -1)


def _window(messages: Sequence[BaseMessage], chosen: Sequence[int]) -> Window:
    shown = set(chosen)
    system = [at for at in _system(messages) if at in shown]
    return Window(
        messages=tuple(messages[at] for at in [*system, *sorted(shown - set(system))]),
        left_out=tuple(message for at, message in enumerate(messages) if at not in shown),
    )
