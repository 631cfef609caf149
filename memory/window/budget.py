"""Within the budget: what matters most first, until the next does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, SystemMessage

from memory.tokens import REPLY_TOKENS, MessageCounter
from memory.window.blocks import Block, Turn, joined, system_of
from memory.window.shown import View, squeezed

STEP_SHARE = 0.25
"""Of the budget the step that goes on may have so much even where the prompt and the question leave less."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The positions of what is shown, how each is shown, and how many tokens are left (negative where it is over)."""

    positions: tuple[int, ...]
    view: View
    room: int


def within(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], view: View, max_tokens: int, count: MessageCounter
) -> Chosen:
    """Take what matters most until the next does not fit, so that a bigger budget only ever adds."""
    chosen = needed(messages, turns, view, max_tokens, count)
    positions, room = list(chosen.positions), chosen.room
    for block in _by_need(messages, turns, chosen):
        room -= sum(count(chosen.view(at)) for at in block)
        if room < 0:
            break
        positions.extend(block)
    return Chosen(positions=tuple(positions), view=chosen.view, room=room)


def needed(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], view: View, max_tokens: int, count: MessageCounter
) -> Chosen:
    """Take what is shown whatever the budget: the system prompt, the last user message, the step that goes on.

    The step is what the thread ends with when the model is to go on from its tools' results; where they do not fit
    they are shown shorter.
    """
    first = [*_head(messages), *(turns[-1][0] if turns else ())]
    room = max_tokens - REPLY_TOKENS - sum(count(view(at)) for at in first)
    step = _step(messages, turns)
    if step and sum(count(view(at)) for at in step) > room:
        view = squeezed(messages, step, view, max(room, int(max_tokens * STEP_SHARE)), count)
    return Chosen(positions=(*first, *step), view=view, room=room - sum(count(view(at)) for at in step))


def _head(messages: Sequence[BaseMessage]) -> list[int]:
    """List the system messages that the thread begins with: rules are not dropped for what is said under them."""
    began = next((at for at, one in enumerate(messages) if not isinstance(one, SystemMessage)), len(messages))
    return [at for at in system_of(messages) if at < began]


def _step(messages: Sequence[BaseMessage], turns: Sequence[Turn]) -> Block:
    last = turns[-1][-1] if turns else ()
    return last if len(last) > 1 and last[-1] == len(messages) - 1 else ()


def _by_need(messages: Sequence[BaseMessage], turns: Sequence[Turn], chosen: Chosen) -> Iterator[Block]:
    """Order the rest by need: the system's, what answers the last user message, then older turns whole."""
    yield from ((at,) for at in system_of(messages) if at not in chosen.positions)
    if turns:
        yield from (block for block in reversed(turns[-1][1:]) if block[-1] not in chosen.positions)
    yield from (tuple(joined([turn])) for turn in reversed(turns[:-1]))
