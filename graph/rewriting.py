"""Rewriting: messages of a thread replaced by what is to stand in their place, wherever they came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, RemoveMessage

from graph.messages import fold_messages

Change = Callable[[AnyMessage], AnyMessage]
"""Gives what is to stand in the place of a message: itself, or another with the same id."""


def rewritten(messages: Sequence[AnyMessage], start: int, change: Change) -> list[Any]:
    """Give what to write so that the messages from a place on are changed, whoever folds them; [] when none is.

    A message that was named by what it says (it came as a bare string) is another one when it is changed, and has that
    one's name where a checkpoint is read. It cannot stand in for the one that came, so all from there on are written anew,
    in their order.
    """
    clean: list[AnyMessage] = list(messages[:start])
    for at, message in enumerate(messages[start:], start):
        clean.append(_changed(messages[:at], clean, message, change))
    pairs = list(zip(messages, clean, strict=True))
    renamed = next((at for at, (raw, one) in enumerate(pairs) if raw.id != one.id), len(pairs))
    gone = [RemoveMessage(id=str(raw.id)) for raw in messages[renamed:]]
    return [*(one for raw, one in pairs[:renamed] if one is not raw), *gone, *clean[renamed:]]


def _changed(
    before: Sequence[AnyMessage], clean_before: Sequence[AnyMessage], message: AnyMessage, change: Change
) -> AnyMessage:
    clean = change(message)
    if clean is message or _named(before, message).id != message.id:
        return clean
    return _named(clean_before, clean)


def _named(before: Sequence[AnyMessage], message: AnyMessage) -> AnyMessage:
    """Name a message as the thread does where it has no id."""
    return fold_messages(before, [message.model_copy(update={"id": None})])[-1]
