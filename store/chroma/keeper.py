"""The keeper: the one task, in the one process that owns the index, that keeps Chroma up with SQLite."""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from store.background import logged
from store.chroma import collections
from store.chroma.collections import Collection, Large, Queued
from store.chroma.process import ChromaError, ChromaProcess
from store.connect import make_private_directory
from store.database import Database

log = logging.getLogger(__name__)
TICK_S, SCAN_S, MOST_WAIT_S, FLUSH_S = 1.0, 60.0, 60.0, 5.0
BITE = 64
TRIED = 16
SAME = 1e-3
WIPE_AFTER = 2


class Keeper:
    """Decides which partitions Chroma holds, fills and follows them, and makes them anew where they are not as SQLite.

    A collection is filled through the queue that later changes take too, so a process that dies at any point leaves
    nothing but work that is done again.

    Attributes:
        trusted: The names of the collections that hold everything but what is queued.
    """

    def __init__(
        self, database: Database, chroma: ChromaProcess, *, lock: Path, directory: Path | None, crossover: int
    ) -> None:
        self.trusted: set[str] = set()
        self._database = database
        self._chroma = chroma
        self._lock = FileLock(lock, thread_local=False, mode=0o600)
        self._directory = directory
        self._crossover = crossover
        self._seen: set[str] | None = None
        self._scanned_at: float | None = None
        self._failures = 0
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the index in the background while the block runs; in the end finish what can be finished quickly."""
        task = asyncio.create_task(self._run(), name="keep-the-vector-index")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            with suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_S):
                    await logged(self.flush(), "flush the vector index", log=log)
            await asyncio.to_thread(self._lock.release)

    async def owns(self) -> bool:
        """Tell whether this process owns the index, which it comes to do when no other does."""
        if self._lock.is_locked:
            return True
        try:
            await asyncio.to_thread(self._acquire)
        except Timeout:
            return False
        return True

    def doubt(self, name: str) -> None:
        """Search a collection no more until it has been tried."""
        self.trusted.discard(name)

    async def flush(self) -> None:
        """Write what is queued for the collections that are in use."""
        if self.trusted:
            for one in await self._database.read(collections.known):
                if one.name in self.trusted:
                    await self._drain(one)

    async def keep(self, *, scan: bool = False) -> bool:
        """Do all that is to be done now; tell whether it was (another process owns the index, or Chroma failed).

        Args:
            scan: Look which partitions are large, though the time for that has not come.
        """
        async with self._turn:
            if not await self.owns():
                return False
            try:
                await self._keep(scan=scan)
            except ChromaError as error:
                await self._failed(error)
                return False
            self._failures = 0
            return True

    async def keep_or_raise(self) -> None:
        """Look which partitions are large and make all of them ready now; this process must own the index.

        Raises:
            ChromaError: Chroma cannot do it.
        """
        async with self._turn:
            await self._keep(scan=True)

    async def _run(self) -> None:
        while True:
            await logged(self.keep(), "keep the vector index", log=log)
            await asyncio.sleep(min(TICK_S * 2**self._failures, MOST_WAIT_S))

    def _acquire(self) -> None:
        make_private_directory(Path(self._lock.lock_file).parent)
        self._lock.acquire(timeout=0)

    async def _keep(self, *, scan: bool) -> None:
        if self._directory is not None and self._seen and not self._directory.exists():
            raise ChromaError(f"Cannot find {str(self._directory)!r} any more.")
        if scan or self._scanned_at is None or time.monotonic() - self._scanned_at > SCAN_S:
            await self._scan()
        known = await self._database.read(collections.known)
        if known or self._seen:
            await self._drop_strays({one.name for one in known})
        for one in known:
            await self._follow(one)

    async def _scan(self) -> None:
        """Begin a collection for each partition that has become large, and drop those of partitions that are small."""
        found = await self._database.read(lambda connection: collections.large(connection, self._crossover // 2 + 1))
        places = {(place.scope, place.model): place for place in found}
        stay = set()
        for one in await self._database.read(collections.known):
            place = places.get((one.scope, one.model))
            if place is not None and place.dimensions == one.dimensions:
                stay.add((one.scope, one.model))
            else:
                await self._drop(one)
        for where, place in places.items():
            if where not in stay and place.vectors >= self._crossover:
                await self._begin(place)
        self._scanned_at = time.monotonic()

    async def _names(self) -> set[str]:
        """Name the collections that Chroma has of us."""
        if self._seen is None:
            prefix = await self._database.read(collections.prefix)
            self._seen = set((await self._chroma.ask("names", prefix=prefix))["names"])
        return self._seen

    async def _drop_strays(self, known: set[str]) -> None:
        """Remove from Chroma what nobody knows any more."""
        names = await self._names()
        for name in names - known:
            await self._chroma.ask("drop", collection=name)
            names.remove(name)
            self.trusted.discard(name)

    async def _follow(self, one: Collection) -> None:
        if one.name not in await self._names():
            await self._again(one, "Chroma does not have it")
            return
        await self._drain(one)
        if one.name not in self.trusted:
            await self._try(one)

    async def _drain(self, one: Collection) -> None:
        """Write what is queued now; somebody who goes on writing must not keep it here for ever."""
        waiting = await self._database.read(lambda connection: collections.count_queued(connection, one))
        for _ in range(-(-waiting // BITE)):
            changes = await self._database.read(lambda connection: collections.queued(connection, one, BITE))
            await self._write(one, changes)
            await self._database.write(partial(collections.done, one=one, changes=changes))

    async def _write(self, one: Collection, changes: Sequence[Queued]) -> None:
        here = [(change.id, change.embedding) for change in changes if change.embedding is not None]
        gone = [change.id for change in changes if change.embedding is None]
        if here:
            numbers = b"".join(embedding for _, embedding in here)
            await self._chroma.ask("upsert", numbers, collection=one.name, ids=[name for name, _ in here])
        if gone:
            await self._chroma.ask("delete", collection=one.name, ids=gone)

    async def _try(self, one: Collection) -> None:
        """Trust a collection that holds what SQLite does, but for what is queued, and finds some of it; make others anew."""
        (least, most), samples = await self._database.read(
            lambda connection: (collections.bounds(connection, one), collections.some_vectors(connection, one, TRIED))
        )
        count = (await self._chroma.ask("count", collection=one.name))["count"]
        if not least <= count <= most:
            await self._again(one, f"it has {count} vectors, SQLite {least}")
            return
        for sample in samples:
            found = await self._chroma.ask("nearest", sample.tobytes(), collection=one.name, limit=1)
            if not found["distances"] or found["distances"][0] > SAME:
                await self._again(one, "it does not find what it has")
                return
        await self._database.write(lambda connection: collections.mark_ready(connection, one.name))
        self.trusted.add(one.name)

    async def _again(self, one: Collection, why: str) -> None:
        if one.ready:
            log.warning("The vector index of partition %d is made anew: %s", one.scope, why)
        place = Large(scope=one.scope, model=one.model, dimensions=one.dimensions, vectors=0)
        await self._drop(one)
        await self._begin(place)

    async def _begin(self, place: Large) -> None:
        names = await self._names()
        name = await self._database.read(collections.prefix) + secrets.token_hex(8)
        await self._chroma.ask("make", collection=name)
        names.add(name)
        await self._database.write(lambda connection: collections.begin(connection, place, name))

    async def _drop(self, one: Collection) -> None:
        """Have a collection no more; Chroma's side is removed with the strays."""
        self.trusted.discard(one.name)
        await self._database.write(lambda connection: collections.forget(connection, one.scope, one.model))

    async def _failed(self, error: ChromaError) -> None:
        """Search exactly, start Chroma anew next time, and with empty files where that has not helped."""
        self._failures += 1
        self.trusted.clear()
        self._seen = None
        log.warning("The vector index is out of use, exact search serves: %s", error)
        await self._chroma.stop()
        if self._directory is not None and self._failures >= WIPE_AFTER:
            log.warning("Making %s anew from what SQLite holds.", self._directory)
            await asyncio.to_thread(shutil.rmtree, self._directory, ignore_errors=True)
