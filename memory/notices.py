"""Notices: what the program, not the model, says in a reply; shown to the user, and never remembered as said.

The message carries the notice's text in its metadata, so that what the model did say can be told from it.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage

from memory.context_query import text_of

NOTICE = "jiyi_notice"
"""The field of a message's `response_metadata`: a dict with `reason` and `text`."""


def noticed(reason: str, text: str) -> dict[str, Any]:
    """Make the metadata of a message that ends with a notice (or is one)."""
    return {NOTICE: {"reason": reason, "text": text}}


def reason_of(message: BaseMessage) -> str:
    """Say why there is a notice in a message; "" where there is none."""
    return _field(message, "reason")


def said_in(message: BaseMessage) -> str:
    """Give the text of a message without the notice at its end."""
    return text_of(message).removesuffix(_field(message, "text").strip()).rstrip()


def _field(message: BaseMessage, name: str) -> str:
    notice = message.response_metadata.get(NOTICE)
    return str(notice.get(name, "")) if isinstance(notice, dict) else ""
