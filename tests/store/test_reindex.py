"""Reindex: what is derived from the items can be made anew, wholly, and nothing is lost by it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from langgraph.store.base import PutOp

from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder
from store.chroma.index import ChromaIndex
from store.memory_store import MemoryStore
from store.reindex import make_collections, make_vectors, missing_vectors, rewrite_words

PLACE = ("users", "ada", "_", "episodes")
COUNT = 60


def store_in(home: Path, clock: FixedClock, embedder: HashEmbedder | FailingEmbedder) -> MemoryStore:
    index = partial(ChromaIndex, crossover=50)
    return MemoryStore(home / "memory.db", clock=clock, embedder=embedder, index=index)


async def write(store: MemoryStore) -> None:
    await store.abatch([PutOp(PLACE, f"k{n}", {"text": f"memory {n} 茉莉花茶"}) for n in range(COUNT)])


async def test_lost_and_stray_words_are_mended(tmp_path: Path, clock: FixedClock) -> None:
    told: list[int] = []
    async with store_in(tmp_path, clock, FailingEmbedder()).opened(keeps_up=False) as store:
        await write(store)
        await store.database.write(lambda connection: connection.execute("DELETE FROM words WHERE rowid > 3"))
        await store.database.write(lambda c: c.execute("INSERT INTO words (rowid, body) VALUES (999, '1~ghost')"))
        assert len(await store.asearch(PLACE, query="茉莉花茶", limit=100)) == 3
        assert await rewrite_words(store, told.append) == COUNT == sum(told)
        assert len(await store.asearch(PLACE, query="茉莉花茶", limit=100)) == COUNT
        words = await store.database.read(
            lambda connection: connection.execute("SELECT count(*) FROM words").fetchone()
        )
        assert words[0] == COUNT


async def test_lost_vectors_are_made_again_and_counted(tmp_path: Path, clock: FixedClock) -> None:
    told: list[int] = []
    async with store_in(tmp_path, clock, HashEmbedder()).opened(keeps_up=False) as store:
        await write(store)
        await store.database.write(lambda connection: connection.execute("DELETE FROM vectors WHERE item <= 40"))
        assert await missing_vectors(store) == 40
        made = await make_vectors(store, told.append)
        assert (made.made, made.missing, sum(told)) == (40, 0, 40)


async def test_what_cannot_be_embedded_is_said_to_be_missing(tmp_path: Path, clock: FixedClock) -> None:
    async with store_in(tmp_path, clock, FailingEmbedder()).opened(keeps_up=False) as store:
        await write(store)
        made = await make_vectors(store, lambda _: None)
        assert (made.made, made.missing) == (0, COUNT)


async def test_chroma_is_filled_anew_here_or_by_its_owner(tmp_path: Path, clock: FixedClock) -> None:
    async with store_in(tmp_path, clock, HashEmbedder()).opened() as owner:
        await write(owner)
        assert isinstance(owner.index, ChromaIndex)
        await owner.index.keeper.keep(scan=True)
        (before,) = owner.index.keeper.trusted
        async with store_in(tmp_path, clock, HashEmbedder()).opened(keeps_up=False) as other:
            done = await make_collections(other)
        assert (done.partitions, done.by_another) == (0, True)
        await owner.index.keeper.keep(scan=True)
        (after,) = owner.index.keeper.trusted
        assert after != before
        mine = await make_collections(owner)
        assert (mine.partitions, mine.by_another) == (1, False)
        assert len(owner.index.keeper.trusted) == 1
