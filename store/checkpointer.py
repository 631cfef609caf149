"""Where threads are kept: LangGraph's SQLite checkpointer, with owners, bounded threads and strict types.

A thread belongs to the identity of its first run. A run of somebody else neither reads nor writes it: the
saver sees who runs in LangGraph's own runtime object. Calls without one (reading or editing a state from
outside a run) are not judged here; who may make them is decided where they come in.

What is written is written whole or not at all, even if the caller is cancelled in the middle. Where private things
are to go from threads too, they go before anything is written (store/checkpoint_redaction.py). So do the bytes of pictures,
recordings and files that are long: they are kept in files beside (store/media_files.py), and go with their thread.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from memory.namespaces import checked_id
from store import checkpoint_tables as tables
from store import checkpoint_upkeep as upkeep
from store.checkpoint_media import Shelf, shelved_checkpoint, shelved_writes
from store.checkpoint_owners import RUNTIME_KEY, IdentityError, OwnerOf, UserOf, context_user, runner
from store.checkpoint_redaction import Redactor, redacted_checkpoint, redacted_writes
from store.checkpoint_turns import KEEP_TURNS
from store.connect import connect

LOG_PAGES = 256
"""At this many pages (1 MB) the write-ahead log is folded into the file: its size counts too."""
STRATEGIES = ("keep_latest", "delete")

RedactorFor = Callable[[Any], Awaitable[Redactor]]
"""Gives what redacts a run's texts, from LangGraph's runtime object; there is none when a state is edited from outside."""


class ThreadSaver(AsyncSqliteSaver):
    """Keep checkpoints; know whose each thread is; keep each thread's last turns only.

    All messages stay readable in the newest state. The thread can be rewound to each of its last
    `keep_turns` turns; older checkpoints are deleted as new turns begin, some turns at a time.
    """

    def __init__(
        self,
        conn: aiosqlite.Connection,
        *,
        owner_of: OwnerOf,
        user_of: UserOf = context_user,
        keep_turns: int = KEEP_TURNS,
        redactor_for: RedactorFor | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        """Take an open connection in transaction mode `IMMEDIATE` (`open_saver` makes one)."""
        super().__init__(conn, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.owner_of = owner_of
        self.user_of = user_of
        self.keep_turns = keep_turns
        self.redactor_for = redactor_for
        self.shelf = shelf
        self._setup_lock = asyncio.Lock()
        self._migrated = False

    async def setup(self) -> None:
        """Make the tables that are not there yet; called where needed."""
        async with self._setup_lock:
            if not self._migrated:
                await super().setup()
                await tables.migrate(self.conn)
                self._migrated = True

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read a checkpoint, the newest when none is named.

        Raises:
            IdentityError: The run that asks is not of the thread's owner.
        """
        await self.setup()
        user = runner(config["configurable"], self.user_of)
        if user is not None:
            thread_id = str(config["configurable"]["thread_id"])
            self._check_owner(thread_id, await self.owner_of_thread(thread_id), user)
        return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Give checkpoints, the newest first; all are read before the first is given.

        So the loop's body may use the saver, and a loop that is left early holds nothing.
        """
        await self.setup()
        listing = super().alist(config, filter=filter, before=before, limit=limit)
        for found in [found async for found in listing]:
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint under the thread's owner; the first who is named becomes it.

        Raises:
            IdentityError: The run that writes is not of the thread's owner.
            BrokenChainError: The checkpoint before it was deleted meanwhile.
        """
        await self.setup()
        if self.redactor_for is not None:
            redacted = await self.redactor_for(config["configurable"].get(RUNTIME_KEY))
            checkpoint = await asyncio.to_thread(redacted_checkpoint, checkpoint, redacted)
        if self.shelf is not None:
            thread = str(config["configurable"]["thread_id"])
            checkpoint = await asyncio.to_thread(shelved_checkpoint, checkpoint, thread, self.shelf)
        row = upkeep.row_of(config, checkpoint, metadata, self.serde)
        user = runner(config["configurable"], self.user_of)
        await asyncio.shield(self._write(row, user))
        thread_id, namespace = row.place
        written = {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint["id"]}
        return {"configurable": written}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a task wrote, all of it or nothing."""
        if self.redactor_for is not None:
            redacted = await self.redactor_for(config["configurable"].get(RUNTIME_KEY))
            writes = await asyncio.to_thread(redacted_writes, writes, redacted)
        if self.shelf is not None:
            thread = str(config["configurable"]["thread_id"])
            writes = await asyncio.to_thread(shelved_writes, writes, thread, self.shelf)
        await asyncio.shield(super().aput_writes(config, writes, task_id, task_path))

    async def owner_of_thread(self, thread_id: str) -> str | None:
        """Give the owner (the keyed hash) of a thread, None while it is nobody's."""
        await self.setup()
        async with self.lock:
            return await tables.owner_in(self.conn, thread_id)

    async def threads_of(self, owner: str) -> list[str]:
        """List the threads of an owner (the keyed hash), the one last written first."""
        await self.setup()
        async with self.lock:
            return await tables.threads_of(self.conn, owner)

    async def name_of_thread(self, thread_id: str) -> str:
        """Give the name that a thread is shown under; "" where it was only ever called by its id."""
        await self.setup()
        async with self.lock:
            return await tables.name_in(self.conn, thread_id)

    async def name_thread(self, thread_id: str, name: str) -> None:
        """Show a thread under a name from now on; a name that it has already costs no write."""
        if name != await self.name_of_thread(thread_id):
            await self._within(partial(tables.put_name, thread_id=thread_id, name=name))

    async def claim_thread(self, thread_id: str, user: str) -> bool:
        """Make the thread this user's if it is nobody's; tell whether it is this user's.

        Of two who claim at once, in whatever processes, one gets it.
        """
        await self.setup()
        owner = self.owner_of(checked_id(user, "user id"))
        return await asyncio.shield(self._claim(thread_id, owner))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete all that is kept of a thread, its owner and its media too."""
        await self._delete([thread_id])

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what these runs wrote, but for checkpoints that later ones are read with."""
        await self._within(partial(upkeep.delete_for_runs, run_ids=run_ids))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with all its checkpoints and its owner.

        Raises:
            TakenThreadError: There is something under the target's id.
        """
        await self._within(partial(upkeep.copy_thread, source=source_thread_id, target=target_thread_id))
        await self._copy_media(source_thread_id, target_thread_id)

    async def abranch_thread(self, source_thread_id: str, target_thread_id: str, *, at: str, name: str = "") -> None:
        """Begin a thread with what another was at one of its checkpoints, with all that it can be rewound to from there.

        Args:
            source_thread_id: The thread to branch from, which stays as it is.
            target_thread_id: The thread to begin; it belongs to the same owner.
            at: The checkpoint's id; that of the end of a turn.
            name: What the new thread is shown under.

        Raises:
            TakenThreadError: There is something under the target's id.
            BrokenChainError: The checkpoint is gone.
        """
        branch = partial(upkeep.branch_thread, source=source_thread_id, target=target_thread_id)
        await self._within(partial(branch, checkpoint_id=at, name=name))
        await self._copy_media(source_thread_id, target_thread_id)

    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", keep_turns: int | None = None
    ) -> None:
        """Delete old checkpoints; the newest state keeps all messages.

        Args:
            thread_ids: Which threads.
            strategy: `delete` deletes the threads. `keep_latest` keeps the newest checkpoint of each
                namespace and what it is read with (a chain back to the last whole list of messages).
            keep_turns: Keep this many turns instead of only the newest checkpoint, 1 or more.

        Raises:
            ValueError: There is no such strategy, or no turn would be kept.
        """
        if strategy not in STRATEGIES:
            raise ValueError(f"Cannot prune by strategy {strategy!r}: use one of {', '.join(STRATEGIES)}.")
        if keep_turns is not None and keep_turns < 1:
            raise ValueError(f"Cannot prune to {keep_turns!r} turns: keep 1 or more, or use strategy='delete'.")
        if strategy == "delete":
            await self._delete(thread_ids)
        else:
            await self._within(partial(upkeep.prune, thread_ids=thread_ids, keep_turns=keep_turns))

    async def scrub(self) -> bool:
        """Empty the write-ahead log, which still holds what was deleted; False while others read it."""
        await self.setup()
        async with self.lock:
            return not await tables.value_of(self.conn, "PRAGMA wal_checkpoint(TRUNCATE)")

    async def _delete(self, thread_ids: Sequence[str]) -> None:
        await self._within(partial(upkeep.delete_threads, thread_ids=thread_ids))
        if self.shelf is not None:
            for thread_id in thread_ids:
                await asyncio.to_thread(self.shelf.files.drop_thread, str(thread_id))

    async def _copy_media(self, source: str, target: str) -> None:
        if self.shelf is not None:
            await asyncio.to_thread(self.shelf.files.copy_thread, source, target)

    async def _write(self, row: tables.Row, user: str | None) -> None:
        thread_id, _ = row.place
        async with self.lock, tables.immediate(self.conn) as conn:
            owner = await self._owner_at(thread_id, user)
            await upkeep.check_chain(conn, row)
            new_turn = await tables.is_new_turn(conn, row.place, row.mark.turn)
            await tables.put_row(conn, row, owner=owner)
            if new_turn:
                await upkeep.bound(conn, row.place, keep_turns=self.keep_turns)

    async def _owner_at(self, thread_id: str, user: str | None) -> str | None:
        if user is None:
            return await tables.owner_in(self.conn, thread_id)
        owner = await tables.own(self.conn, thread_id, self.owner_of(user))
        self._check_owner(thread_id, owner, user)
        return owner

    def _check_owner(self, thread_id: str, owner: str | None, user: str) -> None:
        if owner is not None and owner != self.owner_of(user):
            raise IdentityError(thread_id)

    async def _claim(self, thread_id: str, owner: str) -> bool:
        async with self.lock:
            known = await tables.owner_in(self.conn, thread_id)
            if known is None:
                async with tables.immediate(self.conn):
                    known = await tables.own(self.conn, thread_id, owner)
        return known == owner

    async def _within(self, change: Callable[[aiosqlite.Connection], Awaitable[None]]) -> None:
        """Make a change in one transaction, to its end even if the caller is cancelled."""
        await self.setup()
        await asyncio.shield(self._in_transaction(change))

    async def _in_transaction(self, change: Callable[[aiosqlite.Connection], Awaitable[None]]) -> None:
        async with self.lock, tables.immediate(self.conn):
            await change(self.conn)


@asynccontextmanager
async def open_saver(
    path: Path,
    *,
    owner_of: OwnerOf,
    user_of: UserOf = context_user,
    keep_turns: int = KEEP_TURNS,
    redactor_for: RedactorFor | None = None,
    shelf: Shelf | None = None,
) -> AsyncIterator[ThreadSaver]:
    """Open the file of threads (made as needed, readable by its owner only) until the block ends.

    Args:
        path: The database file; several processes may have it open.
        owner_of: A keyed hash of a user id: what is written of the user.
        user_of: Tells from the runtime object who runs.
        keep_turns: How many turns back a thread can be rewound.
        redactor_for: Redacts what was typed before it is written; None: it is written as it was typed.
        shelf: Where the bytes of media go; None: they are written with their messages.

    Raises:
        NewerDataError: The file was written by a newer Jiyi.
    """
    async with aiosqlite.Connection(lambda: _connection(path), iter_chunk_size=64) as conn:
        saver = ThreadSaver(
            conn, owner_of=owner_of, user_of=user_of, keep_turns=keep_turns, redactor_for=redactor_for, shelf=shelf
        )
        await saver.setup()
        try:
            yield saver
        finally:
            async with saver.lock:  # what is being written is written to its end
                await conn.close()


def _connection(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.isolation_level = "IMMEDIATE"
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    return connection
