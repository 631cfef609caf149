"""sleep: look after one user's memory while nobody waits; for now: index and expire what is due."""

from __future__ import annotations

from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from graph.context import Context
from graph.identity import owner_of, store_of
from graph.parts import Parts, PartsSource, process_parts
from graph.state import State
from store.folding import refold_user
from store.forgetting import forget_left_over


async def compact(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Give waiting items their vectors, remove what has expired, forget what rests on nothing, and refold the facts."""
    del state
    store = store_of(runtime)
    await store.indexer.catch_up()
    await store.transact("", lambda transaction: transaction.sweep())
    owner = owner_of(runtime, parts().settings)
    changed = (*await forget_left_over(store, owner), *await refold_user(store, owner))
    return {"changes": list(changed)}


def build_sleep_graph(parts: Parts | None = None) -> StateGraph[State, Context]:
    """Wire the upkeep of one user's memory; see `build_graph` for `parts`."""
    source: PartsSource = process_parts if parts is None else lambda: parts
    builder = StateGraph(State, context_schema=Context)
    builder.add_node("compact", partial(compact, parts=source))
    builder.add_edge(START, "compact")
    builder.add_edge("compact", END)
    return builder


graph = build_sleep_graph().compile(name="sleep")
