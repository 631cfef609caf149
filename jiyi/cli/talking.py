"""Talking: lines from standard input, and replies as they come."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from jiyi.agent import Agent

REPLYING = "llm"
INTERRUPT = "__interrupt__"


async def lines_of_input() -> AsyncIterator[str]:
    """Give what is typed or piped, a line at a time, until it ends."""
    while line := await _line():
        yield line.rstrip("\r\n")


async def reply_of(agent: Agent, text: str, *, user: str, thread: str, as_agent: str) -> AsyncIterator[str]:
    """Say something and give the reply piece by piece, or the question that the user is asked."""
    from graph.context import Context  # noqa: PLC0415  (1 s: imported where it is used)
    from memory.ids import thread_id_of  # noqa: PLC0415

    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user=user)}}
    running = agent.graph.astream(
        await _input(agent, text, config, user),
        config,
        context=Context(user_id=user, agent=as_agent),
        stream_mode=["messages", "updates"],
        durability="async",
    )
    speaking = ""
    async for streamed in running:
        mode, part = cast(tuple[str, Any], streamed)
        if mode == "messages" and (piece := _piece(*part)):
            before, speaking = speaking, str(part[0].id)
            yield f"\n{piece}" if before not in ("", speaking) else piece
        elif mode == "updates" and INTERRUPT in part:
            yield _question(part[INTERRUPT][0].value)


async def _input(agent: Agent, text: str, config: RunnableConfig, user: str) -> Any:
    from langchain_core.messages import HumanMessage  # noqa: PLC0415
    from langgraph.types import Command  # noqa: PLC0415

    from memory.consent import is_verdict  # noqa: PLC0415

    mine: RunnableConfig = {"configurable": {**config["configurable"], "jiyi_user": user}}
    state = await agent.graph.aget_state(mine)
    if state.interrupts and is_verdict(text):
        return Command(resume=text)
    return {"messages": [HumanMessage(text)]}


def _piece(message: Any, metadata: dict[str, Any]) -> str:
    """Give the text of a piece of the reply; nothing for what other nodes stream."""
    return str(message.text) if metadata.get("langgraph_node") == REPLYING else ""


def _question(asked: Any) -> str:
    return f"{asked['zh']} / {asked['en']}" if isinstance(asked, dict) and "zh" in asked else str(asked)


async def _line() -> str:
    """Wait for a line without holding up the loop; on a terminal so that Ctrl-C ends the waiting at once."""
    if sys.platform != "win32" and sys.stdin.isatty():
        await _readable(sys.stdin.fileno())
        return sys.stdin.readline()
    return await asyncio.to_thread(sys.stdin.readline)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    there = asyncio.Event()
    loop.add_reader(descriptor, there.set)
    try:
        await there.wait()
    finally:
        loop.remove_reader(descriptor)
