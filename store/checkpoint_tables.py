"""The tables beside LangGraph's own: whose thread it is, and what pruning must know of a checkpoint."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiosqlite

from store.checkpoint_turns import Mark
from store.errors import NewerDataError

FIRST = (
    "CREATE TABLE thread_owners (thread_id TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX threads_by_owner ON thread_owners (owner)",
    """CREATE TABLE checkpoint_marks (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL,
        checkpoint_id TEXT NOT NULL,
        turn TEXT NOT NULL,
        run TEXT NOT NULL,
        unfolded TEXT NOT NULL,
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX checkpoint_marks_by_turn ON checkpoint_marks (thread_id, checkpoint_ns, turn)",
    "CREATE INDEX checkpoint_marks_by_run ON checkpoint_marks (run) WHERE run <> ''",
)
NAMES = ("CREATE TABLE thread_names (thread_id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",)
MIGRATIONS: tuple[tuple[str, ...], ...] = (FIRST, NAMES)

OF_THREAD = ("checkpoints", "writes", "checkpoint_marks", "thread_owners", "thread_names")
OF_CHECKPOINT = ("checkpoints", "writes", "checkpoint_marks")

Place = tuple[str, str]
"""A thread and a namespace in it ("" is the graph itself, others are subgraphs)."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A checkpoint as it is written, without the owner, which only the transaction knows.

    `run` is "" where nobody said which run made it.
    """

    place: Place
    mark: Mark
    run: str
    kind: str
    blob: bytes
    metadata: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, str, str]:
        """Give the thread, the namespace and the id."""
        return (*self.place, self.mark.checkpoint_id)


@asynccontextmanager
async def immediate(conn: aiosqlite.Connection) -> AsyncIterator[aiosqlite.Connection]:
    """Make what is done inside one transaction that holds the write lock from its start."""
    await conn.execute("BEGIN IMMEDIATE")
    try:
        yield conn
        await conn.commit()
    except BaseException:
        await conn.rollback()
        raise


async def migrate(conn: aiosqlite.Connection) -> None:
    """Take the steps that this file has not taken yet, all or none.

    Raises:
        NewerDataError: It has taken more steps than this version knows.
    """
    async with immediate(conn):
        await conn.execute("CREATE TABLE IF NOT EXISTS thread_schema (version INTEGER NOT NULL)")
        taken = await value_of(conn, "SELECT MAX(version) FROM thread_schema") or 0
        if taken > len(MIGRATIONS):
            (database,) = await conn.execute_fetchall("PRAGMA database_list")
            raise NewerDataError(path=database[2], found=taken, known=len(MIGRATIONS))
        for version, step in enumerate(MIGRATIONS[taken:], start=taken + 1):
            for statement in step:
                await conn.execute(statement)
            await conn.execute("INSERT INTO thread_schema (version) VALUES (?)", (version,))


async def value_of(conn: aiosqlite.Connection, query: str, parameters: Sequence[Any] = ()) -> Any:
    """Give the first column of the first row, None when there is none."""
    for row in await conn.execute_fetchall(query, parameters):
        return row[0]
    return None


async def owner_in(conn: aiosqlite.Connection, thread_id: str) -> str | None:
    """Give the owner of a thread, None while it is nobody's."""
    found = await value_of(conn, "SELECT owner FROM thread_owners WHERE thread_id = ?", (thread_id,))
    return None if found is None else str(found)


async def own(conn: aiosqlite.Connection, thread_id: str, owner: str) -> str:
    """Give the thread to this owner if it is nobody's; say whose it is then. The write lock is held."""
    known = await owner_in(conn, thread_id)
    if known is None:
        await conn.execute("INSERT INTO thread_owners (thread_id, owner) VALUES (?, ?)", (thread_id, owner))
    return known or owner


async def threads_of(conn: aiosqlite.Connection, owner: str) -> list[str]:
    """List an owner's threads, the one last written first."""
    query = (
        "SELECT thread_id FROM thread_owners WHERE owner = ? ORDER BY (SELECT MAX(checkpoint_id) "
        "FROM checkpoint_marks AS m WHERE m.thread_id = thread_owners.thread_id) DESC, thread_id"
    )
    return [str(row[0]) for row in await conn.execute_fetchall(query, (owner,))]


async def name_in(conn: aiosqlite.Connection, thread_id: str) -> str:
    """Give the name that a thread is shown under, "" where it has none."""
    return str(await value_of(conn, "SELECT name FROM thread_names WHERE thread_id = ?", (thread_id,)) or "")


async def put_name(conn: aiosqlite.Connection, thread_id: str, name: str) -> None:
    """Keep the name that a thread is shown under."""
    await conn.execute("INSERT OR REPLACE INTO thread_names (thread_id, name) VALUES (?, ?)", (thread_id, name))


async def is_kept(conn: aiosqlite.Connection, place: Place, checkpoint_id: str) -> bool:
    """Tell whether a checkpoint is there."""
    query = "SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
    return await value_of(conn, query, (*place, checkpoint_id)) is not None


