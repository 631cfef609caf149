"""Stage: an agent whose drainer works only when it is told to, that can be closed and opened again on the same home."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.agent import build_graph
from graph.context import Context
from graph.drainer import Drainer
from graph.parts import Parts, make_parts
from graph.server import saver_with, store_with
from graph.settings import Settings
from jiyi.agent import ONE_CHECKPOINT_A_TURN, Agent
from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder
from memory.ids import thread_id_of
from memory.seams import Embedder
from store.checkpointer import ThreadSaver
from store.memory_store import MemoryStore
from store.waiting import LEASE, LONGER, MAX_TRIES
from tests.scenarios.proposing import WholeModel


class Stage:
    """Two agents on one store: one that answers offline, one whose answers are scripted (`answer`)."""

    def __init__(self, home: Path, clock: FixedClock, extractor: BaseChatModel | None, timezone: str) -> None:
        self.clock = clock
        self.answer = "ok"
        self.answering = WholeModel(replies=lambda _: self.answer)
        self._chosen = Settings(embeddings="none", jiyi_home=home, jiyi_timezone=timezone)
        self._extractor = extractor
        self._opened = AsyncExitStack()
        self._scripted: Agent | None = None
        self._embedder = "none"
        self.offline: Agent

    async def open(self, embedder: str) -> None:
        """Open the home, after closing it where it was open."""
        await self.close()
        self._opened, self._scripted, self._embedder = AsyncExitStack(), None, embedder
        parts = self._parts(None)
        store = await self._opened.enter_async_context(store_with(parts))
        saver = await self._opened.enter_async_context(saver_with(parts))
        self.offline = _agent(parts, store, saver, Drainer(store, saver, parts))

    def scripted(self) -> Agent:
        """Give the agent whose answers are scripted, on the same store."""
        if self._scripted is None:
            first = self.offline
            self._scripted = _agent(self._parts(self.answering), first.store, first.saver, first.drainer)
        return self._scripted

    async def close(self) -> None:
        """Close the home."""
        await self._opened.aclose()

    async def drain(self) -> None:
        """Let the drainer try what waits, when every lease is over."""
        self.clock.advance(LEASE * LONGER**MAX_TRIES + timedelta(seconds=1))
        await self.offline.drainer.drain()

    async def replay(self, thread: str, user: str) -> None:
        """Go through a thread's last turn once more: from its first checkpoint, and by sending its message again."""
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user=user)}}
        context = Context(user_id=user, memory_writes="inline")
        graph = self.offline.graph
        state = await graph.aget_state(config)
        message = [one for one in state.values["messages"] if isinstance(one, HumanMessage)][-1]
        first = [one async for one in graph.aget_state_history(config)][-2]
        await graph.ainvoke(None, first.config, context=context)
        await graph.ainvoke({"messages": [message]}, config, context=context)

    async def prompt_for(self, text: str, *, user: str, thread: str) -> str:
        """Give the whole prompt that a message makes; nothing is written."""
        agent = self.scripted()
        await agent.say(text, user=user, thread=thread, memory="read_only")
        return "\n".join(message.text for message in self.answering.seen[-1])

    async def channels(self, thread: str, user: str) -> dict[str, Any]:
        """Give what the channels of a thread hold, the messages apart."""
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user=user)}}
        values: dict[str, Any] = (await self.offline.graph.aget_state(config)).values
        return {name: value for name, value in values.items() if name != "messages"}

    def _parts(self, model: BaseChatModel | None) -> Parts:
        parts = make_parts(
            self._chosen,
            clock=self.clock,
            model=model,
            small_model=self._extractor,
            embedder=_embedder(self._embedder),
        )
        self._opened.push_async_callback(parts.aclose)
        return parts


def _agent(parts: Parts, store: MemoryStore, saver: ThreadSaver, drainer: Drainer) -> Agent:
    graph = build_graph(parts).compile(checkpointer=saver, store=store).with_config(ONE_CHECKPOINT_A_TURN)
    return Agent(graph, store, saver, drainer, parts)


@asynccontextmanager
async def opened(
    home: Path, clock: FixedClock, *, extractor: BaseChatModel | None, timezone: str, embedder: str
) -> AsyncIterator[Stage]:
    """Open a stage, and close it in the end."""
    stage = Stage(home, clock, extractor, timezone)
    try:
        await stage.open(embedder)
        yield stage
    finally:
        await stage.close()


def _embedder(name: str) -> Embedder | None:
    """Make an embedder: `none`, `failing`, or `hash-<dimensions>`."""
    if name == "none":
        return None
    return FailingEmbedder() if name == "failing" else HashEmbedder(int(name.removeprefix("hash-")))
