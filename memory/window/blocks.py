"""Blocks and turns: what of a thread stays together, as positions in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from memory.window.blank import says_nothing

Block = tuple[int, ...]
"""Positions in the thread of messages that stay together."""
Turn = tuple[Block, ...]
"""A user message's block first, then those that answer it."""


def system_of(messages: Sequence[BaseMessage]) -> list[int]:
    """List the positions of the system messages that say anything."""
    return [at for at, one in enumerate(messages) if isinstance(one, SystemMessage) and not says_nothing(one)]


def turns_of(messages: Sequence[BaseMessage]) -> list[Turn]:
    """Divide a thread into turns; what stands before the first user message belongs to none."""
    turns: list[list[Block]] = []
    for block in _blocks(messages):
        if isinstance(messages[block[0]], HumanMessage):
            turns.append([block])
        elif turns:
            turns[-1].append(block)
    return [tuple(turn) for turn in turns]


def joined(turns: Sequence[Turn]) -> list[int]:
    """List the positions of all messages of some turns."""
    return [at for turn in turns for block in turn for at in block]


def size(turns: Sequence[Turn]) -> int:
    """Count the messages of some turns."""
    return len(joined(turns))


def _blocks(messages: Sequence[BaseMessage]) -> Iterator[Block]:
    at = 0
    while at < len(messages):
        end = _results_end(messages, at + 1)
        if block := _whole(messages, at, end):
            yield block
        at = end


def _results_end(messages: Sequence[BaseMessage], at: int) -> int:
    while at < len(messages) and isinstance(messages[at], ToolMessage):
        at += 1
    return at


def _whole(messages: Sequence[BaseMessage], at: int, end: int) -> Block:
    """Join a message with one result for each of its calls; nothing where one is missing, or for a model to see."""
    if isinstance(messages[at], SystemMessage | ToolMessage | FunctionMessage | RemoveMessage):
        return ()
    results = {_answered(messages[place]): place for place in reversed(range(at + 1, end))}
    calls = _calls(messages[at])
    if len(set(calls)) < len(calls) or not results.keys() >= set(calls):
        return ()
    if not calls and not isinstance(messages[at], HumanMessage) and says_nothing(messages[at]):
        return ()
    return (at, *sorted(results[call] for call in calls))


def _answered(message: BaseMessage) -> str:
    return message.tool_call_id if isinstance(message, ToolMessage) else ""


def _calls(message: BaseMessage) -> list[str]:
    """List the ids that a message wants results for; malformed calls are sent to providers too, so they count."""
    calls = [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
    return [call["id"] or "" for call in calls]
