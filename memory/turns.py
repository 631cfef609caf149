"""Turns: how a thread's messages fall into user messages and what answers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.context_query import text_of
from memory.fence import without_fences
from memory.ids import turn_id_of
from memory.media import Media, media_in
from memory.notices import said_in

MAX_REMEMBERED_CHARS = 16_000
"""More of one message is not remembered (the thread keeps it whole): whoever pastes a book does not tell it."""

MAX_REMEMBERED_MEDIA = 20


@dataclass(frozen=True, kw_only=True)
class SaidTurn:
    """A user's message, at its position in the thread, and the model's messages that answer it."""

    human: HumanMessage
    position: int
    answers: tuple[BaseMessage, ...]

    @property
    def replies(self) -> tuple[str, ...]:
        """Give the texts that the model answered with, without notices and what of ours it may have repeated."""
        said = (_bounded(without_fences(said_in(one))) for one in self.answers if isinstance(one, AIMessage))
        return tuple(text for text in said if text)

    @property
    def tools_used(self) -> tuple[str, ...]:
        """Name the tools that were called, each once, in order."""
        calls = (call["name"] for one in self.answers if isinstance(one, AIMessage) for call in one.tool_calls)
        return tuple(dict.fromkeys(calls))

    @property
    def media(self) -> tuple[Media, ...]:
        """Give what the user showed: the first pictures, recordings and files of the message."""
        return media_in(self.human)[:MAX_REMEMBERED_MEDIA]

    @property
    def text(self) -> str:
        """Give what the user said, without anything of ours that may have been put beside it."""
        return _bounded(without_fences(text_of(self.human)))


def turns_of(messages: Sequence[BaseMessage]) -> list[SaidTurn]:
    """Split a thread into its turns, oldest first; what stands before the first user message is in none."""
    starts = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return [_turn(messages, start, end) for start, end in pairwise([*starts, len(messages)])]


def turns_by_id(messages: Sequence[BaseMessage], thread_id: str) -> dict[str, SaidTurn]:
    """Give a thread's turns under their turn ids."""
    return {turn_id_of(thread_id, str(turn.human.id)): turn for turn in turns_of(messages)}


def turns_since(messages: Sequence[BaseMessage], upto: str) -> list[SaidTurn]:
    """Give the turns that begin after the message with this id (all where it is not in the thread)."""
    at = next((at for at, message in enumerate(messages) if message.id == upto), -1) if upto else -1
    return [turn for turn in turns_of(messages) if turn.position > at]


def _bounded(text: str) -> str:
    whole = text.strip()
    return whole if len(whole) <= MAX_REMEMBERED_CHARS else whole[:MAX_REMEMBERED_CHARS] + "…"


def _turn(messages: Sequence[BaseMessage], start: int, end: int) -> SaidTurn:
    human = messages[start]
    assert isinstance(human, HumanMessage)  # noqa: S101  (starts are those of user messages)
    return SaidTurn(human=human, position=start, answers=tuple(messages[start + 1 : end]))
