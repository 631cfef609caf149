"""The drainer: finishes turns that still wait, whatever kept them from being finished in their own run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Container, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from graph.agent import build_graph
from graph.context import Context
from graph.parts import Parts
from graph.write import build_write_graph
from store.background import logged
from store.memory_store import MemoryStore
from store.waiting import claim_turns, leave_turn, put_off, waiting_in, waiting_turns
from store.waiting_rows import Waiting

log = logging.getLogger(__name__)
LOOK_AGAIN_S, FINISHED_S = 2.0, 0.1
MOST_LOOKS = 15
"""So many times a user who goes on talking is waited for: half a minute."""

Compiled = CompiledStateGraph[Any, Context, Any, Any]


class Pauses:
    """Knows which users have paused: since the last look nothing more of theirs waits, or it has waited for long."""

    def __init__(self) -> None:
        self._newest: dict[str, str] = {}
        self._looks: dict[str, int] = {}

    def paused(self, waiting: Iterable[Waiting]) -> frozenset[str]:
        """Look again; give the users whose turns may be taken up now."""
        newest = {one.owner.user: one.pending.turn_id for one in waiting}
        self._looks = {user: self._looks.get(user, 0) + 1 for user in newest}
        paused = {
            user
            for user, turn_id in newest.items()
            if self._newest.get(user) == turn_id or self._looks[user] >= MOST_LOOKS
        }
        self._newest = newest
        return frozenset(paused)


class Drainer:
    """Runs the write graph on pending turns, each under the identity it was recorded with.

    One task in each process that has the store open; leases keep two from working on the same turn, and
    the transaction that settles a turn makes it happen once even so.
    """

    def __init__(
        self,
        store: MemoryStore,
        saver: BaseCheckpointSaver[str],
        parts: Parts,
        *,
        look_again_s: float = LOOK_AGAIN_S,
    ) -> None:
        self._store = store
        self._look_again_s = look_again_s
        self._threads: Compiled = build_graph(parts).compile(checkpointer=saver, store=store)
        self._write: Compiled = build_write_graph(parts).compile(store=store, name="write")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Drainer]:
        """Drain in the background while the block runs; a turn that is cut off then is taken over by the next process."""
        task = asyncio.create_task(self._run(), name="finish-what-waits")
        try:
            yield self
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def drain(self, users: Container[str] | None = None) -> int:
        """Finish every turn that nobody is at work on; give how many were finished.

        One that cannot be finished is logged, keeps none of the others waiting, and is tried again when its lease
        is over, three times in all.

        Args:
            users: Only theirs; None: everybody's.
        """
        done = 0
        while waiting := await claim_turns(self._store, users=users):
            for one in waiting:
                done += await logged(self._finish(one), f"finish turn {one.pending.turn_id}", log=log) or 0
        return done

    async def finish(self) -> None:
        """Drain until this process is at work on nothing more; what cannot be finished now stays for later."""
        await self.drain()
        while self._store.holder in {one.pending.holder for one in await waiting_turns(self._store)}:
            await asyncio.sleep(FINISHED_S)
            await self.drain()

    async def _run(self) -> None:
        """Finish what waits of those who have paused: who is writing message after message is not held up by it."""
        pauses = Pauses()
        while True:
            await logged(self._drain_paused(pauses), "finish what waits", log=log)
            await asyncio.sleep(self._look_again_s)

    async def _drain_paused(self, pauses: Pauses) -> None:
        await self.drain(pauses.paused(await waiting_turns(self._store)))

    async def _finish(self, waiting: Waiting) -> int:
        pending = waiting.pending
        state = await self._threads.aget_state(_thread(pending.thread_id))
        if state.interrupts:  # the run waits for its user and will go on by itself
            await leave_turn(self._store, waiting.owner, pending.turn_id)
            return 0
        messages: list[AnyMessage] = state.values.get("messages", [])
        context = Context(
            user_id=waiting.owner.user,
            agent=waiting.owner.agent,
            memory_writes="inline",
            timezone=pending.timezone,
            now=pending.said_at.isoformat(),
            run_kind=pending.run_kind,
        )
        await self._write.ainvoke({"messages": messages}, _thread(pending.thread_id), context=context)
        left = await waiting_in(self._store, waiting.owner, pending.thread_id)
        if pending.turn_id in {one.turn_id for one in left}:
            await put_off(self._store, waiting.owner, pending.turn_id)
            return 0
        log.info("Finished turn %s, which had been left", pending.turn_id)
        return 1


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}
