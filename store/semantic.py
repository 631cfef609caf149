"""Search by meaning: how near each item is to a query, by every embedder that there are vectors of."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence

from memory.fusion import semantic_score
from memory.seams import Embedder, EmbeddingError, Vector
from store.baselines import Baselines
from store.database import Database
from store.embedders import names
from store.filters import Condition
from store.vectors import Neighbour, VectorIndex

log = logging.getLogger(__name__)
FEW = 2_000
DEEPER = 4

EmbedderNamed = Callable[[str], Embedder | None]
"""Makes the embedder under whose name vectors are kept; None where that cannot be done here."""


class SemanticSearch:
    """Compares queries with items, each side embedded by the same model.

    While the items are getting their vectors from another embedder than before, both are asked: what has its new
    vector counts by that, the rest by the old one.
    """

    def __init__(
        self,
        database: Database,
        index: VectorIndex,
        embedder: Embedder,
        *,
        baselines: Baselines,
        others: EmbedderNamed,
    ) -> None:
        self._database = database
        self._index = index
        self._made: dict[str, Embedder | None] = {embedder.name: embedder}
        self._others = others
        self._baselines = baselines

    async def scores(self, text: str, *, where: Condition, scopes: Sequence[int], limit: int) -> dict[int, float]:
        """Give the items that are nearest in meaning with their scores, 0..1; none where no embedder answers."""
        scores: dict[int, float] = {}
        for name in await self._database.read(names):  # the wanted one last: its scores replace the others'
            embedder = self._embedder(name)
            if embedder is not None:
                scores |= await self._by(embedder, text, where=where, scopes=scopes, limit=limit)
        return scores

    def _embedder(self, name: str) -> Embedder | None:
        if name not in self._made:
            self._made[name] = self._others(name)
        return self._made[name]

    async def _by(
        self, embedder: Embedder, text: str, *, where: Condition, scopes: Sequence[int], limit: int
    ) -> dict[int, float]:
        try:
            (vector,) = await embedder.embed_queries([text])
            near = await self._near(vector, embedder.name, where=where, scopes=scopes, limit=limit)
            baseline = await self._baselines.of(embedder, vector) if near else None
        except EmbeddingError as error:
            log.warning("Searching without the vectors of %s: %s", embedder.name, error)
            return {}
        return {one.item: semantic_score(one.similarity, baseline) for one in near} if baseline else {}

    async def _near(
        self, vector: Vector, model: str, *, where: Condition, scopes: Sequence[int], limit: int
    ) -> list[Neighbour]:
        """Find the nearest that meet the condition: among those few that do, or by looking deeper until they suffice."""
        few = await self._database.read(lambda connection: _first(connection, where, FEW + 1))
        if len(few) <= FEW:
            return await self._index.nearest(vector, model=model, scopes=scopes, among=few, limit=limit)
        depth = limit + limit // 2  # other kinds of memories stand between
        while True:
            near = await self._index.nearest(vector, model=model, scopes=scopes, among=None, limit=depth)
            fit = await self._fitting(near, where)
            if len(fit) >= limit or len(near) < depth:
                return fit[:limit]
            depth *= DEEPER

    async def _fitting(self, near: Sequence[Neighbour], where: Condition) -> list[Neighbour]:
        ids = [one.item for one in near]
        fit = await self._database.read(lambda connection: _meeting(connection, ids, where))
        return [one for one in near if one.item in fit]


def _first(connection: sqlite3.Connection, where: Condition, limit: int) -> list[int]:
    rows = connection.execute(f"SELECT id FROM items WHERE {where.sql} LIMIT ?", (*where.parameters, limit))
    return [int(row[0]) for row in rows]


def _meeting(connection: sqlite3.Connection, ids: Sequence[int], where: Condition) -> set[int]:
    marks = ", ".join("?" for _ in ids)
    rows = connection.execute(f"SELECT id FROM items WHERE id IN ({marks}) AND {where.sql}", (*ids, *where.parameters))
    return {int(row[0]) for row in rows}
