"""How a window is cut: the strategies by name, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import BaseMessage

Strategy = Literal["fixed", "budget", "summary", "compressed", "attention"]
FOLDING: frozenset[Strategy] = frozenset({"summary", "compressed"})
"""Under these, what leaves the window is folded into the thread's summary; under the others it is only not shown."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """What a model sees, system messages first, and what it does not see; both in the thread's order.

    What is shown keeps its id; it is a copy where its text is (a long tool result, a message without any text).
    """

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


def check(max_turns: int, keep: tuple[int, int]) -> None:
    """Refuse numbers that make no window.

    Raises:
        ValueError: `max_turns` or `keep` is out of range.
    """
    if max_turns < 1:
        raise ValueError(f"Cannot cut a window of {max_turns!r} turns: the last one is always shown; give at least 1.")
    if not 1 <= keep[0] <= keep[1]:
        raise ValueError(f"Cannot keep {keep!r} messages: give (fewest, most) with 1 <= fewest <= most.")
