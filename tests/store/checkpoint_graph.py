from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels.delta import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from graph.messages import fold_messages
from store.checkpointer import ThreadSaver

Durability = Literal["sync", "async", "exit"]


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], DeltaChannel(fold_messages, snapshot_frequency=7)]
    turn_id: str
    recalled: list[dict[str, Any]]
    turns: Annotated[int, operator.add]


@dataclass(frozen=True, kw_only=True)
class Context:
    user_id: str = ""


async def perceive(state: State) -> dict[str, Any]:
    turn_id = state["messages"][-1].id
    return {"turn_id": turn_id, "turns": 1, "recalled": [{"id": f"{turn_id}-{place}"} for place in range(5)]}


async def llm(state: State) -> dict[str, Any]:
    said = state["messages"][-1]
    if "ask me" in said.text:
        interrupt("sure?")
    return {"messages": [AIMessage(f"「{said.text}」收到了", id=f"{said.id}-reply")]}


async def extract(state: State) -> dict[str, Any]:
    return {"recalled": state["recalled"][:2]}


Graph = CompiledStateGraph[State, Context, Any, Any]


def conversation(saver: ThreadSaver) -> Graph:
    builder: StateGraph[State, Context, Any, Any] = StateGraph(State, context_schema=Context)
    builder.add_node("perceive", perceive)
    builder.add_node("llm", llm)
    builder.add_node("extract", extract)
    builder.add_edge(START, "perceive")
    builder.add_edge("perceive", "llm")
    builder.add_edge("llm", "extract")
    builder.add_edge("extract", END)
    return builder.compile(checkpointer=saver)


async def say(
    graph: Graph,
    text: str,
    *,
    thread: str = "thread",
    user: str | None = None,
    durability: Durability = "async",
    **configurable: Any,
) -> list[str]:
    run = configurable.pop("run_id", None)
    config: RunnableConfig = {"configurable": {"thread_id": thread, **configurable}}
    if run:
        config["metadata"] = {"run_id": run}
    context = Context(user_id=user) if user is not None else None
    message = HumanMessage(text, id=f"id of {text}")
    state = await graph.ainvoke({"messages": [message]}, config, context=context, durability=durability)
    return texts(state)


async def said_in(graph: Graph, thread: str = "thread", **configurable: Any) -> list[str]:
    state = await graph.aget_state({"configurable": {"thread_id": thread, **configurable}})
    return texts(state.values)


def texts(state: Mapping[str, Any]) -> list[str]:
    return [message.text for message in state.get("messages", ()) if message.type == "human"]


async def ends_of_turns(graph: Graph, thread: str = "thread") -> dict[str, RunnableConfig]:
    """Give the newest finished checkpoint of each turn, by the last text said."""
    found: dict[str, RunnableConfig] = {}
    async for state in graph.aget_state_history({"configurable": {"thread_id": thread}}):
        if state.values.get("messages") and not state.next:
            found.setdefault(texts(state.values)[-1], state.config)
    return found


async def ids_of(saver: ThreadSaver, thread: str = "thread") -> list[str]:
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    return [found.checkpoint["id"] async for found in saver.alist(config)]


def bytes_in(directory: Path, *, but: str = "nothing") -> bytes:
    return b"".join(file.read_bytes() for file in directory.iterdir() if not file.name.endswith(but))
