"""Turns: how a thread's messages fall into user messages and what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.context_query import text_of
from memory.fence import without_fences


@dataclass(frozen=True, kw_only=True)
class SaidTurn:
    """A user's message, at its position in the thread, and the model's messages that answer it."""

    human: HumanMessage
    position: int
    replies: tuple[AIMessage, ...]

    @property
    def text(self) -> str:
        """Give what the user said, without anything of ours that may have been put beside it."""
        return without_fences(text_of(self.human)).strip()


def turns_of(messages: Sequence[BaseMessage]) -> list[SaidTurn]:
    """Split a thread into its turns, oldest first; what stands before the first user message is in none."""
    starts = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return [_turn(messages, start, end) for start, end in pairwise([*starts, len(messages)])]


def turns_since(messages: Sequence[BaseMessage], upto: str) -> list[SaidTurn]:
    """Give the turns that begin after the message with this id (all where it is not in the thread)."""
    at = next((at for at, message in enumerate(messages) if message.id == upto), -1) if upto else -1
    return [turn for turn in turns_of(messages) if turn.position > at]


def _turn(messages: Sequence[BaseMessage], start: int, end: int) -> SaidTurn:
    human = messages[start]
    assert isinstance(human, HumanMessage)  # noqa: S101  (starts are those of user messages)
    return SaidTurn(human=human, position=start, replies=tuple(_answers(messages[start + 1 : end])))


def _answers(messages: Sequence[BaseMessage]) -> Iterator[AIMessage]:
    for message in messages:
        if isinstance(message, AIMessage) and text_of(message).strip():
            yield message
