"""Run one turn again and again, killed (SIGKILL) at its n-th statement, and look at what is left each time.

Prints one JSON line per point: the point, whether the process was killed there, and what was found after a restart.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import open_agent
from memory.ids import thread_id_of
from memory.namespaces import Owner
from store.profile import facts_of
from store.waiting import waiting_turns

TEXT = "我叫李雷，住在杭州，我对花生过敏"
CONTEXT = Context(user_id="ada")
CONFIG: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}


async def say(home: Path, *, die_at: int | None, after_node: str | None) -> int:
    """Say the text once; give how many statements that took."""
    statements = 0

    def count(_: str) -> None:
        nonlocal statements
        statements += 1
        if statements == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    async with opened(home) as agent:
        await agent.store.database.outside_transaction(lambda connection: connection.set_trace_callback(count))
        message = HumanMessage(TEXT, id="m1")
        async for update in agent.graph.astream(
            {"messages": [message]}, CONFIG, context=CONTEXT, stream_mode="updates"
        ):
            if after_node in update:
                os.kill(os.getpid(), signal.SIGKILL)
        await agent.store.database.outside_transaction(lambda connection: connection.set_trace_callback(None))
    return statements


async def restart(home: Path, *, said_again: bool) -> dict[str, Any]:
    """Open the home again, let what waits be finished, and say what is there."""
    async with opened(home) as agent:
        while await waiting_turns(agent.store):
            await agent.drainer.drain()
        if said_again:
            await agent.graph.ainvoke({"messages": [HumanMessage(TEXT, id="m1")]}, CONFIG, context=CONTEXT)
        episodes = await agent.store.asearch(("users", "ada", "_", "episodes"), limit=50)
        evidence = await agent.store.asearch(("users", "ada", "_", "evidence"), limit=50)
        facts = await facts_of(agent.store, Owner(user="ada"))
        return {
            "speakers": Counter(item.value["speaker"] for item in episodes),
            "waiting": len(await waiting_turns(agent.store)),
            "facts": sorted(f"{fact.key}={fact.value}" for fact in facts),
            "evidence": len(evidence),
        }


def opened(home: Path) -> Any:
    """Open an agent that embeds nothing (a fork must not inherit the engine's threads)."""
    return open_agent(home, chosen=Settings(embeddings="none", jiyi_home=home))


def in_a_child(work: Any) -> int:
    """Run a coroutine in a process of its own; give its exit status, negative for a signal."""
    pid = os.fork()
    if pid == 0:
        asyncio.run(work)
        os._exit(0)
    work.close()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def try_point(home: Path, *, die_at: int | None = None, after_node: str | None = None) -> None:
    """Kill a turn at one point, restart, and print what is found, without and with the message sent again."""
    shutil.rmtree(home, ignore_errors=True)
    status = in_a_child(say(home, die_at=die_at, after_node=after_node))
    left = asyncio.run(restart(home, said_again=False))
    again = asyncio.run(restart(home, said_again=True))
    point = {"point": die_at or after_node, "killed": status == -signal.SIGKILL, "left": left, "again": again}
    sys.stdout.write(json.dumps(point, ensure_ascii=False) + "\n")


def main() -> None:
    """Try every node, and every `step`-th statement of the turn."""
    home, step = Path(sys.argv[1]), int(sys.argv[2])
    for node in ("perceive", "recall", "inject_skills", "llm", "extract", "consolidate", "summarize"):
        try_point(home / "node", after_node=node)
    statements = asyncio.run(say(home / "count", die_at=None, after_node=None))
    for at in range(1, statements + 1, step):
        try_point(home / "statement", die_at=at)


if __name__ == "__main__":
    main()
