"""recall: find what is already known that bears on the user's message."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import run_of
from graph.state import RecalledRef, State
from memory.context_query import in_context
from store.recall import recall as recall_from
from store.wanted import Wanted


async def recall(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Search the user's memories for the last message, in its context; keep ids and scores, never write."""
    run = run_of(runtime, parts)
    query = in_context(state.get("messages", []))
    if not query or not run.uses("episodes"):
        return {"recalled": []}
    wanted = Wanted(not_turn=state.get("turn_id") or None)
    now = run.now.astimezone(ZoneInfo(run.timezone))  # which day "yesterday" was is the user's to say
    found = await recall_from(run.store, run.owner, query, wanted, now=now)
    refs = [RecalledRef(id=one.id, agent=one.agent, score=round(one.score, 4)) for one in found]
    runtime.stream_writer({"event": "recalled", "memories": [dict(ref) for ref in refs]})
    return {"recalled": refs}
