"""Measure how long the event loop is held up while memories are indexed under a streaming answer.

    python -m bench.loop_lag --memories 1000

Memories are written without vectors first. Then an agent is opened that embeds them on this machine and fills Chroma
with them (from 100 on), while it streams an answer, a piece every 20 ms; a task that wants to wake every 5 ms tells how
much later it did. The same is measured for the same stream with nothing to index.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.store.base import PutOp

from graph.agent import build_graph
from graph.clock import utc_now
from graph.context import Context
from graph.parts import make_parts
from graph.server import saver_with
from graph.settings import STORE_FILE, Settings
from jiyi.testing import ScriptedModel
from store.chroma.index import ChromaIndex
from store.memory_store import MemoryStore

WAKE_S, PIECE_S, LOOK_AGAIN_S = 0.005, 0.02, 0.2
CROSSOVER, BATCH = 100, 100
REPLY = "A long answer, a little at a time. 慢慢地说一段很长的话。" * 20
PLACE = ("users", "ada", "_", "episodes")


class SlowModel(ScriptedModel):
    """Streams as a remote model does."""

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        async for chunk in super()._astream(messages, stop, run_manager, **kwargs):
            yield chunk
            await asyncio.sleep(PIECE_S)


async def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both; print the lags."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1000)
    wanted = parser.parse_args(arguments).memories
    for name, memories in (("nothing to index", 0), (f"{wanted} memories", wanted)):
        with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as home:
            await _write(Path(home), memories)
            began = time.monotonic()
            lags = await _measured(Path(home), memories)
            took = time.monotonic() - began
        shares = " ".join(f"{share:g} %: {np.percentile(lags, share) * 1000:.1f}" for share in (50, 95, 99, 100))
        print(f"{name}: lag in ms, {shares} ({len(lags)} wakes in {took:.0f} s)")  # noqa: T201
    return 0


async def _write(home: Path, memories: int) -> None:
    """Write memories without vectors."""
    async with MemoryStore(home / STORE_FILE, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)).opened() as store:
        for first in range(0, memories, BATCH):
            texts = [
                f"第 {n} 条：上周三我和同事去了图书馆。 Note {n}: we met at the library."
                for n in range(first, first + BATCH)
            ]
            await store.abatch([PutOp(PLACE, f"m{first + at}", {"text": text}) for at, text in enumerate(texts)])


async def _measured(home: Path, memories: int) -> list[float]:
    async with _opened(home) as (store, say):
        lags: list[float] = []
        waking = asyncio.create_task(_wake(lags))
        talking = asyncio.create_task(_talk(say))
        await _until_indexed(store, memories)
        waking.cancel()
        talking.cancel()
        await asyncio.gather(waking, talking, return_exceptions=True)
        return lags


@asynccontextmanager
async def _opened(home: Path) -> AsyncIterator[tuple[MemoryStore, Any]]:
    """Open the agent's graph over a store whose large partitions begin early; warmed up by one turn."""
    parts = make_parts(Settings(jiyi_home=home), model=SlowModel(replies=lambda _: REPLY))
    index = partial(ChromaIndex, crossover=CROSSOVER)
    store = MemoryStore(
        home / STORE_FILE, clock=utc_now, embedder=parts.embedder, own_texts=parts.own_texts, index=index
    )
    async with store.opened(), saver_with(parts) as saver:
        graph = build_graph(parts).compile(store=store, checkpointer=saver)

        async def say(number: int) -> None:
            given = {"messages": [("user", f"Tell me more, part {number}. 再说说第 {number} 部分。")]}
            config = {"configurable": {"thread_id": f"t{number}"}}
            async for _ in graph.astream(given, config, context=Context(user_id="bob"), stream_mode="messages"):  # type: ignore[call-overload]
                pass

        yield store, say


async def _talk(say: Any) -> None:
    number = 0
    while True:
        await say(number)
        number += 1


async def _wake(lags: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(WAKE_S)
        lags.append(time.perf_counter() - began - WAKE_S)


async def _until_indexed(store: MemoryStore, memories: int) -> None:
    """Wait until every memory has its vector and Chroma has them all; ten seconds where there is none."""
    if not memories:
        await asyncio.sleep(10)
        return
    index = store.index
    while isinstance(index, ChromaIndex):
        await asyncio.sleep(LOOK_AGAIN_S)
        waiting, queued = await store.database.read(
            lambda connection: (
                connection.execute("SELECT count(*) FROM unindexed").fetchone()[0],
                connection.execute("SELECT count(*) FROM index_queue").fetchone()[0],
            )
        )
        if not (waiting or queued) and index.keeper.trusted:
            return
        if not waiting and not index.keeper.trusted:
            await index.keeper.keep(scan=True)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
