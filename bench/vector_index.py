"""Measure vector search side by side: exact over the vectors in SQLite, and Chroma, over one user's memories.

    python -m bench.vector_index --sizes 1000 5000 20000

Synthetic vectors of 384 numbers that lie in topics, as those of sentences do. Three cases: nothing was written since
the last search; one memory was written just before each search, as in a conversation; and the first search of a process.
Each size also tells how much of the exact top 10 Chroma finds, and how long a user with 300 memories waits
before and after others have come with 25,000.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.seams import Vector
from store.chroma.index import ChromaIndex
from store.memory_store import MemoryStore
from store.scopes import scopes_under
from store.transaction import Transaction
from store.vectors import ExactIndex, VectorIndex, to_blob

DIMENSIONS, TOPICS, TOP, CANDIDATES = 384, 200, 10, 200
SEARCHES, FIRST_SEARCHES = 60, 5
SMALL, OTHERS, LARGE, USERS, REPEATED = 300, 25_000, 15_000, 20, 300
AT = datetime(2026, 1, 1, tzinfo=UTC)
NAME = "synthetic"
HEADER = """            exact, ms                   Chroma, ms                  top 10
 memories       warm  written    first       warm  written    first   shared    filled"""

Vectors = NDArray[np.float32]
Search = Callable[[Vector], Awaitable[list[int]]]


class Made:
    """Stands for an embedder: the vectors are made elsewhere."""

    name, dimensions = NAME, DIMENSIONS

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector for each text."""
        return list(_vectors(len(texts), seed=len(texts)))

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector for each text."""
        return await self.embed_passages(texts)


@dataclass(frozen=True, kw_only=True)
class Row:
    """What was measured at one size; times in milliseconds (medians)."""

    size: int
    exact: tuple[float, float, float]
    chroma: tuple[float, float, float]
    shared: float
    filled_s: float


async def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each size; say where Chroma begins to be quicker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 5_000, 20_000])
    sizes = parser.parse_args(arguments).sizes
    print(HEADER)  # noqa: T201
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as home:
            row = await measured(Path(home), size)
        figures = "  ".join(" ".join(f"{one:>8.2f}" for one in times) for times in (row.exact, row.chroma))
        print(f"{row.size:>9}  {figures}  {row.shared:>7.3f}  {row.filled_s:>7.1f}s")  # noqa: T201
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as home:
        alone, beside = await beside_others(Path(home))
    print(f"a user with {SMALL} memories: {alone:.2f} ms alone, {beside:.2f} ms beside {OTHERS:,} of others")  # noqa: T201
    return 0


async def measured(home: Path, size: int, *, crossover: int = 1) -> Row:
    """Measure one size, both ways over the same database, in turn.

    Raises:
        RuntimeError: Chroma does not hold the memories, so that there is nothing to compare.
    """
    path, indexed = home / "memory.db", partial(ChromaIndex, crossover=crossover)
    async with opened(path, ExactIndex) as store:
        await store.transact("", partial(_fill, user="big", count=size))
    began = time.monotonic()
    async with opened(path, indexed) as store:
        index = store.index
        if not (isinstance(index, ChromaIndex) and await index.keeper.keep(scan=True) and index.keeper.trusted):
            raise RuntimeError("Cannot measure: Chroma was not filled.")
        filled_s = time.monotonic() - began
        exact, chroma = _search(store, ExactIndex(store.database)), _search(store, index)
        queries = _queries(size)
        shared = statistics.fmean(
            [len({*(await exact(one))[:TOP]} & {*(await chroma(one))[:TOP]}) / TOP for one in queries]
        )
        if index.answered < len(queries):
            raise RuntimeError("Cannot measure: Chroma has not answered every search.")
        warm = await _median([exact, chroma], queries, _nothing)
        written = await _median([exact, chroma], queries, _writing(store))
        if index.answered < 2.5 * len(queries):
            raise RuntimeError("Cannot measure: Chroma was too busy; measure on a quiet machine.")
    first = [await _first(path, make) for make in (ExactIndex, indexed)]
    times = [(warm[which], written[which], first[which]) for which in (0, 1)]
    return Row(size=size, exact=times[0], chroma=times[1], shared=shared, filled_s=filled_s)


async def beside_others(home: Path) -> tuple[float, float]:
    """Time the whole search of a small user, alone and beside others of whom one is in Chroma, in turn."""
    async with (
        opened(home / "alone" / "m.db", ChromaIndex) as alone,
        opened(home / "beside" / "m.db", ChromaIndex) as beside,
    ):
        await beside.transact("", partial(_fill, user="large", count=LARGE))
        for number in range(USERS):
            await beside.transact("", partial(_fill, user=f"other-{number}", count=(OTHERS - LARGE) // USERS))
        for store in (alone, beside):
            await store.transact("", partial(_fill, user="small", count=SMALL))
            if isinstance(store.index, ChromaIndex):
                await store.index.keeper.keep(scan=True)
        times = await _median([_whole(alone), _whole(beside)], _queries(REPEATED), _nothing)
    return times[0], times[1]


@asynccontextmanager
async def opened(path: Path, index: Callable[..., VectorIndex]) -> AsyncIterator[MemoryStore]:
    """Open a store over vectors that are made here."""
    async with MemoryStore(path, clock=lambda: AT, embedder=Made(), index=index).opened() as store:
        yield store


def _search(store: MemoryStore, index: VectorIndex) -> Search:
    async def search(query: Vector) -> list[int]:
        scopes = await store.database.read(lambda connection: scopes_under(connection, ("users", "big")))
        near = await index.nearest(query, model=NAME, scopes=scopes, among=None, limit=CANDIDATES)
        return [one.item for one in near]

    return search


async def _median(
    searches: Sequence[Search], queries: Vectors, before: Callable[[int], Awaitable[None]]
) -> list[float]:
    """Time searches in turn, each after what happens before it; give the median of each in milliseconds."""
    times: list[list[float]] = [[] for _ in searches]
    for number, query in enumerate(queries):
        for which, search in enumerate(searches):
            await before(number * len(searches) + which)
            began = time.perf_counter()
            await search(query)
            times[which].append(time.perf_counter() - began)
    return [statistics.median(one) * 1000 for one in times]


async def _first(path: Path, index: Callable[..., VectorIndex]) -> float:
    """Time the first search after opening, waiting until the index is ready for it."""
    times = []
    for query in _queries(FIRST_SEARCHES)[:FIRST_SEARCHES]:
        async with opened(path, index) as store:
            if isinstance(store.index, ChromaIndex):
                await store.index.keeper.keep(scan=True)
            search, began = _search(store, store.index), time.perf_counter()
            await search(query)
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def _whole(store: MemoryStore) -> Search:
    numbers = itertools.count()

    async def search(_: Vector) -> list[int]:
        found = await store.find(("users", "small", "_", "episodes"), f"memory {next(numbers)} of topic", limit=TOP)
        return [one.row.id for one in found]

    return search


async def _nothing(_: int) -> None:
    """Let nothing happen."""


def _writing(store: MemoryStore) -> Callable[[int], Awaitable[None]]:
    async def write(number: int) -> None:
        await store.transact(
            "", lambda transaction: _put(transaction, "big", 10_000_000 + number, _vectors(1, number)[0])
        )

    return write


def _fill(transaction: Transaction, *, user: str, count: int) -> None:
    for number, vector in zip(range(count), _vectors(count, seed=0), strict=True):
        _put(transaction, user, number, vector)


def _put(transaction: Transaction, user: str, number: int, vector: Vector) -> None:
    text = f"memory {number} of topic {number % TOPICS}"
    item = transaction.put(("users", user, "_", "episodes"), f"m{number}", {"text": text}, texts=(text,))
    transaction.connection.execute("INSERT INTO vectors VALUES (?, ?, 0, ?)", (item, NAME, to_blob(vector)))
    transaction.connection.execute("DELETE FROM unindexed WHERE item = ?", (item,))


def _vectors(count: int, seed: int) -> Vectors:
    """Make unit vectors: a common direction, topics around it, and each one's own."""
    random = np.random.default_rng([seed, count])
    topics = np.random.default_rng(0).normal(size=(TOPICS, DIMENSIONS))
    raw = topics[random.integers(0, TOPICS, count)] + 1.5 * random.normal(size=(count, DIMENSIONS))
    raw += 6 * np.random.default_rng(1).normal(size=DIMENSIONS)
    return _unit(raw)


def _queries(size: int) -> Vectors:
    """Make what is asked: near to something that is there, as a question is to its answer."""
    near = _vectors(size, seed=0)[:SEARCHES] if size >= SEARCHES else _vectors(SEARCHES, seed=0)
    raw = near + np.random.default_rng(2).normal(size=near.shape) * 0.02
    return _unit(raw)


def _unit(raw: NDArray[np.float64]) -> Vectors:
    scaled: Vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    return scaled


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
