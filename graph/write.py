"""write: finish a turn that still waits, apart from the conversation it belongs to."""

from __future__ import annotations

from functools import partial

from langgraph.graph import END, START, StateGraph

from graph.context import Context
from graph.parts import Parts, PartsSource, process_parts
from graph.state import State
from nodes.consolidate import consolidate
from nodes.extract import extract


def build_write_graph(parts: Parts | None = None) -> StateGraph[State, Context]:
    """Wire extraction and consolidation for the pending turns of one thread; see `build_graph` for `parts`."""
    source: PartsSource = process_parts if parts is None else lambda: parts
    builder = StateGraph(State, context_schema=Context)
    for step in (extract, consolidate):
        builder.add_node(step.__name__, partial(step, parts=source))
    builder.add_edge(START, "extract")
    builder.add_edge("extract", "consolidate")
    builder.add_edge("consolidate", END)
    return builder


graph = build_write_graph().compile(name="write")
