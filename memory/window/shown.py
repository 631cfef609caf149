"""What is shown of each message: itself, or a copy that a provider takes and that is not too long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory.context_query import text_of
from memory.prompt_texts import Language
from memory.tokens import MESSAGE_TOKENS, MessageCounter
from memory.window.blank import EMPTY, filled, is_seen
from memory.window.blocks import Block
from memory.window.long_results import shortened
from memory.words import has_cjk

FEWEST_TOKENS = 12
"""A result is not made shorter than this, however many there are."""

View = Callable[[int], BaseMessage]
"""Gives the message at a position as it is shown."""


def views(messages: Sequence[BaseMessage], count: MessageCounter) -> View:
    """Give each message as it is shown, worked out when it is first asked for."""

    @cache
    def shown(at: int) -> BaseMessage:
        message = messages[at]
        if isinstance(message, ToolMessage):
            message = shortened(message, count=count, language=spoken_at(messages, at))
        if not _may_be_blank(message):
            return message
        return filled(message, "" if isinstance(message, AIMessage) else EMPTY[spoken_at(messages, at)])

    return shown


def squeezed(messages: Sequence[BaseMessage], block: Block, view: View, room: int, count: MessageCounter) -> View:
    """Show a block's tool results so short that they fit into so many tokens, the longest shortened first.

    A model that does not see what its calls gave calls again; so the step that it goes on from is never left out.
    """
    results = [at for at in block if isinstance(messages[at], ToolMessage)]
    others = sum(count(view(at)) for at in block if at not in results)
    share = _fair_share([count(view(at)) for at in results], room - others)
    language = spoken_at(messages, block[0])

    def shown(at: int) -> BaseMessage:
        message = view(at)
        if at not in results or not isinstance(message, ToolMessage) or count(message) <= share:
            return message
        wrapped = count(ToolMessage("", tool_call_id=message.tool_call_id))
        original = messages[at]
        assert isinstance(original, ToolMessage)  # noqa: S101  (a result's view is made of a result)
        limit = max(share - wrapped, FEWEST_TOKENS)
        short = shortened(original, max_tokens=limit, count=count, language=language)
        return message if short is original else short

    return shown


def spoken_at(messages: Sequence[BaseMessage], at: int) -> Language:
    """Say in which language the user's last words up to there are; before any, in which they are at first."""
    before = (messages[place] for place in range(at, -1, -1))
    after = (messages[place] for place in range(at + 1, len(messages)))
    said = (text_of(one) for part in (before, after) for one in part if isinstance(one, HumanMessage))
    words = next((text for text in said if any(char.isalpha() for char in text)), "")
    return "zh" if has_cjk(words) else "en"


def _may_be_blank(message: BaseMessage) -> bool:
    return not isinstance(message.content, str) or not is_seen(message.content)


def _fair_share(sizes: Sequence[int], room: int) -> int:
    """Say how large each may be, so that all fit when the larger ones are cut to it."""
    left = room
    for taken, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - taken)
        if size > share:
            return max(share, MESSAGE_TOKENS)
        left -= size
    return max(sizes, default=0)
