"""Usage: what each part of a prompt takes, and how much of what it may take that is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from memory.fence import fence_texts
from memory.tokens import REPLY_TOKENS, TokenCounter, usage

REMEMBERED = ("facts", "summary", "notes", "episodes", "skills")
"""What is bounded by the budget for memories."""
CONVERSATION = ("window", "question")
"""What is bounded by the budget for the window: what was said before, and the last user message."""
FIXED = ("system", "tools")
"""What every prompt has: rules, persona and preferences; the tools' descriptions."""
PARTS = ("system", *REMEMBERED, *CONVERSATION, "tools")


def tokens_by_part(
    messages: Sequence[BaseMessage], *, counter: TokenCounter, tools: Sequence[Mapping[str, Any]] = ()
) -> dict[str, int]:
    """Count an assembled prompt by part; all parts together are what the whole of it takes.

    Args:
        messages: What `memory.prompt.assemble` gave: fences are looked for where it puts them, in the first message and in
            the last user message.
        counter: Counts.
        tools: The descriptions of the tools that go with it.

    Returns:
        A number for each of `PARTS`, 0 where there is nothing.
    """
    by_part = dict.fromkeys(PARTS, 0)
    last = max((at for at, one in enumerate(messages) if isinstance(one, HumanMessage)), default=None)
    for at, message in enumerate(messages):
        is_ours = at == 0 and isinstance(message, SystemMessage)
        left = counter.message(message)
        for kind, text in fence_texts(message.text) if is_ours or at == last else ():
            taken_up = min(counter.text(text), left)
            by_part[kind] += taken_up
            left -= taken_up
        by_part["system" if is_ours else "question" if at == last else "window"] += left
    by_part["system"] += REPLY_TOKENS
    by_part["tools"] = sum(counter.text(json.dumps(tool, ensure_ascii=False)) for tool in tools)
    return by_part


def told_usage(by_part: Mapping[str, int], *, window_tokens: int, memory_tokens: int) -> dict[str, Any]:
    """Say how full a prompt is: in all, and of its two budgets.

    Args:
        by_part: As `tokens_by_part` gives it.
        window_tokens: What the conversation may take.
        memory_tokens: What is remembered may take.

    Returns:
        `parts`; `current`, `max`, `remaining` and `usage_percent` of the whole prompt, whose maximum is both budgets and
        what every prompt has; the same four of the conversation under `window` and of what is remembered under `memory`.
    """
    sizes = {name: sum(by_part[part] for part in group) for name, group in _GROUPS.items()}
    whole = usage(sum(sizes.values()), sizes["fixed"] + window_tokens + memory_tokens)
    return {
        "parts": dict(by_part),
        **asdict(whole),
        "window": asdict(usage(sizes["window"], window_tokens)),
        "memory": asdict(usage(sizes["memory"], memory_tokens)),
    }


def shared_beginning(before: Sequence[BaseMessage], after: Sequence[BaseMessage]) -> tuple[BaseMessage, ...]:
    """Give how two prompts begin alike, which is what a provider's cache can serve: whole messages, and of the next its text.

    A text is shared up to where it differs, so the last message may be the beginning of one.
    """
    shared: list[BaseMessage] = []
    for one, other in zip(before, after, strict=False):
        if (one.type, one.content, _calls(one)) == (other.type, other.content, _calls(other)):
            shared.append(other)
            continue
        begins = _beginning(one.text, other.text) if one.type == other.type else ""
        return (*shared, *([other.model_copy(update={"content": begins})] if begins else []))
    return tuple(shared)


def _beginning(text: str, other: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    return text[: sum(1 for _ in same)]


def _calls(message: BaseMessage) -> object:
    return message.tool_calls if isinstance(message, AIMessage) else getattr(message, "tool_call_id", None)


def taken(message: AIMessage) -> dict[str, int] | None:
    """Give what the model says it really took, cached input and thinking told apart; None where it says nothing."""
    said = message.usage_metadata
    if said is None:
        return None
    counted = {name: said[name] for name in ("input_tokens", "output_tokens", "total_tokens")}
    details = {
        "cached_tokens": said.get("input_token_details", {}).get("cache_read"),
        "reasoning_tokens": said.get("output_token_details", {}).get("reasoning"),
    }
    return {**counted, **{name: number for name, number in details.items() if number is not None}}


_GROUPS = {"fixed": FIXED, "window": CONVERSATION, "memory": REMEMBERED}
