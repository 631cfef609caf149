"""Measure how a thread grows on disk: which channel, which durability, how many turns kept.

    python -m bench.thread_growth --turns 500

A synthetic graph of the agent's shape (seven nodes a turn, about 110 bytes from the user and 400 from the
model, ids in the other channels). Bytes are those of the database with its write-ahead log, while open.
Every variant must still show all messages and be readable 49 turns back, else the script fails.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels.delta import DeltaChannel
from langgraph.graph import START, StateGraph, add_messages
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from graph.messages import SNAPSHOT_EVERY_UPDATES, fold_messages
from store.checkpointer import ThreadSaver, open_saver

USER_TEXT = "我的订单 #8842 还没有到，帮我查一下物流好吗？Please also say when it will be at my door. "
REPLY = "好的，我查到了：包裹今天早上已经离开分拣中心，预计明天下午送达。The courier calls before it comes. "
NODES = ("perceive", "recall", "inject_skills", "llm", "extract", "consolidate", "summarize")
REWIND_TURNS = 49
FOREVER = 1_000_000
TIMED_TURNS = 20

Durability = Literal["exit", "async"]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """What is compared; `snapshot_every` 0 is the plain channel that keeps all messages each time."""

    snapshot_every: int
    durability: Durability
    keep_turns: int

    @property
    def name(self) -> str:
        """Say it in a word for the table."""
        channel = f"delta/{self.snapshot_every}" if self.snapshot_every else "plain"
        return f"{channel} {self.durability} keep={'all' if self.keep_turns == FOREVER else self.keep_turns}"


@dataclass(frozen=True, kw_only=True)
class Growth:
    """Bytes on disk, checkpoints kept and milliseconds a turn at the end."""

    size_bytes: int
    checkpoints: int
    turn_ms: float


VARIANTS = (
    Variant(snapshot_every=0, durability="async", keep_turns=FOREVER),
    Variant(snapshot_every=0, durability="exit", keep_turns=FOREVER),
    Variant(snapshot_every=0, durability="async", keep_turns=50),
    Variant(snapshot_every=0, durability="exit", keep_turns=50),
    *(
        Variant(snapshot_every=snapshot_every, durability=durability, keep_turns=keep_turns)
        for snapshot_every in (20, SNAPSHOT_EVERY_UPDATES, 100, 200)
        for durability in cast("tuple[Durability, ...]", ("async", "exit"))
        for keep_turns in (FOREVER, 50)
    ),
)


def state_of(snapshot_every: int) -> type:
    """Make the state's schema with one or the other kind of messages channel."""
    channel: Any = add_messages
    if snapshot_every:
        channel = DeltaChannel(fold_messages, snapshot_frequency=snapshot_every)
    fields = {
        "messages": Annotated[list[AnyMessage], channel],
        "turn_id": str,
        "recalled": list[dict[str, Any]],
        "skills": list[str],
        "extracted_upto": str,
        "changes": list[str],
        "summarized_upto": str,
        "summary": str,
    }
    return cast("type", TypedDict("State", fields, total=False))  # type: ignore[operator]


def written_by(node: str, state: dict[str, Any]) -> dict[str, Any]:
    """Give what a node of this name writes."""
    turn = state["messages"][-1].id
    ids = [f"{turn}-{place}" for place in range(5)]
    writes: dict[str, dict[str, Any]] = {
        "perceive": {"turn_id": turn},
        "recall": {"recalled": [{"id": one, "score": 0.5} for one in ids]},
        "inject_skills": {"skills": ids[:2]},
        "llm": {"messages": [AIMessage((REPLY * 3)[:250], id=f"{turn}-reply")]},
        "extract": {"extracted_upto": turn},
        "consolidate": {"changes": ids[:2]},
        "summarize": {"summarized_upto": turn},
    }
    return writes[node]


def step(node: str) -> Any:
    """Make a node."""

    async def run(state: dict[str, Any]) -> dict[str, Any]:
        return written_by(node, state)

    return run


def chain(saver: ThreadSaver, variant: Variant) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph: its nodes one after the other."""
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(state_of(variant.snapshot_every))
    for before, node in zip((START, *NODES), NODES, strict=False):
        builder.add_node(node, step(node))
        builder.add_edge(before, node)
    return builder.compile(checkpointer=saver)


async def grow(path: Path, variant: Variant, turns: int) -> Growth:
    """Talk for so many turns and say what came of it."""
    config: RunnableConfig = {"configurable": {"thread_id": "thread", "jiyi_user": "user"}}
    async with open_saver(path, owner_of=str.upper, keep_turns=variant.keep_turns) as saver:
        graph = chain(saver, variant)
        for turn in range(turns):
            if turn == max(0, turns - TIMED_TURNS):
                started = time.perf_counter()
            message = HumanMessage(USER_TEXT, id=f"0b7c5d1e-5f3a-4f55-9f0c-{turn:012}")
            await graph.ainvoke({"messages": [message]}, config, durability=variant.durability)
        turn_ms = (time.perf_counter() - started) * 1000 / min(turns, TIMED_TURNS)
        size_bytes = sum(part.stat().st_size for part in path.parent.iterdir() if part.suffix != ".db-shm")
        await check(graph, config, turns)
        ((checkpoints,),) = await saver.conn.execute_fetchall("SELECT COUNT(*) FROM checkpoints")
        return Growth(size_bytes=size_bytes, checkpoints=checkpoints, turn_ms=turn_ms)


async def check(graph: CompiledStateGraph[Any, Any, Any, Any], config: RunnableConfig, turns: int) -> None:
    """Fail unless all messages are there, and 49 turns back all that were then."""
    now = await graph.aget_state(config)
    if len(now.values["messages"]) != 2 * turns:
        raise RuntimeError(f"The newest state has {len(now.values['messages'])} messages of {2 * turns}.")
    wanted = 2 * max(1, turns - REWIND_TURNS)
    async for state in graph.aget_state_history(config):
        if len(state.values.get("messages", ())) == wanted and not state.next:
            return
    raise RuntimeError(f"No checkpoint is left of the turn with {wanted} messages.")


async def measure(turns: int, plain_turns: int, only: str) -> None:
    """Print a line for each variant whose name has this in it."""
    say(f"{'variant':28}{'turns':>7}{'MB':>9}{'KB/turn':>9}{'checkpoints':>13}{'ms/turn':>9}")
    for variant in (one for one in VARIANTS if only in one.name):
        count = turns if variant.snapshot_every else min(turns, plain_turns)
        with place() as directory:
            growth = await grow(Path(directory) / "threads" / "threads.db", variant, count)
        size = growth.size_bytes
        say(
            f"{variant.name:28}{count:7}{size / 1e6:9.2f}{size / 1e3 / count:9.1f}"
            f"{growth.checkpoints:13}{growth.turn_ms:9.1f}"
        )


def place() -> AbstractContextManager[str]:
    """Give a directory that is gone afterwards."""
    return tempfile.TemporaryDirectory()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--plain-turns", type=int, default=150, help="fewer for the plain channel: quadratic")
    parser.add_argument("--only", default="", help="variants with this in their name")
    options = parser.parse_args(arguments)
    asyncio.run(measure(options.turns, options.plain_turns, options.only))


if __name__ == "__main__":
    main()
