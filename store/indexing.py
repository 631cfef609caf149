"""Indexing: give waiting items their vectors, outside any transaction, and again when it failed.

The embedder of the process that opened the store last is the wanted one. Where it differs from the one before, every
item waits again for its vectors; those that there are serve until nothing waits any more, and go then.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from memory.seams import Embedder, EmbeddingError, Vector
from store.background import logged
from store.database import Database
from store.embed.failures import AwayError
from store.embedders import drop_others, left_to_others, others_are_left, waits_for, want
from store.vectors import FLOAT_BYTES, to_blob

log = logging.getLogger(__name__)
BATCH_ITEMS = 32
ALONE_FROM_TRIES = 3
RETRY_S = 15.0
NEVER = sys.maxsize


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
        self._wanted = False
        self._length = 0
        self._left_before = NEVER

    async def catch_up(self, *, limit: int | None = None) -> int:
        """Embed what waits; give how many items were indexed.

        A failing embedder is logged, not raised: the items stay, are found by keyword and tried again.
        """
        if self._embedder is None:
            return 0
        done = 0
        async with self._turn:
            await self._make_wanted(self._embedder)
            await self._notice_length(self._embedder, self._embedder.dimensions)
            while limit is None or done < limit:
                indexed = await self._bite(self._embedder)
                if not indexed:
                    break
                done += indexed
        return done

    async def keep_up(self) -> None:
        """Run until cancelled: embed what waits, try again what could not be, and drop what is of no use any more."""
        while True:
            await logged(self.look_after(), "look after the vectors", log=log)
            await asyncio.sleep(RETRY_S)

    async def look_after(self) -> None:
        """Do once what `keep_up` does now and then."""
        await self.catch_up()
        await self._take_over()
        await self.tidy_up()

    async def _take_over(self) -> None:
        """Become the wanted embedder again where another is wanted and nobody embeds with it: its process has ended."""
        if self._embedder is None:
            return
        name = self._embedder.name
        left = await self._database.read(lambda connection: left_to_others(connection, name))
        if left and left >= self._left_before:
            log.info("Nobody embeds with the embedder that is wanted; %s is again.", name)
            self._wanted, left = False, 0
        self._left_before = left or NEVER

    async def tidy_up(self) -> int:
        """Drop the vectors of other embedders once the wanted one has made all of its own; give how many items had some."""
        if self._embedder is None:
            return 0
        name, dropped, after = self._embedder.name, 0, 0
        while await self._database.read(lambda connection: others_are_left(connection, name)):
            after, had = await self._database.write(partial(drop_others, name=name, after=after))
            dropped += had
        if dropped:
            log.info("Everything has its vectors by %s; those of other embedders are gone.", name)
        return dropped

    async def _make_wanted(self, embedder: Embedder) -> None:
        if self._wanted:
            return
        waiting = await self._database.write(lambda connection: want(connection, embedder.name))
        if waiting:
            log.info("The embedder is now %s: %d items get their vectors again, by and by.", embedder.name, waiting)
        self._wanted = True

    async def _bite(self, embedder: Embedder) -> int:
        waiting = await self._database.read(lambda connection: _waiting(connection, embedder.name))
        if not waiting:
            return 0
        try:
            vectors = await _one_each(embedder, [text for one in waiting for text in json.loads(one.texts)])
        except EmbeddingError as error:
            log.warning("Kept %d items without vectors, found by keyword until later: %s", len(waiting), error)
            if not isinstance(error, AwayError):  # then it is not the texts that are at fault
                await self._database.write(lambda connection: _count_try(connection, waiting))
            return 0
        await self._notice_length(embedder, len(vectors[0]))
        await self._database.write(lambda connection: _keep(connection, embedder.name, waiting, vectors))
        return len(waiting)

    async def _notice_length(self, embedder: Embedder, length: int) -> None:
        """Let wait again whose vectors by this embedder are of another length: its model was changed behind its name."""
        if length not in (0, self._length):
            await self._database.write(lambda connection: _wait_again(connection, embedder.name, length=length))
            self._length = length


def _waiting(connection: sqlite3.Connection, model: str) -> list[Waiting]:
    """Give the next items: many at a time, but alone those that have failed in company."""
    if not waits_for(connection, model):
        return []
    (tries,) = connection.execute("SELECT coalesce(min(tries), 0) FROM unindexed").fetchone()
    rows = connection.execute(
        "SELECT item, texts FROM unindexed JOIN searched USING (item) WHERE tries = ? ORDER BY item DESC LIMIT ?",
        (tries, BATCH_ITEMS if tries < ALONE_FROM_TRIES else 1),
    )
    return [Waiting(item=int(row["item"]), texts=row["texts"]) for row in rows]


def _keep(connection: sqlite3.Connection, model: str, waiting: Sequence[Waiting], vectors: Sequence[Vector]) -> None:
    """Write the vectors of those that still have the same texts, unless another embedder has come to be wanted."""
    if not waits_for(connection, model):
        return
    remaining = iter(vectors)
    for one in waiting:
        parts = [next(remaining) for _ in json.loads(one.texts)]
        row = connection.execute("SELECT texts FROM searched WHERE item = ?", (one.item,)).fetchone()
        if row is not None and row["texts"] == one.texts:
            connection.execute("DELETE FROM unindexed WHERE item = ?", (one.item,))
            _write_vectors(connection, one.item, model, parts)


def _wait_again(connection: sqlite3.Connection, model: str, *, length: int) -> None:
    if waits_for(connection, model):
        connection.execute(
            "INSERT OR IGNORE INTO unindexed (item) SELECT DISTINCT item FROM vectors "
            "WHERE model = ? AND length(embedding) != ?",
            (model, FLOAT_BYTES * length),
        )


def _write_vectors(connection: sqlite3.Connection, item: int, model: str, parts: Sequence[Vector]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO vectors (item, model, part, embedding) VALUES (?, ?, ?, ?)",
        [(item, model, at, to_blob(vector)) for at, vector in enumerate(parts)],
    )


def _count_try(connection: sqlite3.Connection, waiting: Sequence[Waiting]) -> None:
    connection.executemany("UPDATE unindexed SET tries = tries + 1 WHERE item = ?", [(one.item,) for one in waiting])


async def _one_each(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    """Embed texts into vectors of one length.

    Raises:
        EmbeddingError: The embedder failed, or gave something else.
    """
    vectors = await embedder.embed_passages(texts)
    lengths = {len(vector) for vector in vectors}
    if len(vectors) != len(texts) or len(lengths) != 1 or 0 in lengths:
        raise EmbeddingError(
            f"Cannot use what embedder {embedder.name!r} gave for {len(texts)} texts: {len(vectors)} vectors of "
            f"{sorted(lengths)} numbers. One vector a text is needed, all of one length."
        )
    return vectors
