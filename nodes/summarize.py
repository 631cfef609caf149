"""summarize: fold what left the window into the thread's running summary; the messages stay."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from graph.context import Context
from graph.models.structured import Failure
from graph.models.summarizing import summarized
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.key_information import fold_key_information
from memory.keys import Language
from memory.refolding import folded_from, language_of
from memory.seams import CompressionError
from memory.summary import fold_summary
from memory.summary_prompt import summary_messages
from memory.summary_told import fold_told
from memory.window import FOLDING, to_fold
from store.harmless import harmless_for
from store.redacting import redactor_of

log = logging.getLogger(__name__)
TURNS_BETWEEN_CALLS = 10
"""A model is asked at most once in so many turns; what is due between is folded by the rules."""


async def summarize(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Fold the messages that are due; without any, or when nothing comes of it, the summary stays as it is.

    The rules do it, and in its turn a model where one was chosen for side calls. When that fails, refuses or says
    nothing, the rules' summary stands: they lose nothing that binds, while messages left unfolded would grow the prompt
    until they are cut from it without a trace.
    """
    run = run_of(runtime, parts)
    policy = run.window
    if policy.strategy not in FOLDING:
        return {}
    messages = state.get("messages", [])
    counter = await asyncio.to_thread(run.parts.counter, run.context.model)  # a vocabulary is read from its file
    due = to_fold(
        messages,
        summarized_upto=state.get("summarized_upto"),
        keep=policy.keep,
        max_tokens=policy.max_tokens,
        count=counter.message,
    )
    if not due:
        return {}
    redacted = await redactor_of(run.store, run.owner)
    harmless = (await harmless_for(run.store, run.owner))(due)
    language = language_of(due)
    previous, upto = state.get("summary", ""), str(due[-1].id)
    mark: State = {"summarized_upto": upto, "summarized_from": folded_from(messages, upto)}
    if policy.strategy == "compressed":
        summary = await _key_information(previous, harmless, language, run)
        return {"summary": summary, **mark} if summary else {}
    asks = run.parts.extractor is not None and harmless and _is_time_to_ask(messages, state.get("summary_asked", ""))
    told = redacted(await _told(previous, harmless, language, run)) if asks else ""
    summary = (fold_told(previous, harmless, told, language=language) if told else None) or fold_summary(
        previous, harmless, language=language
    )
    asked: State = {"summary_asked": str(messages[-1].id)} if asks else {}
    return {"summary": summary, **mark, **asked} if summary else asked


def _is_time_to_ask(messages: Sequence[AnyMessage], asked: str) -> bool:
    """Say whether so many turns began since a model was asked (one that was taken back since asked nobody)."""
    at = next((at for at, message in enumerate(messages) if message.id == asked), None) if asked else None
    since = messages if at is None else messages[at + 1 :]
    return at is None or sum(isinstance(message, HumanMessage) for message in since) >= TURNS_BETWEEN_CALLS


async def _told(previous: str, messages: Sequence[BaseMessage], language: Language, run: Run) -> str:
    """Give a model's words for what is to be added; "" where it gave none that may be kept."""
    assert run.parts.extractor is not None  # noqa: S101  (whoever calls has looked)
    told = await summarized(run.parts.extractor, summary_messages(previous, messages, language=language))
    if isinstance(told, Failure):
        log.warning("No model summarized thread %s: %s; the rules did", run.thread_id, told.reason)
        return ""
    return "" if run.store.policies.guard.attack_in(told) else told


async def _key_information(previous: str, messages: Sequence[BaseMessage], language: Language, run: Run) -> str:
    """Fold with the chosen compressor, in a thread of its own; the rules do where that fails."""
    try:
        return await asyncio.to_thread(
            fold_key_information, previous, messages, language=language, compressor=run.parts.compressor
        )
    except CompressionError as error:
        log.warning("%s; the rules compress instead.", error)
        return fold_key_information(previous, messages, language=language)
