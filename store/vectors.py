"""Vector search: the seam, and exact search over the embeddings that SQLite keeps."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.seams import Vector
from store.database import Database

MAX_CACHED_VECTORS = 100_000
FLOAT_BYTES = 4


@dataclass(frozen=True, kw_only=True)
class Neighbour:
    """An item near the query; `similarity` is a cosine, -1..1."""

    item: int
    similarity: float


class VectorIndex(Protocol):
    """Finds the items of some scopes whose vectors are nearest to a query's."""

    async def nearest(
        self, query: Vector, *, model: str, scopes: Sequence[int], among: Collection[int] | None, limit: int
    ) -> list[Neighbour]:
        """Search, best first; an item with several vectors counts by its best.

        An index may still name items that are gone a moment later: who asks looks them up anyway.

        Args:
            query: A vector of unit length.
            model: Only vectors of this embedder, and of the query's length, are compared.
            scopes: In which partitions.
            among: Only these items; None for all.
            limit: At most so many.
        """
        ...

    async def vectors(self, *, model: str, scope: int, length: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Give all vectors of a partition by one embedder, of one length: the items, and a row for each; items may repeat."""
        ...

    @asynccontextmanager
    def running(self) -> AsyncIterator[None]:
        """Keep the index up with the database while the block runs."""
        ...


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A partition's vectors by one embedder, of one length."""

    scope: int
    model: str
    length: int


@dataclass(frozen=True, kw_only=True)
class _Matrix:
    """The vectors of one place, as of a change: `rows[i]` (float32, unit length) belongs to item `items[i]`."""

    change: int
    items: NDArray[np.int64]
    rows: NDArray[np.float32]

    @cached_property
    def most_parts(self) -> int:
        """Say how many vectors an item has at most."""
        return int(np.unique(self.items, return_counts=True)[1].max()) if len(self.items) else 1


class ExactIndex:
    """Compares the query with every vector of the partition; each is read once, later only what has changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cached: OrderedDict[_Place, _Matrix] = OrderedDict()

    async def nearest(
        self, query: Vector, *, model: str, scopes: Sequence[int], among: Collection[int] | None, limit: int
    ) -> list[Neighbour]:
        """Search all vectors of the scopes."""
        wanted = np.asarray(query, dtype=np.float32)
        places = [_Place(scope=scope, model=model, length=len(wanted)) for scope in scopes]
        matrices = await self._database.read(lambda connection: [self._matrix(connection, place) for place in places])
        return best_of((one for matrix in matrices for one in _nearest(matrix, wanted, among, limit)), limit)

    async def vectors(self, *, model: str, scope: int, length: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Give all vectors of a place."""
        place = _Place(scope=scope, model=model, length=length)
        matrix = await self._database.read(lambda connection: self._matrix(connection, place))
        return matrix.items, matrix.rows

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Do nothing: what is compared is read from the database."""
        yield

    def _matrix(self, connection: sqlite3.Connection, place: _Place) -> _Matrix:
        matrix = _up_to_date(connection, place, self._cached.get(place))
        self._cached[place] = matrix
        self._cached.move_to_end(place)
        self._shrink()
        return matrix

    def _shrink(self) -> None:
        held = sum(len(matrix.items) for matrix in self._cached.values())
        while held > MAX_CACHED_VECTORS and len(self._cached) > 1:
            _, dropped = self._cached.popitem(last=False)
            held -= len(dropped.items)


def to_blob(vector: Vector) -> bytes:
    """Write a vector as little-endian float32."""
    return np.asarray(vector, dtype="<f4").tobytes()


def best_of(found: Iterator[Neighbour], limit: int) -> list[Neighbour]:
    """Keep the best of each item, best first; of equals the older item comes first."""
    best: dict[int, Neighbour] = {}
    for one in found:
        if one.item not in best or best[one.item].similarity < one.similarity:
            best[one.item] = one
    return sorted(best.values(), key=lambda one: (-one.similarity, one.item))[:limit]


def _up_to_date(connection: sqlite3.Connection, place: _Place, cached: _Matrix | None) -> _Matrix:
    """Give a place's vectors as they are, from a copy and what has changed since, while that is still known."""
    oldest, newest = connection.execute("SELECT min(number), coalesce(max(number), 0) FROM vector_changes").fetchone()
    if cached is None or (oldest or 0) > cached.change + 1:
        return _read(connection, place, newest)
    rows = connection.execute(
        "SELECT DISTINCT item FROM vector_changes WHERE number > ? AND scope = ? AND model = ?",
        (cached.change, place.scope, place.model),
    )
    changed = [int(row[0]) for row in rows]
    if not changed:
        return replace(cached, change=newest)
    stays = ~np.isin(cached.items, np.array(changed, dtype=np.int64))
    new = _read(connection, place, newest, only=changed)
    return _Matrix(
        change=newest,
        items=np.concatenate([cached.items[stays], new.items]),
        rows=np.concatenate([cached.rows[stays], new.rows]),
    )


def _read(connection: sqlite3.Connection, place: _Place, change: int, *, only: Sequence[int] | None = None) -> _Matrix:
    """Read the vectors of a place, all or those of some items."""
    some = "" if only is None else "AND items.id IN (SELECT value FROM json_each(?)) "
    rows = connection.execute(
        "SELECT vectors.item, vectors.embedding FROM items JOIN vectors ON vectors.item = items.id "
        f"WHERE items.scope = ? AND vectors.model = ? AND length(vectors.embedding) = ? {some}",
        (place.scope, place.model, place.length * FLOAT_BYTES, *(() if only is None else (json.dumps(only),))),
    ).fetchall()
    items = np.array([row[0] for row in rows], dtype=np.int64)
    joined = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(len(rows), place.length)
    return _Matrix(change=change, items=items, rows=joined)


def _nearest(
    matrix: _Matrix, query: NDArray[np.float32], among: Collection[int] | None, limit: int
) -> Iterator[Neighbour]:
    """Give at least the `limit` best items of a matrix, each perhaps several times."""
    similarities, items = matrix.rows @ query, matrix.items
    if among is not None:
        inside = np.isin(items, np.fromiter(among, dtype=np.int64, count=len(among)))
        similarities, items = similarities[inside], items[inside]
    wanted = limit * matrix.most_parts
    if len(items) > wanted:
        cut = np.partition(similarities, len(items) - wanted)[len(items) - wanted]
        top = similarities >= cut  # with all that equal the last one, so that equals are told apart by their age
        similarities, items = similarities[top], items[top]
    for item, similarity in zip(items.tolist(), similarities.tolist(), strict=True):
        yield Neighbour(item=item, similarity=similarity)
