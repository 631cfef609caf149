"""summarize: fold what left the window into the thread's running summary; the messages stay."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import run_of
from graph.state import State
from memory.context_query import text_of
from memory.notices import said_in
from memory.summary import fold_summary
from memory.window import to_fold
from memory.words import has_cjk
from store.redacting import redactor_of


async def summarize(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Fold the messages that are due; without any, or when nothing comes of it, the summary stays as it is."""
    run = run_of(runtime, parts)
    if run.context.window != "summary":
        return {}
    counter = await asyncio.to_thread(run.parts.counter, run.context.model)  # a vocabulary is read from its file
    due = to_fold(
        state.get("messages", []),
        summarized_upto=state.get("summarized_upto"),
        max_tokens=run.parts.settings.window_tokens,
        count=counter.message,
    )
    if not due:
        return {}
    redacted = await redactor_of(run.store, run.owner)
    clean = [message.model_copy(update={"content": redacted(said_in(message))}) for message in due]
    harmless = [message for message in clean if not run.store.policies.guard.attack_in(text_of(message))]
    language = "zh" if any(has_cjk(text_of(message)) for message in due if message.type == "human") else "en"
    summary = fold_summary(state.get("summary", ""), harmless, language=language)
    return {"summary": summary, "summarized_upto": str(due[-1].id)} if summary else {}
