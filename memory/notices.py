"""Notices: what the program, not the model, says in a reply; shown to the user, and never remembered as said.

The message carries the notice's text in its metadata, so that what the model did say can be told from it.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage

from memory.context_query import text_of

NOTICE = "jiyi_notice"
"""The field of a message's `response_metadata`: a dict with `reason` and `text`."""
NO_MEDIA = "no_media"
"""The reason of a notice that an endpoint takes no pictures, recordings or files."""
MEDIA_LEFT_OUT = "media_left_out"
"""The reason of a notice below an answer: the model was not shown some of them."""


def noticed(reason: str, text: str) -> dict[str, Any]:
    """Make the metadata of a message that ends with a notice (or is one)."""
    return {NOTICE: {"reason": reason, "text": text}}


def noticed_besides(message: BaseMessage, reason: str, text: str) -> dict[str, Any]:
    """Make the metadata of a message to whose end a notice is added; one that is there goes on being known as one."""
    before = _field(message, "text").strip()
    return noticed(reason_of(message) or reason, f"{before}\n\n{text}" if before else text)


def reason_of(message: BaseMessage) -> str:
    """Say why there is a notice in a message; "" where there is none."""
    return _field(message, "reason")


def said_in(message: BaseMessage) -> str:
    """Give the text of a message without the notice at its end."""
    return text_of(message).removesuffix(_field(message, "text").strip()).rstrip()


def _field(message: BaseMessage, name: str) -> str:
    notice = message.response_metadata.get(NOTICE)
    return str(notice.get(name, "")) if isinstance(notice, dict) else ""
