"""Blank content: what says nothing, which providers refuse, and what stands in its place."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage

from memory.prompt_texts import Language
from memory.surrogates import visible

EMPTY: dict[Language, str] = {"zh": "（空消息）", "en": "(empty message)"}
_TEXTS = frozenset({"text", "input_text", "output_text"})
_THOUGHTS = frozenset({"reasoning", "thinking", "redacted_thinking"})


def says_nothing(message: BaseMessage) -> bool:
    """Say whether a message has no content but what cannot be seen (and, of a model, what it thought)."""
    if isinstance(message.content, str):
        return not is_seen(message.content)
    return all(_is_blank(block) or _kind(block) in _THOUGHTS for block in message.content)


def filled(message: BaseMessage, placeholder: str) -> BaseMessage:
    """Give the message without blank blocks; where nothing is left, a copy with the placeholder."""
    if isinstance(message.content, str):
        kept: str | list[str | dict[Any, Any]] = message.content if is_seen(message.content) else placeholder
    else:
        kept = [block for block in message.content if not _is_blank(block)] or placeholder
    return message if kept == message.content else message.model_copy(update={"content": kept})


def _is_blank(block: str | dict[Any, Any]) -> bool:
    text = block if isinstance(block, str) else str(block.get("text") or "")
    return (isinstance(block, str) or _kind(block) in _TEXTS) and not is_seen(text)


def is_seen(text: str) -> bool:
    """Say whether anything of a text can be seen: blanks and zero-width characters cannot."""
    return bool(visible(text).strip())


def _kind(block: str | dict[Any, Any]) -> str:
    return "text" if isinstance(block, str) else str(block.get("type", ""))
