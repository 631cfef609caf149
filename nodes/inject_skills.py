"""inject_skills: pick the know-how that the user's message calls for."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import run_of
from graph.state import State
from memory.context_query import in_context
from memory.recalled import asks_for_memory
from skills.calling import called_for
from store.recall import MAX_QUERY_CHARS


async def inject_skills(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Match the last message, in its context, with the agent's skills as their files are now."""
    run = run_of(runtime, parts)
    query = in_context(state.get("messages", []))[:MAX_QUERY_CHARS]
    if "skills" not in run.context.layers or not asks_for_memory(query):
        return {"skills": []}
    agent = run.owner.agent
    judged = await called_for(run.parts.skills, agent, query, similarity=run.parts.similarity)
    ids = [one.skill_id for one in judged.called]
    if ids:
        runtime.stream_writer({"event": "skills", "skills": ids})
    return {"skills": ids}
