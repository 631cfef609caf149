"""A database on a thread of its own: the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from store.connect import Synchronous, connect
from store.errors import ClosedError
from store.migrations import migrate

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class Database:
    """One connection, one thread, functions sent to it one after the other."""

    def __init__(self, path: Path, *, synchronous: Synchronous = "NORMAL") -> None:
        self.path = path
        self._synchronous: Synchronous = synchronous
        self._connection: sqlite3.Connection | None = None
        self._thread: ThreadPoolExecutor | None = None

    async def open(self) -> None:
        """Open the file and bring its tables up to date.

        Raises:
            NewerDataError: A newer Jiyi wrote it.
        """
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"sqlite-{self.path.stem}")
        loop = asyncio.get_running_loop()
        self._connection = await loop.run_in_executor(self._thread, self._opened)

    async def close(self) -> None:
        """Finish what is in flight, then close."""
        if self._thread is None:
            return
        if self._connection is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown(wait=False)
        self._connection, self._thread = None, None

    async def read(self, work: Work[Result]) -> Result:
        """Run a function that only reads; it sees one state of the database."""
        return await self._run(work, "BEGIN")

    async def write(self, work: Work[Result]) -> Result:
        """Run a function in one transaction: all of it is kept when it returns, nothing when it raises."""
        return await self._run(work, "BEGIN IMMEDIATE")

    async def outside_transaction(self, work: Work[Result]) -> Result:
        """Run what SQLite allows only outside a transaction (VACUUM, checkpoints of the log)."""
        return await self._run(work, None)

    async def _run(self, work: Work[Result], begin: str | None) -> Result:
        thread, connection = self._thread, self._connection
        if thread is None or connection is None:
            raise ClosedError(f"the database {self.path.name}")
        return await asyncio.get_running_loop().run_in_executor(thread, _within, connection, work, begin)

    def _opened(self) -> sqlite3.Connection:
        connection = connect(self.path, synchronous=self._synchronous)
        migrate(connection, path=str(self.path))
        return connection


def _within(connection: sqlite3.Connection, work: Work[Result], begin: str | None) -> Result:
    if begin is None:
        return work(connection)
    with connection:  # commits, or rolls back when the work raises
        connection.execute(begin)
        return work(connection)
