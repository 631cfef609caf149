"""ChromaIndex: exact search for small partitions, Chroma for the large ones that it holds completely."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.seams import Vector
from store.chroma import collections
from store.chroma.collections import Queued
from store.chroma.keeper import Keeper
from store.chroma.process import ChromaError, ChromaLateError, ChromaProcess
from store.database import Database
from store.vectors import ExactIndex, Neighbour, best_of

log = logging.getLogger(__name__)
CROSSOVER = 10_000
"""From about 5,000 vectors on Chroma is quicker when something was written since the last search (bench/vector_index.py)."""
DIRECTORY, LOCK = "chroma", "index.lock"
DEEPEST = 2_000
BUSY_S = 5.0
MOST_QUEUED = 1_000


class ChromaIndex:
    """A vector index that asks Chroma where that is quicker, and is never less complete than exact search.

    Chroma is asked only by the process that owns the index (it holds a lock in the home), and only for a collection
    that was seen to hold what SQLite holds. What has changed since is compared exactly. Everything else is searched
    exactly: few items, a search that goes deep, another process, an index that is being built or failed.

    Args:
        database: Where the vectors are kept.
        url: The address of a Chroma server; blank: embedded, in the home.
        crossover: From how many vectors of one embedder on a partition gets a collection.
        process: Chroma, where it is shared; it is then left open.

    Attributes:
        keeper: What fills and follows the collections.
        answered: How many searches Chroma has answered.
    """

    def __init__(
        self, database: Database, *, url: str = "", crossover: int = CROSSOVER, process: ChromaProcess | None = None
    ) -> None:
        home = database.path.parent
        self._database = database
        self._exact = ExactIndex(database)
        self._shared = process is not None
        self._chroma = process or ChromaProcess(url or str(home / DIRECTORY))
        directory = None if url or self._shared else home / DIRECTORY
        self.answered = 0
        self._busy_until = 0.0
        self.keeper = Keeper(database, self._chroma, lock=home / LOCK, directory=directory, crossover=crossover)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Own the index, as soon as no other process does, and keep it up with the database."""
        try:
            async with self.keeper.running():
                yield
        finally:
            if not self._shared:
                await self._chroma.close()

    async def nearest(
        self, query: Vector, *, model: str, scopes: Sequence[int], among: Collection[int] | None, limit: int
    ) -> list[Neighbour]:
        """Search each partition in the way that suits it."""
        found: list[Neighbour] = []
        rest = list(scopes)
        if among is None and limit <= DEEPEST:
            for one in await self._usable(model, set(scopes), len(query)):
                near = await self._asked(query, one, limit)
                if near is not None:
                    found += near
                    rest.remove(one.scope)
        if rest:
            found += await self._exact.nearest(query, model=model, scopes=rest, among=among, limit=limit)
        return best_of(iter(found), limit)

    async def vectors(self, *, model: str, scope: int, length: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Give all vectors of a partition, from the database."""
        return await self._exact.vectors(model=model, scope=scope, length=length)

    async def ask(self, do: str, vectors: Sequence[Vector] = (), /, **given: Any) -> dict[str, Any]:
        """Ask Chroma itself; see `store.chroma.child.Worker` for what."""
        return await self._chroma.ask(do, vectors, **given)

    async def _usable(self, model: str, scopes: set[int], length: int) -> list[collections.Collection]:
        if not self.keeper.trusted or time.monotonic() < self._busy_until:
            return []
        return [
            one
            for one in await self._database.read(collections.known)
            if one.scope in scopes
            and one.name in self.keeper.trusted
            and (one.model, one.dimensions) == (model, length)
        ]

    async def _asked(self, query: Vector, one: collections.Collection, limit: int) -> list[Neighbour] | None:
        """Ask Chroma, and put right what has changed since; None where exact search must serve."""
        changes = await self._database.read(lambda connection: _changes(connection, one))
        if len(changes) > MOST_QUEUED:
            return None
        try:
            answer = await self._chroma.search(query, collection=one.name, limit=limit + len(changes))
        except ChromaLateError as error:
            log.info("Searching exactly for a while: %s", error)
            self._busy_until = time.monotonic() + BUSY_S
            return None
        except ChromaError as error:
            log.warning("Searching exactly meanwhile: %s", error)
            self.keeper.doubt(one.name)
            return None
        self.answered += 1
        overtaken = {change.id for change in changes}
        return [*_known(answer, overtaken), *_new(changes, query)]


def _changes(connection: sqlite3.Connection, one: collections.Collection) -> list[Queued]:
    return collections.queued(connection, one, MOST_QUEUED + 1)


def _known(answer: dict[str, Any], overtaken: set[str]) -> Iterator[Neighbour]:
    for name, distance in zip(answer["ids"], answer["distances"], strict=True):
        if name not in overtaken:
            yield Neighbour(item=int(name.partition(".")[0]), similarity=1.0 - distance)


def _new(changes: Sequence[Queued], query: Vector) -> Iterator[Neighbour]:
    wanted = np.asarray(query, dtype=np.float32)
    for change in changes:
        if change.embedding is not None:
            similarity = float(np.frombuffer(change.embedding, dtype="<f4") @ wanted)
            yield Neighbour(item=change.item, similarity=similarity)
