"""Chroma behind the vector index: quick where a partition is large, and never a reason to lose or miss anything."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from langgraph.store.base import PutOp

from bench.vector_index import measured
from jiyi.testing import FixedClock, HashEmbedder
from memory.seams import Vector
from store.chroma.index import CROSSOVER as CROSSOVER_BY_DEFAULT
from store.chroma.index import DIRECTORY, ChromaIndex
from store.chroma.keeper import Keeper
from store.chroma.process import SEARCH_TIMEOUT_S
from store.memory_store import MemoryStore
from store.vectors import ExactIndex, Neighbour, VectorIndex

MANY, CROSSOVER, LIMIT = 300, 100, 10
PLACE = ("users", "ada", "_", "episodes")
DIMENSIONS = 32
EMBEDDER = HashEmbedder(DIMENSIONS)
ROOT = Path(__file__).parents[2]


class Opened:
    """A store with its Chroma index, and exact search over the same database to compare with."""

    def __init__(self, store: MemoryStore, index: ChromaIndex) -> None:
        self.store = store
        self.index = index
        self.exact = ExactIndex(store.database)

    @property
    def keeper(self) -> Keeper:
        return self.index.keeper

    async def write(self, *numbers: int, user: str = "ada") -> None:
        place = ("users", user, "_", "episodes")
        await self.store.abatch([PutOp(place, f"k{number}", {"text": text(number)}) for number in numbers])

    async def nearest(self, number: int) -> list[Neighbour]:
        return await self._by(self.index, number)

    async def nearest_exactly(self, number: int) -> list[Neighbour]:
        return await self._by(self.exact, number)

    async def found(self, number: int) -> list[str]:
        return [item.key for item in await self.store.asearch(PLACE, query=text(number), limit=3)]

    async def _by(self, index: VectorIndex, number: int) -> list[Neighbour]:
        return await index.nearest(await vector(number), model=EMBEDDER.name, scopes=[1], among=None, limit=LIMIT)


def items(found: list[Neighbour]) -> list[int]:
    return [one.item for one in found]


def text(number: int) -> str:
    return f"memory {number}"


async def vector(number: int) -> Vector:
    (made,) = await EMBEDDER.embed_queries([text(number)])
    return made


@asynccontextmanager
async def opened(home: Path, clock: FixedClock, *, url: str = "", crossover: int = CROSSOVER) -> AsyncIterator[Opened]:
    index = partial(ChromaIndex, url=url, crossover=crossover)
    async with MemoryStore(home / "memory.db", clock=clock, embedder=EMBEDDER, index=index).opened() as store:
        assert isinstance(store.index, ChromaIndex)
        yield Opened(store, store.index)


async def agree(one: Opened) -> None:
    """See that both ways find the same for a sample of queries, as often as an approximate index does."""
    for number in range(0, MANY, 50):
        before = one.index.answered
        near, exact = await one.nearest(number), await one.nearest_exactly(number)
        assert one.index.answered == before + 1
        assert near[0].item == exact[0].item
        assert len({found.item for found in near} & {found.item for found in exact}) >= 0.95 * LIMIT
        assert [found.similarity for found in near] == pytest.approx([found.similarity for found in exact], abs=0.05)


async def test_a_large_partition_is_searched_by_chroma(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        assert await one.keeper.keep(scan=True)
        assert len(one.keeper.trusted) == 1
        await agree(one)
        assert (await one.found(7))[0] == "k7"


async def test_small_partitions_cost_no_process_and_no_files(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(CROSSOVER - 1))
        assert await one.keeper.keep(scan=True)
        assert await one.nearest(3) == await one.nearest_exactly(3)
        assert not one.keeper.trusted
    assert not (tmp_path / DIRECTORY).exists()


async def test_what_was_written_or_deleted_a_moment_ago_counts_at_once(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        await one.write(MANY)
        assert (await one.nearest(MANY))[0].similarity == pytest.approx(1)
        await one.store.adelete(PLACE, "k5")
        await one.store.aput(PLACE, "k6", {"text": text(1006)})
        assert items(await one.nearest(5)) == items(await one.nearest_exactly(5))
        assert (await one.nearest(1006))[0].similarity == pytest.approx(1)
        await one.keeper.keep()
        assert (await one.nearest(1006))[0].similarity == pytest.approx(1)
        assert (await one.nearest(5))[0].similarity < 0.99


async def test_no_text_and_no_name_reaches_chromas_files(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(CROSSOVER), user="who-this-is")
        assert await one.keeper.keep(scan=True)
        assert one.keeper.trusted
    written = b"".join(file.read_bytes() for file in (tmp_path / DIRECTORY).rglob("*") if file.is_file())
    assert written
    for secret in (b"memory 3", b"who-this-is", b"k37", b"episodes", EMBEDDER.name.encode()):
        assert secret not in written
    assert (tmp_path / DIRECTORY).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", ["some are gone", "others in their place"])
async def test_a_collection_that_is_not_as_sqlite_is_not_trusted(tmp_path: Path, clock: FixedClock, harm: str) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        (name,) = one.keeper.trusted
        if harm == "some are gone":
            await one.index.ask("delete", collection=name, ids=["7.0", "8.0"])
        else:
            wrong = [(await vector(-number)) for number in range(1, MANY + 1)]
            ids = [f"{item}.0" for item in range(1, MANY + 1)]
            await one.index.ask("upsert", wrong, collection=name, ids=ids)
    async with opened(tmp_path, clock) as one:
        await until_trusted(one)
        assert one.keeper.trusted != {name}
        await agree(one)


async def test_a_collection_is_trusted_while_it_is_written_to(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        writing = asyncio.create_task(write_on(one))
        await one.keeper.keep(scan=True)
        await until_trusted(one)
        assert not writing.done()
        writing.cancel()


@pytest.mark.parametrize("damage", ["deleted", "garbage", "no vectors"])
async def test_a_damaged_directory_is_made_anew_from_sqlite(tmp_path: Path, clock: FixedClock, damage: str) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
    spoil(tmp_path / DIRECTORY, damage)
    async with opened(tmp_path, clock) as one:
        assert (await one.nearest(7))[0].similarity == pytest.approx(1)
        await until_trusted(one)
        await agree(one)


async def test_a_directory_that_goes_away_meanwhile_is_made_anew(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        shutil.rmtree(tmp_path / DIRECTORY)
        await one.write(MANY)
        assert (await one.nearest(MANY))[0].similarity == pytest.approx(1)
        await one.keeper.keep()
        await until_trusted(one)
        await agree(one)


async def test_a_child_that_is_killed_is_replaced(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        os.kill((await one.index.ask("hello"))["pid"], signal.SIGKILL)
        assert await one.nearest(3) == await one.nearest_exactly(3)
        await until_trusted(one)
        await agree(one)


async def test_a_child_that_stands_still_holds_up_no_search_and_no_closing(tmp_path: Path, clock: FixedClock) -> None:
    async with asyncio.timeout(60), opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        os.kill((await one.index.ask("hello"))["pid"], signal.SIGSTOP)
        async with asyncio.timeout(SEARCH_TIMEOUT_S * 5):
            assert await one.nearest(3) == await one.nearest_exactly(3)
        async with asyncio.timeout(SEARCH_TIMEOUT_S):
            assert await one.nearest(3) == await one.nearest_exactly(3)


async def test_a_server_that_never_answers_holds_up_no_search_and_no_closing(tmp_path: Path, clock: FixedClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        async with asyncio.timeout(40), opened(tmp_path, clock, url=url) as one:
            await one.write(*range(MANY))
            keeping = asyncio.create_task(one.keeper.keep(scan=True))
            await asyncio.sleep(2)
            assert await one.nearest(3) == await one.nearest_exactly(3)
            keeping.cancel()


async def test_a_second_process_is_served_exactly_and_the_owner_indexes_what_it_writes(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with AsyncExitStack() as stack:
        owner = await stack.enter_async_context(opened(tmp_path, clock))
        await owner.write(*range(MANY))
        await owner.keeper.keep(scan=True)
        other = await stack.enter_async_context(opened(tmp_path, clock))
        assert not await other.keeper.keep(scan=True)
        await other.write(MANY)
        assert (await other.nearest(MANY))[0].similarity == pytest.approx(1)
        assert await owner.keeper.keep()
        assert (await owner.nearest(MANY))[0].similarity == pytest.approx(1)


async def test_the_next_process_takes_the_index_over(tmp_path: Path, clock: FixedClock) -> None:
    async with AsyncExitStack() as stack:
        async with opened(tmp_path, clock) as owner:
            await owner.write(*range(MANY))
            await owner.keeper.keep(scan=True)
            heir = await stack.enter_async_context(opened(tmp_path, clock))
            assert not await heir.keeper.keep()
        await until_trusted(heir)
        await agree(heir)


async def test_a_partition_that_has_become_small_is_taken_out(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one:
        await one.write(*range(MANY))
        await one.keeper.keep(scan=True)
        await one.store.abatch([PutOp(PLACE, f"k{number}", None) for number in range(20, MANY)])
        await one.keeper.keep(scan=True)
        assert not one.keeper.trusted
        assert (await one.index.ask("names", prefix=""))["names"] == []
        assert await one.nearest(3) == await one.nearest_exactly(3)


async def test_without_its_server_search_is_exact(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock, url="http://127.0.0.1:9") as one:
        await one.write(*range(CROSSOVER))
        assert not await one.keeper.keep(scan=True)
        assert await one.nearest(3) == await one.nearest_exactly(3)
    assert not (tmp_path / DIRECTORY).exists()


KILLED = """
import asyncio, sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from langgraph.store.base import PutOp
from jiyi.testing import HashEmbedder
from store.chroma.index import ChromaIndex
from store.memory_store import MemoryStore

