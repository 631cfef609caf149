"""Refolding: a summary belongs to the messages that it was folded from; where these were edited it is folded anew."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from langchain_core.messages import BaseMessage, HumanMessage

from memory.context_query import text_of
from memory.keys import Language
from memory.summary import fold_summary
from memory.window import to_fold
from memory.words import has_cjk

MARK_CHARS = 32

Due = Callable[[Sequence[BaseMessage]], Sequence[BaseMessage]]
DUE: Due = partial(to_fold, summarized_upto=None)
Harmless = Callable[[Sequence[BaseMessage]], Sequence[BaseMessage]]
"""Gives messages redacted, without those that the guard holds back."""


class Fold(Protocol):
    """Folds messages into the summary so far."""

    def __call__(self, previous: str, messages: Sequence[BaseMessage], /, *, language: Language) -> str:
        """Give the summary then."""
        ...


def folded_from(messages: Sequence[BaseMessage], upto: str) -> str:
    """Name what a summary was folded from: all messages up to one, by who said them and what they say.

    Args:
        messages: The thread, oldest first.
        upto: The id of the last message that the summary holds.

    Returns:
        "" where that message is not in the thread.
    """
    place = next((at for at, message in enumerate(messages) if message.id == upto), -1) if upto else -1
    if place < 0:
        return ""
    said = [[message.id, message.type, message.content] for message in messages[: place + 1]]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:MARK_CHARS]


def folded_anew(
    messages: Sequence[BaseMessage],
    *,
    harmless: Harmless,
    due_of: Due = DUE,
    fold: Fold = fold_summary,
) -> tuple[str, str]:
    """Fold a thread's summary from its beginning, as it would have been folded turn by turn.

    Args:
        messages: The thread, oldest first; what is being said just now, the last user message, is not folded.
        harmless: What may be folded of messages.
        due_of: As for a thread without a summary: what of it is due.
        fold: What folds messages into a summary; by rules, no model is asked.

    Returns:
        The summary, and the id of the last message that it holds; "" and "" where nothing is due.
    """
    summary, start, upto = "", 0, ""
    for end in [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)][1:]:
        due = due_of(messages[start:end])
        if due and (folded := fold(summary, harmless(due), language=language_of(due))):
            summary, upto = folded, str(due[-1].id)
            start = next(at for at, message in enumerate(messages) if message.id == due[-1].id) + 1
    return summary, upto


def language_of(messages: Sequence[BaseMessage]) -> Language:
    """Say in which language messages are summed up: in Chinese where a user wrote any."""
    users = (text_of(message) for message in messages if isinstance(message, HumanMessage))
    return "zh" if any(has_cjk(text) for text in users) else "en"
