"""AfterWrites: a far embedder holds up nobody, and nothing is left without vectors for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from langgraph.store.base import PutOp

from jiyi.testing import FixedClock, HashEmbedder
from memory.seams import Vector
from store.memory_store import MemoryStore

PLACE = ("users", "ada", "_", "episodes")


class FarEmbedder(HashEmbedder):
    """Answers only when it is allowed to."""

    is_remote = True

    def __init__(self) -> None:
        super().__init__()
        self.allowed = asyncio.Event()

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        await self.allowed.wait()
        return await super().embed_passages(texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return await super().embed_passages(texts)


async def vectors_in(store: MemoryStore) -> int:
    rows = await store.database.read(lambda connection: connection.execute("SELECT count(*) FROM vectors").fetchone())
    return int(rows[0])


async def write(store: MemoryStore, key: str) -> None:
    await store.abatch([PutOp(PLACE, key, {"text": f"茉莉花茶 {key}"})])


async def test_a_writer_does_not_wait_for_a_far_embedder_and_finds_by_keyword(
    tmp_path: Path, clock: FixedClock
) -> None:
    far = FarEmbedder()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=far).opened() as store:
        await write(store, "one")
        assert await vectors_in(store) == 0
        assert [one.key for one in await store.asearch(PLACE, query="茉莉花茶")] == ["one"]
        far.allowed.set()


async def test_what_was_left_to_the_background_has_its_vectors_at_the_end(tmp_path: Path, clock: FixedClock) -> None:
    far = FarEmbedder()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=far).opened() as store:
        for key in ("one", "two", "three"):
            await write(store, key)
            await asyncio.sleep(0)
        far.allowed.set()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=far).opened(keeps_up=False) as store:
        assert await vectors_in(store) == 3


async def test_where_nothing_runs_in_the_background_a_writer_waits(tmp_path: Path, clock: FixedClock) -> None:
    far = FarEmbedder()
    far.allowed.set()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=far).opened(keeps_up=False) as store:
        await write(store, "one")
        assert await vectors_in(store) == 1


async def test_a_near_embedder_is_done_when_the_write_is(tmp_path: Path, clock: FixedClock) -> None:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=HashEmbedder()).opened() as store:
        await write(store, "one")
        assert await vectors_in(store) == 1
