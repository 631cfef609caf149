"""Summarizing: a model's words for what left a thread's window; what it says is not streamed to anybody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from graph.models.failures import failure_in_answer
from graph.models.structured import QUIET, Failure, failure_of, tried

ASK_WITHIN_S = 30.0
"""The user's run waits for it: a model that takes longer has failed."""


async def summarized(
    named: Callable[[str], BaseChatModel], prompt: Sequence[BaseMessage], *, within_s: float = ASK_WITHIN_S
) -> str | Failure:
    """Ask a model for a summary; give its words, or why there are none.

    Args:
        named: Gives the model for side calls.
        prompt: What it is asked.
        within_s: How long it may take.
    """
    reply = await tried(_asked(named, prompt, within_s))
    if isinstance(reply, Exception):
        return failure_of(reply)
    if failure := failure_in_answer(reply):
        return Failure(kind="malformed", reason=f"the answer is not whole: {failure.reason}")
    return reply.text


async def _asked(named: Callable[[str], BaseChatModel], prompt: Sequence[BaseMessage], within_s: float) -> AIMessage:
    async with asyncio.timeout(within_s):
        model = await asyncio.to_thread(named, "")  # the first remote one imports for seconds
        return await model.ainvoke(list(prompt), QUIET)
