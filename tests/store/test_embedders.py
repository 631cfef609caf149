"""Another embedder: every memory gets its vector again, side by side with the old one, and no search fails meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from langgraph.store.base import PutOp

from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder
from memory.seams import Embedder, EmbeddingError, Vector
from store.chroma.index import ChromaIndex
from store.embedders import names, wanted
from store.indexing import ALONE_FROM_TRIES, BATCH_ITEMS
from store.memory_store import MemoryStore
from store.vectors import FLOAT_BYTES

PLACE = ("users", "ada", "_", "episodes")
COUNT = 100
SMALL, LARGE = HashEmbedder(384), HashEmbedder(512)
KNOWN: dict[str, Embedder] = {one.name: one for one in (SMALL, LARGE)}


class Changing(HashEmbedder):
    """Keeps its name while its model, and so the length of its vectors, is changed; notes what it was asked for."""

    def __init__(self, dimensions: int) -> None:
        super().__init__(dimensions)
        self.queries: list[str] = []

    @property
    def name(self) -> str:
        return "changing"

    def become(self, dimensions: int) -> None:
        self._dimensions = dimensions

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        self.queries += texts
        return await super().embed_queries(texts)


class Picky(HashEmbedder):
    """Fails whenever one text is among those that it is given."""

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if "memory 7" in texts:
            raise EmbeddingError("Cannot embed this one.")
        return await super().embed_passages(texts)


@asynccontextmanager
async def opened(
    home: Path, clock: FixedClock, embedder: Embedder, *, keeps_up: bool = False, crossover: int = 10_000
) -> AsyncIterator[MemoryStore]:
    index = partial(ChromaIndex, crossover=crossover)
    store = MemoryStore(home / "memory.db", clock=clock, embedder=embedder, others=KNOWN.get, index=index)
    async with store.opened(keeps_up=keeps_up):
        yield store


async def write(store: MemoryStore, *numbers: int) -> None:
    await store.abatch([PutOp(PLACE, f"k{number}", {"text": f"memory {number}"}) for number in numbers])


async def by_meaning(store: MemoryStore, number: int) -> tuple[str, float]:
    """Give the first that is found for a text, and how near it is in meaning."""
    (first, *_) = await store.find(PLACE, f"memory {number}", limit=3)
    return first.row.key, first.fused.semantic


async def meant(store: MemoryStore, *numbers: int) -> bool:
    """Tell whether each text finds itself first, and by its meaning."""
    found = [await by_meaning(store, number) for number in numbers]
    return [key for key, _ in found] == [f"k{number}" for number in numbers] and min(near for _, near in found) > 0.99


async def lengths(store: MemoryStore) -> dict[int, int]:
    """Count the vectors of each length."""
    rows = await store.look(
        lambda it: it.connection.execute("SELECT length(embedding), count(*) FROM vectors GROUP BY 1").fetchall()
    )
    return {row[0] // FLOAT_BYTES: row[1] for row in rows}


async def test_there_and_back_in_mid_conversation_no_search_fails(tmp_path: Path, clock: FixedClock) -> None:
    turn = COUNT
    for embedder in (SMALL, LARGE, SMALL, LARGE, SMALL):
        async with opened(tmp_path, clock, embedder, crossover=50) as store:
            if turn == COUNT:
                await write(store, *range(COUNT))
            for limit in (10, 30):
                await store.indexer.catch_up(limit=limit)
                await write(store, turn)
                assert await meant(store, 3, COUNT - 1, turn)
                turn += 1


async def test_the_old_vectors_serve_until_all_new_ones_are_there_and_go_then(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock, SMALL) as store:
        await write(store, *range(COUNT))
    async with opened(tmp_path, clock, LARGE) as store:
        await store.indexer.catch_up(limit=1)
        assert await lengths(store) == {384: COUNT, 512: BATCH_ITEMS}
        assert await store.indexer.tidy_up() == 0
        assert await meant(store, 1)
    async with opened(tmp_path, clock, LARGE) as store:
        await store.indexer.catch_up()
        assert await store.indexer.tidy_up() == COUNT
        assert await lengths(store) == {512: COUNT}
        assert await store.database.read(names) == [LARGE.name]
        assert await meant(store, 1)


async def test_going_back_before_it_was_done_embeds_nothing_twice(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, SMALL) as store:
        await write(store, *range(COUNT))
    async with opened(tmp_path, clock, LARGE) as store:
        await store.indexer.catch_up(limit=1)
        await write(store, COUNT)
    async with opened(tmp_path, clock, SMALL) as store:
        assert await store.indexer.catch_up() == COUNT + 1 - COUNT
        await store.indexer.tidy_up()
        assert await lengths(store) == {384: COUNT + 1}


async def test_where_the_old_embedder_cannot_be_made_words_serve(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, HashEmbedder(48)) as store:
        await write(store, *range(COUNT))
    async with opened(tmp_path, clock, SMALL) as store:
        assert await by_meaning(store, 3) == ("k3", 0.0)
        await store.indexer.catch_up()
        assert await meant(store, 3)


async def test_where_the_new_embedder_fails_the_old_vectors_serve(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, SMALL) as store:
        await write(store, *range(COUNT))
    async with opened(tmp_path, clock, FailingEmbedder(512)) as store:
        assert await store.indexer.catch_up() == 0
        assert await meant(store, 3)


async def test_a_model_that_changes_behind_its_name_is_noticed(tmp_path: Path, clock: FixedClock) -> None:
    embedder = Changing(384)
    async with opened(tmp_path, clock, embedder) as store:
        await write(store, *range(COUNT))
        for dimensions in (512, 384):
            embedder.become(dimensions)
            assert (await by_meaning(store, 3))[0] == "k3"
            await write(store, COUNT + dimensions)
            await store.indexer.catch_up()
            assert list(await lengths(store)) == [dimensions]
            assert await meant(store, 3)
    assert embedder.queries


async def test_of_two_processes_the_one_opened_last_says_which_is_wanted(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, SMALL) as first, opened(tmp_path, clock, LARGE) as second:
        await write(first, 1)
        await write(second, 2)
        await write(first, 3)
        assert await first.database.read(wanted) == LARGE.name
        assert await second.indexer.catch_up() == 1
        for store in (first, second):
            assert await meant(store, 1, 2, 3)


async def test_after_a_visit_by_another_embedder_the_one_that_stays_takes_over(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock, HashEmbedder(320)) as stays:
        await write(stays, 1)
        async with opened(tmp_path, clock, HashEmbedder(448)) as visitor:
            await write(visitor, 2)
        await write(stays, 3)
        for _ in range(3):
            await stays.indexer.look_after()
        assert await meant(stays, 1, 2, 3)


async def test_a_text_that_cannot_be_embedded_keeps_no_other_waiting(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, Picky(32)) as store:
        await write(store, *range(20))
        for _ in range(ALONE_FROM_TRIES + 1):
            await store.indexer.catch_up()
        assert await lengths(store) == {32: 19}


async def test_who_only_looks_changes_nothing(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, SMALL) as store:
        await write(store, 1, 2)
    async with opened(tmp_path, clock, LARGE) as store:
        assert await meant(store, 2)
        assert await store.database.read(wanted) == SMALL.name
