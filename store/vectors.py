"""Vector search: the seam, and exact search over the embeddings that SQLite keeps."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.seams import Vector
from store.database import Database

MAX_CACHED_VECTORS = 100_000


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

        Args:
            query: A vector of unit length, of the model's dimensions.
            model: Only vectors of this embedder are compared.
            scopes: In which partitions.
            among: Only these items; None for all.
            limit: At most so many.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class _Matrix:
    """The vectors of one scope: `rows[i]` (float32, unit length) belongs to item `items[i]`."""

    version: int
    items: NDArray[np.int64]
    rows: NDArray[np.float32]


class ExactIndex:
    """Compares the query with every vector of the scope; each scope is read once per change."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cached: OrderedDict[tuple[int, str], _Matrix] = OrderedDict()

    async def nearest(
        self, query: Vector, *, model: str, scopes: Sequence[int], among: Collection[int] | None, limit: int
    ) -> list[Neighbour]:
        """Search all vectors of the scopes."""
        matrices = await self._database.read(lambda connection: self._fresh(connection, scopes, model))
        best = _best(matrices, np.asarray(query, dtype=np.float32), among)
        ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return [Neighbour(item=item, similarity=similarity) for item, similarity in ranked]

    def _fresh(self, connection: sqlite3.Connection, scopes: Sequence[int], model: str) -> list[_Matrix]:
        return [self._matrix(connection, scope, model) for scope in scopes]

    def _matrix(self, connection: sqlite3.Connection, scope: int, model: str) -> _Matrix:
        row = connection.execute("SELECT version FROM scopes WHERE id = ?", (scope,)).fetchone()
        version = int(row[0]) if row else 0
        cached = self._cached.get((scope, model))
        if cached is None or cached.version != version:
            cached = _read_matrix(connection, scope, model, version)
            self._cached[scope, model] = cached
        self._cached.move_to_end((scope, model))
        self._shrink()
        return cached

    def _shrink(self) -> None:
        held = sum(len(matrix.items) for matrix in self._cached.values())
        while held > MAX_CACHED_VECTORS and len(self._cached) > 1:
            _, dropped = self._cached.popitem(last=False)
            held -= len(dropped.items)


def to_blob(vector: Vector) -> bytes:
    """Write a vector as little-endian float32."""
    return np.asarray(vector, dtype="<f4").tobytes()


def _read_matrix(connection: sqlite3.Connection, scope: int, model: str, version: int) -> _Matrix:
    rows = connection.execute(
        "SELECT vectors.item, vectors.embedding FROM items JOIN vectors ON vectors.item = items.id "
        "WHERE items.scope = ? AND vectors.model = ?",
        (scope, model),
    ).fetchall()
    items = np.array([row[0] for row in rows], dtype=np.int64)
    if not rows:
        return _Matrix(version=version, items=items, rows=np.empty((0, 0), dtype=np.float32))
    joined = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4")
    return _Matrix(version=version, items=items, rows=joined.reshape(len(rows), -1))


def _best(matrices: Sequence[_Matrix], query: NDArray[np.float32], among: Collection[int] | None) -> dict[int, float]:
    best: dict[int, float] = {}
    for matrix in matrices:
        if not len(matrix.items):
            continue
        similarities = matrix.rows @ query
        for item, similarity in zip(matrix.items.tolist(), similarities.tolist(), strict=True):
            if (among is None or item in among) and similarity > best.get(item, -2.0):
                best[item] = similarity
    return best
