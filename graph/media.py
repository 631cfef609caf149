"""Media in a run: what its model is shown of them, and what the user is told of those that it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from graph.models.choice import MissingKeyError
from graph.models.taking import kinds_taken
from graph.run import Run
from memory.media import LeftOut, blocks_of, left_out_told, references_in, seen
from memory.notices import NO_MEDIA, reason_of
from memory.prompt import language_of
from memory.prompt_parts import PromptParts
from memory.turns import turns_of
from skills.bilingual import Language

REFUSING = frozenset({NO_MEDIA, "rejected", "refused", "too_long"})
"""Why an endpoint did not answer a message that it may answer without its pictures: they are not sent again."""


async def shown_media(
    shown: PromptParts, messages: Sequence[AnyMessage], run: Run
) -> tuple[PromptParts, tuple[LeftOut, ...]]:
    """Give the parts of a prompt with the bytes of what the model takes, and what it is not shown."""
    if not any(_has_media(message) for message in shown.window):
        return shown, ()
    view = await asyncio.to_thread(
        seen,
        shown.window,
        takes=await _kinds_taken(run),
        read=partial(run.parts.shelf.files.read, run.thread_id),
        language=language_of(shown),
        refused=_refused_in(messages),
    )
    return replace(shown, window=view.messages), view.left_out


def told_of(left_out: Sequence[LeftOut], messages: Sequence[AnyMessage], language: Language) -> str:
    """Tell what the model was not shown of the user's last message; "" where it saw all of it."""
    last = next((str(one.id) for one in reversed(messages) if isinstance(one, HumanMessage)), "")
    notes = [one.note for one in left_out if one.message_id == last]
    return left_out_told(notes, language) if notes else ""


def _has_media(message: BaseMessage) -> bool:
    found: object = next(blocks_of(message), None) or next(references_in(message.additional_kwargs), None)
    return found is not None


async def _kinds_taken(run: Run) -> frozenset[str] | None:
    try:
        model = await asyncio.to_thread(run.parts.model, run.context.model)  # the first remote one imports for seconds
    except MissingKeyError:
        return None
    return kinds_taken(model, run.parts.settings)


def _refused_in(messages: Sequence[AnyMessage]) -> frozenset[str]:
    """Name the messages that an endpoint refused, and may have refused for what they show."""
    return frozenset(
        str(turn.human.id)
        for turn in turns_of(messages)
        if any(isinstance(one, AIMessage) and reason_of(one) in REFUSING for one in turn.answers)
    )
