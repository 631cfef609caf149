"""Exchanges: how a conversation falls into what one said and what answers it, and how its memories are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jiyi.reading.said import USER, Conversation, Said
from memory.ids import turn_id_of

MAX_PREFIXES = 3
SEPARATORS = {"%": "%25", "/": "%2F"}


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A message of the user (or of whoever spoke first, where the user says nothing) and what follows until the next.

    `turn_id` is the same whenever the same conversation is read, even when it has grown since.
    """

    thread_id: str
    turn_id: str
    said: tuple[Said, ...]

    @property
    def of_user(self) -> Said | None:
        """Give what the user said in it, if anything."""
        return next((one for one in self.said if one.speaker == USER), None)


def exchanges_of(conversation: Conversation) -> list[Exchange]:
    """Group a conversation into its exchanges, in the order of their first words."""
    openers = _openers(conversation)
    groups: list[list[Said]] = []
    current: dict[str, list[Said]] = {}
    for one in conversation.said:
        if one.session not in current or one.speaker == openers[one.session]:
            current[one.session] = []
            groups.append(current[one.session])
        current[one.session].append(one)
    return [_exchange(conversation, group) for group in groups]


def thread_id_in(conversation: Conversation, session: str) -> str:
    """Name the thread of a session: `<corpus>/<session>`, or the corpus alone; no two can be mixed up."""
    if not conversation.keeps_names:
        return conversation.name
    corpus = _segment(conversation.name)
    return f"{corpus}/{session}" if session else corpus


def is_thread_of(conversation: Conversation, thread_id: str) -> bool:
    """Tell whether a thread is one of this conversation's."""
    whole = thread_id_in(conversation, "")
    return thread_id == whole or (conversation.keeps_names and thread_id.startswith(f"{whole}/"))


def possible_ids(conversation: Conversation, exchange: Exchange) -> list[list[str]]:
    """List for each utterance of an exchange what its memory may be called, the likeliest first.

    An id that is kept may be taken by another corpus of the same user: then the corpus's name stands before it.
    """
    if not conversation.keeps_names:
        return [[f"{exchange.turn_id}-{number}"] for number in range(len(exchange.said))]
    prefixes = [f"{conversation.name}:" * times for times in range(MAX_PREFIXES)]
    return [[f"{prefix}{one.name}" for prefix in prefixes] for one in exchange.said]


def _openers(conversation: Conversation) -> Mapping[str, str]:
    openers: dict[str, str] = {}
    for one in conversation.said:
        if one.speaker == USER:
            openers[one.session] = USER
        openers.setdefault(one.session, one.speaker)
    return openers


def _exchange(conversation: Conversation, said: list[Said]) -> Exchange:
    first = said[0]
    thread_id = thread_id_in(conversation, first.session)
    return Exchange(thread_id=thread_id, turn_id=turn_id_of(thread_id, first.name), said=tuple(said))


def _segment(name: str) -> str:
    return "".join(SEPARATORS.get(char, char) for char in name)
