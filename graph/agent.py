"""The agent: the whole way of a message, a hop per box of the diagram."""

from __future__ import annotations

from functools import partial
from typing import Literal

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, StateGraph

from graph.context import Context
from graph.parts import Parts, PartsSource, process_parts
from graph.state import Said, State
from nodes.consolidate import consolidate
from nodes.extract import extract
from nodes.inject_skills import inject_skills
from nodes.llm import llm
from nodes.perceive import perceive
from nodes.recall import recall
from nodes.review import review
from nodes.summarize import summarize
from nodes.tools import tools

STEPS = (perceive, recall, inject_skills, llm, tools, extract, consolidate, review, summarize)


def build_graph(parts: Parts | None = None) -> StateGraph[State, Context, Said, State]:
    """Wire the agent.

    Args:
        parts: What its nodes use; None: the process's own, made at first use.

    Returns:
        The graph, to be compiled with a store and a checkpointer (a server brings both).
    """
    source: PartsSource = process_parts if parts is None else lambda: parts
    builder = StateGraph(State, context_schema=Context, input_schema=Said)
    for step in STEPS:
        builder.add_node(step.__name__, partial(step, parts=source))
    builder.add_edge(START, "perceive")
    builder.add_edge("perceive", "recall")
    builder.add_edge("recall", "inject_skills")
    builder.add_edge("inject_skills", "llm")
    builder.add_conditional_edges("llm", calls_tools, {"tools": "tools", "extract": "extract"})
    builder.add_edge("tools", "llm")
    builder.add_edge("extract", "consolidate")
    for written in ("consolidate", "review"):
        builder.add_conditional_edges(written, asks_the_user, {"review": "review", "summarize": "summarize"})
    builder.add_edge("summarize", END)
    return builder


def calls_tools(state: State) -> Literal["tools", "extract"]:
    """Ask where the model's answer leads: to the tools it calls, or on."""
    messages = state.get("messages", [])
    last = messages[-1] if messages else None
    return "tools" if isinstance(last, AIMessage) and last.tool_calls else "extract"


def asks_the_user(state: State) -> Literal["review", "summarize"]:
    """Ask whether something written stands against something known, and the user is to say which holds."""
    return "review" if state.get("asking") else "summarize"


graph = build_graph().compile(name="agent")
