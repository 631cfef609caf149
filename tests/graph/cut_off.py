"""Say something in a run that writes its checkpoints as it goes, killed (SIGKILL) after a step; or go on with that run.

    python cut_off.py HOME say TEXT STEP
    python cut_off.py HOME resume

`resume` prints a line of JSON: the reply, what is in the thread, and what is remembered.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.threads.told import NothingToResumeError
from memory.ids import thread_id_of
from memory.namespaces import Owner
from store.profile import facts_of
from store.waiting import waiting_turns

CONFIG: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}


async def say(agent: Agent, text: str, step: str) -> None:
    """Say a text and die after a step."""
    given = {"messages": [HumanMessage(text)]}
    running = agent.astream(given, CONFIG, context=Context(user_id="ada"), stream_mode="updates", durability="sync")
    async for update in running:
        if step in update:
            os.kill(os.getpid(), signal.SIGKILL)


async def resume(agent: Agent) -> None:
    """Go on with the run, and once more with nothing; print what is there then."""
    reply = await agent.resume("t", user="ada")
    try:
        again = await agent.resume("t", user="ada")
    except NothingToResumeError as error:
        again = str(error)
    while await waiting_turns(agent.store):
        await agent.drainer.drain()
    state = await agent.aget_state(CONFIG)
    episodes = await agent.store.asearch(("users", "ada", "_", "episodes"), limit=50)
    evidence = await agent.store.asearch(("users", "ada", "_", "evidence"), limit=50)
    found = {
        "reply": reply,
        "again": again,
        "messages": [one.type for one in state.values["messages"]],
        "next": list(state.next),
        "speakers": Counter(item.value["speaker"] for item in episodes),
        "facts": sorted(f"{fact.key}={fact.value}" for fact in await facts_of(agent.store, Owner(user="ada"))),
        "evidence": len(evidence),
    }
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


async def main() -> None:
    """Do what the arguments say."""
    home, what, *rest = sys.argv[1:]
    async with open_agent(chosen=Settings(embeddings="none", jiyi_home=Path(home))) as agent:
        await (say(agent, *rest) if what == "say" else resume(agent))


if __name__ == "__main__":
    asyncio.run(main())
