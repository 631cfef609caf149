"""The collections in SQLite: which partitions Chroma holds, and what of them has changed since."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.vectors import FLOAT_BYTES

QUEUE = "index_queue (collection, item, part, change)"


@dataclass(frozen=True, kw_only=True)
class Collection:
    """One embedder's vectors of one partition, as a collection of Chroma; `ready` when it has held all of them."""

    scope: int
    model: str
    dimensions: int
    name: str
    ready: bool


@dataclass(frozen=True, kw_only=True)
class Large:
    """A partition with many vectors of one embedder and length."""

    scope: int
    model: str
    dimensions: int
    vectors: int


@dataclass(frozen=True, kw_only=True)
class Queued:
    """A vector that came, changed (its bytes) or went (None); `change` tells this change from a later one."""

    item: int
    part: int
    change: int
    embedding: bytes | None

    @property
    def id(self) -> str:
        """Name the vector as Chroma knows it: by numbers only."""
        return f"{self.item}.{self.part}"


def prefix(connection: sqlite3.Connection) -> str:
    """Give the beginning of the names of this database's collections."""
    (home,) = connection.execute("SELECT id FROM home").fetchone()
    return f"jiyi-{home}-"


def known(connection: sqlite3.Connection) -> list[Collection]:
    """List all collections."""
    rows = connection.execute("SELECT scope, model, dimensions, name, ready FROM collections ORDER BY scope, model")
    return [_collection(row) for row in rows]


def large(connection: sqlite3.Connection, least: int) -> list[Large]:
    """Find what is large: partitions with at least so many vectors of one embedder and length."""
    scopes = connection.execute("SELECT scope FROM items GROUP BY scope HAVING count(*) >= ?", (least,)).fetchall()
    rows = [
        row
        for (scope,) in scopes
        for row in connection.execute(
            "SELECT items.scope, model, length(embedding) / ?, count(*) FROM items JOIN vectors ON item = items.id "
            "WHERE items.scope = ? GROUP BY 2, 3 HAVING count(*) >= ? ORDER BY 4",
            (FLOAT_BYTES, scope, least),
        )
    ]
    return [Large(scope=row[0], model=row[1], dimensions=row[2], vectors=row[3]) for row in rows]


def bounds(connection: sqlite3.Connection, one: Collection) -> tuple[int, int]:
    """Say how many vectors a collection must hold at least, and can at most, while some changes are still queued."""
    (vectors,) = connection.execute(
        "SELECT count(*) FROM items JOIN vectors ON item = items.id "
        "WHERE items.scope = ? AND model = ? AND length(embedding) = ?",
        (one.scope, one.model, one.dimensions * FLOAT_BYTES),
    ).fetchone()
    waiting, here = connection.execute(
        "SELECT count(*), count(vectors.item) FROM index_queue AS queue LEFT JOIN vectors ON vectors.item = queue.item "
        "AND vectors.part = queue.part AND vectors.model = ? AND length(vectors.embedding) = ? WHERE queue.collection = ?",
        (one.model, one.dimensions * FLOAT_BYTES, one.name),
    ).fetchone()
    return int(vectors) - int(here), int(vectors) - int(here) + int(waiting)


def some_vectors(connection: sqlite3.Connection, one: Collection, limit: int) -> list[NDArray[np.float32]]:
    """Give vectors that a collection must hold, old ones and new ones alike, to try it with."""
    held = "items.scope = ? AND model = ? AND length(embedding) = ?"
    where = (one.scope, one.model, one.dimensions * FLOAT_BYTES)
    rows = connection.execute(
        f"SELECT item, part FROM items JOIN vectors ON item = items.id WHERE {held} AND NOT EXISTS (SELECT 1 FROM "
        "index_queue AS queue WHERE queue.collection = ? AND queue.item = vectors.item AND queue.part = vectors.part) "
        "ORDER BY item, part",
        (*where, one.name),
    ).fetchall()
    places: list[int] = np.unique(np.linspace(0, len(rows) - 1, limit).astype(int)).tolist() if rows else []
    read = "SELECT embedding FROM vectors WHERE item = ? AND part = ? AND model = ?"
    blobs = [connection.execute(read, (*rows[place], one.model)).fetchone()[0] for place in places]
    return [np.frombuffer(blob, dtype="<f4") for blob in blobs]


def begin(connection: sqlite3.Connection, place: Large, name: str) -> None:
    """Note a collection that is to be filled, in place of any other of the partition, and queue all of its vectors."""
    forget(connection, place.scope, place.model)
    connection.execute(
        "INSERT INTO collections (scope, model, dimensions, name) VALUES (?, ?, ?, ?)",
        (place.scope, place.model, place.dimensions, name),
    )
    connection.execute(
        f"INSERT INTO {QUEUE} SELECT ?, item, part, abs(random()) FROM vectors JOIN items ON item = items.id "
        "WHERE items.scope = ? AND model = ?",
        (name, place.scope, place.model),
    )


def forget(connection: sqlite3.Connection, scope: int, model: str) -> None:
    """Forget a partition's collection with what is queued for it; Chroma's side is then a stray."""
    which = "SELECT name FROM collections WHERE scope = ? AND model = ?"
    connection.execute(f"DELETE FROM index_queue WHERE collection IN ({which})", (scope, model))
    connection.execute("DELETE FROM collections WHERE scope = ? AND model = ?", (scope, model))


def mark_ready(connection: sqlite3.Connection, name: str) -> None:
    """Note that a collection holds everything."""
    connection.execute("UPDATE collections SET ready = 1 WHERE name = ?", (name,))


def count_queued(connection: sqlite3.Connection, one: Collection) -> int:
    """Count the changes that wait for a collection."""
    (count,) = connection.execute("SELECT count(*) FROM index_queue WHERE collection = ?", (one.name,)).fetchone()
    return int(count)


def queued(connection: sqlite3.Connection, one: Collection, limit: int) -> list[Queued]:
    """Give the next changes of a collection, as the vectors are now; one of another length is none of its own."""
    rows = connection.execute(
        "SELECT queue.item, queue.part, queue.change, vectors.embedding FROM index_queue AS queue "
        "LEFT JOIN vectors ON vectors.item = queue.item AND vectors.part = queue.part AND vectors.model = ? "
        "AND length(vectors.embedding) = ? WHERE queue.collection = ? LIMIT ?",
        (one.model, one.dimensions * FLOAT_BYTES, one.name, limit),
    )
    return [Queued(item=row[0], part=row[1], change=row[2], embedding=row[3]) for row in rows]


def done(connection: sqlite3.Connection, one: Collection, changes: Sequence[Queued]) -> None:
    """Take changes from the queue; those that have been overtaken by another stay."""
    connection.executemany(
        "DELETE FROM index_queue WHERE collection = ? AND item = ? AND part = ? AND change = ?",
        [(one.name, change.item, change.part, change.change) for change in changes],
    )


def _collection(row: sqlite3.Row) -> Collection:
    return Collection(scope=row[0], model=row[1], dimensions=row[2], name=row[3], ready=bool(row[4]))
