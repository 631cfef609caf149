"""Folding: what of a thread the summary holds, and what is due to go into it."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, SystemMessage

from memory.tokens import MessageCounter, count_message
from memory.window.blocks import Turn, joined, size, turns_of
from memory.window.budget import within
from memory.window.policy import check
from memory.window.shown import views


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
    check(1, keep)
    after = _mark(messages, summarized_upto) + 1
    turns = [turn for turn in turns_of(messages) if turn[0][0] >= after]
    shown = set(within(messages, turns, views(messages, count), max_tokens, count).positions)
    if not turns or (size(turns) < keep[1] and set(joined(turns)) <= shown):
        return ()
    kept = [turn for turn in _newest(turns, keep) if turn is turns[-1] or set(joined([turn])) <= shown]
    return tuple(m for m in messages[after : kept[0][0][0]] if not isinstance(m, SystemMessage))


def unfolded(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], summarized_upto: str | None, keep: tuple[int, int]
) -> list[Turn]:
    """Give the turns after the mark; without one, replay the folding turn by turn."""
    mark = _mark(messages, summarized_upto)
    if mark >= 0:
        return [turn for turn in turns if turn[0][0] > mark]
    raw: list[Turn] = []
    for turn in turns[:-1]:
        raw.append(turn)
        if size(raw) >= keep[1]:
            raw = _newest(raw, keep)
    return [*raw, *turns[-1:]]


def _newest(turns: Sequence[Turn], keep: tuple[int, int]) -> list[Turn]:
    """Give the fewest newest turns that have `keep[0]` messages; one fewer where they have more than `keep[1]`."""
    first = len(turns) - 1
    while first > 0 and size(turns[first:]) < keep[0]:
        first -= 1
    if size(turns[first:]) > keep[1] and first < len(turns) - 1:
        first += 1
    return list(turns[first:])


def _mark(messages: Sequence[BaseMessage], summarized_upto: str | None) -> int:
    """Find the marked message's position; -1 where there is none."""
    if not summarized_upto:
        return -1
    return next((at for at, message in enumerate(messages) if message.id == summarized_upto), -1)
