"""Indexing: give waiting items their vectors, outside any transaction, and again when it failed."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from memory.seams import Embedder, EmbeddingError, Vector
from store.background import logged
from store.database import Database
from store.errors import DimensionError
from store.vectors import to_blob

log = logging.getLogger(__name__)
BATCH_ITEMS = 32
RETRY_S = 15.0


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """An item without its vectors, and the texts (as JSON) they are made from."""

    item: int
    texts: str


class Indexer:
    """Embeds what waits in `unindexed`: at once after a write, and later for what failed then.

    Two processes may do the same work; a vector is kept only while the item still has the text it was made from.
    """

    def __init__(self, database: Database, embedder: Embedder | None) -> None:
        self._database = database
        self._embedder = embedder
        self._turn = asyncio.Lock()

    async def catch_up(self, *, limit: int | None = None) -> int:
        """Embed what waits; give how many items were indexed.

        A failing embedder is logged, not raised: the items stay, are found by keyword and tried again.
        """
        if self._embedder is None:
            return 0
        done = 0
        async with self._turn:
            while limit is None or done < limit:
                indexed = await self._bite(self._embedder)
                done += indexed
                if indexed < BATCH_ITEMS:
                    break
        return done

    async def keep_up(self) -> None:
        """Run until cancelled: try again, now and then, what could not be embedded."""
        while True:
            await asyncio.sleep(RETRY_S)
            await logged(self.catch_up(), "index what waits", log=log)

    async def _bite(self, embedder: Embedder) -> int:
        waiting = await self._database.read(_waiting)
        if not waiting:
            return 0
        texts = [text for one in waiting for text in json.loads(one.texts)]
        try:
            vectors = await _one_each(embedder, texts)
        except EmbeddingError as error:
            log.warning("Kept %d items without vectors, found by keyword until later: %s", len(waiting), error)
            await self._database.write(lambda connection: _count_try(connection, waiting))
            return 0
        _check(embedder, vectors)
        await self._database.write(lambda connection: _keep(connection, embedder.name, waiting, vectors))
        return len(waiting)


def _waiting(connection: sqlite3.Connection) -> list[Waiting]:
    rows = connection.execute("SELECT item, texts FROM unindexed ORDER BY tries, item DESC LIMIT ?", (BATCH_ITEMS,))
    return [Waiting(item=int(row["item"]), texts=row["texts"]) for row in rows]


def _keep(connection: sqlite3.Connection, model: str, waiting: Sequence[Waiting], vectors: Sequence[Vector]) -> None:
    remaining = iter(vectors)
    for one in waiting:
        parts = [next(remaining) for _ in json.loads(one.texts)]
        same = connection.execute("DELETE FROM unindexed WHERE item = ? AND texts = ?", (one.item, one.texts)).rowcount
        if same:
            _write_vectors(connection, one.item, model, parts)


def _write_vectors(connection: sqlite3.Connection, item: int, model: str, parts: Sequence[Vector]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO vectors (item, model, part, embedding) VALUES (?, ?, ?, ?)",
        [(item, model, at, to_blob(vector)) for at, vector in enumerate(parts)],
    )
    connection.execute(
        "UPDATE scopes SET version = version + 1 WHERE id = (SELECT scope FROM items WHERE id = ?)", (item,)
    )


def _count_try(connection: sqlite3.Connection, waiting: Sequence[Waiting]) -> None:
    connection.executemany("UPDATE unindexed SET tries = tries + 1 WHERE item = ?", [(one.item,) for one in waiting])


async def _one_each(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    vectors = await embedder.embed_passages(texts)
    if len(vectors) != len(texts):
        raise EmbeddingError(
            f"Cannot use what embedder {embedder.name!r} gave: {len(vectors)} vectors for {len(texts)} texts."
        )
    return vectors


def _check(embedder: Embedder, vectors: Sequence[Vector]) -> None:
    for vector in vectors:
        if len(vector) != embedder.dimensions:
            raise DimensionError(got=len(vector), expected=embedder.dimensions, model=embedder.name)