async def main(home, first):
    index = partial(ChromaIndex, crossover=20)
    clock = lambda: datetime(2026, 5, 4, tzinfo=UTC)
    async with MemoryStore(Path(home) / "memory.db", clock=clock, embedder=HashEmbedder(32), index=index).opened() as store:
        for number in range(first, first + 100_000):
            await store.aput(("users", "ada", "_", "episodes"), f"k{number}", {"text": f"memory {number}"})
            await store.index.keeper.keep(scan=number < first + 3)
            print(number, flush=True)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


def killed(home: Path, *, first: int, after: int) -> int:
    """Let a process write and index from a number on, kill it after so many; give the number after the last."""
    command = [sys.executable, "-c", KILLED, str(home), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as writer:
        assert writer.stdout
        written = [int(writer.stdout.readline()) for _ in range(after)]
        writer.send_signal(signal.SIGKILL)
    return written[-1] + 1


async def killed_while_indexing(home: Path, clock: FixedClock, *, times: int) -> None:
    first = 0
    for time in range(times):
        first = await asyncio.to_thread(killed, home, first=first, after=8 + time % 7)
    async with opened(home, clock, crossover=20) as one:
        await until_trusted(one)
        kept = await one.store.asearch(PLACE, limit=100_000)
        assert {item.key for item in kept} >= {f"k{number}" for number in range(first)}
        (collection,) = one.keeper.trusted
        assert (await one.index.ask("count", collection=collection))["count"] == len(kept)
        for number in range(0, first, max(first // 20, 1)):
            assert (await one.nearest(number))[0].similarity == pytest.approx(1)


async def test_a_process_that_is_killed_while_indexing_loses_nothing(tmp_path: Path, clock: FixedClock) -> None:
    await killed_while_indexing(tmp_path, clock, times=3)


@pytest.mark.slow
async def test_a_process_that_is_killed_50_times_while_indexing_loses_nothing(
    tmp_path: Path, clock: FixedClock
) -> None:
    await killed_while_indexing(tmp_path, clock, times=50)


async def write_on(one: Opened) -> None:
    for number in range(MANY, 100 * MANY):
        await one.write(number)


def spoil(directory: Path, damage: str) -> None:
    if damage == "deleted":
        shutil.rmtree(directory)
    elif damage == "garbage":
        for file in directory.rglob("*"):
            if file.is_file():
                file.write_bytes(b"\x00garbage" * 64)
    else:
        for folder in [one for one in directory.iterdir() if one.is_dir()]:
            shutil.rmtree(folder)


async def until_trusted(one: Opened) -> None:
    for _ in range(100):
        await one.keeper.keep()
        if one.keeper.trusted:
            return
        await asyncio.sleep(0.05)
    pytest.fail("the vector index did not recover")


@pytest.mark.slow
async def test_at_20000_memories_chroma_answers_and_finds_what_exact_search_finds(tmp_path: Path) -> None:
    row = await measured(tmp_path, 20_000, crossover=CROSSOVER_BY_DEFAULT)  # raises where Chroma does not answer
    assert row.shared >= 0.95