async def put_row(conn: aiosqlite.Connection, row: Row, *, owner: str | None) -> None:
    """Write a checkpoint with its mark and its thread's owner; one of the same id is replaced."""
    metadata = json.dumps({**row.metadata, "owner": owner} if owner else row.metadata, ensure_ascii=False)
    await conn.execute(
        "INSERT OR REPLACE INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, "
        "type, checkpoint, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*row.key, row.mark.parent_id, row.kind, row.blob, metadata.encode("utf-8", "ignore")),
    )
    await conn.execute(
        "INSERT OR REPLACE INTO checkpoint_marks (thread_id, checkpoint_ns, checkpoint_id, turn, run, unfolded) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (*row.key, row.mark.turn, row.run, json.dumps(sorted(row.mark.unfolded))),
    )


async def is_new_turn(conn: aiosqlite.Connection, place: Place, turn: str) -> bool:
    """Tell whether no checkpoint of this turn is known yet."""
    query = "SELECT 1 FROM checkpoint_marks WHERE thread_id = ? AND checkpoint_ns = ? AND turn = ? LIMIT 1"
    return bool(turn) and await value_of(conn, query, (*place, turn)) is None


async def turns_in(conn: aiosqlite.Connection, place: Place) -> int:
    """Count the turns of which checkpoints are kept."""
    query = "SELECT COUNT(DISTINCT turn) FROM checkpoint_marks WHERE thread_id = ? AND checkpoint_ns = ?"
    return int(await value_of(conn, query, place))


async def marks_in(conn: aiosqlite.Connection, place: Place) -> list[Mark]:
    """Read the marks of a thread; none when a checkpoint has none, for then nothing can be known for sure."""
    query = (
        "SELECT checkpoint_id, parent_checkpoint_id, turn, unfolded FROM checkpoints "
        "LEFT JOIN checkpoint_marks USING (thread_id, checkpoint_ns, checkpoint_id) "
        "WHERE thread_id = ? AND checkpoint_ns = ?"
    )
    rows = list(await conn.execute_fetchall(query, place))
    if any(row[2] is None for row in rows):
        return []
    return [
        Mark(checkpoint_id=row[0], parent_id=row[1], turn=row[2], unfolded=frozenset(json.loads(row[3])))
        for row in rows
    ]


async def places_of(conn: aiosqlite.Connection, thread_id: str) -> list[Place]:
    """List the thread's namespaces."""
    query = "SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = ?"
    return [(thread_id, row[0]) for row in await conn.execute_fetchall(query, (thread_id,))]


async def made_by(conn: aiosqlite.Connection, run_ids: Iterable[str]) -> Mapping[Place, set[str]]:
    """Find the checkpoints that these runs made."""
    found: dict[Place, set[str]] = {}
    query = "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoint_marks WHERE run = ? AND run <> ''"
    for run_id in run_ids:
        for thread_id, namespace, checkpoint_id in await conn.execute_fetchall(query, (run_id,)):
            found.setdefault((thread_id, namespace), set()).add(checkpoint_id)
    return found


async def delete_checkpoints(conn: aiosqlite.Connection, place: Place, checkpoint_ids: Iterable[str]) -> None:
    """Remove checkpoints with their writes and marks."""
    keys = [(*place, checkpoint_id) for checkpoint_id in checkpoint_ids]
    for table in OF_CHECKPOINT:
        await conn.executemany(
            f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
            keys,
        )


async def delete_writes(conn: aiosqlite.Connection, place: Place, checkpoint_id: str) -> None:
    """Remove what was written from a checkpoint on; the checkpoint itself stays."""
    query = "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
    await conn.execute(query, (*place, checkpoint_id))


async def delete_thread(conn: aiosqlite.Connection, thread_id: str) -> None:
    """Remove all that is kept of a thread, its owner too."""
    for table in OF_THREAD:
        await conn.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread_id,))


async def copy_thread(conn: aiosqlite.Connection, source: str, target: str) -> None:
    """Copy all that is kept of a thread under another id."""
    renamed = "CAST(json_replace(CAST(metadata AS TEXT), '$.thread_id', :target) AS BLOB)"
    names = {"source": source, "target": target}
    for statement in (
        "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, "
        "checkpoint, metadata) SELECT :target, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, "
        f"checkpoint, {renamed} FROM checkpoints WHERE thread_id = :source",
        "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, "
        "value) SELECT :target, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value "
        "FROM writes WHERE thread_id = :source",
        "INSERT INTO checkpoint_marks SELECT :target, checkpoint_ns, checkpoint_id, turn, run, unfolded "
        "FROM checkpoint_marks WHERE thread_id = :source",
        "INSERT OR IGNORE INTO thread_owners SELECT :target, owner FROM thread_owners WHERE thread_id = :source",
    ):
        await conn.execute(statement, names)
