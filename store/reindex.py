"""Reindex: make everything that is derived from the items anew: their words, missing vectors, Chroma's collections."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from store.chroma import collections
from store.chroma.index import ChromaIndex
from store.keyword import index_words
from store.memory_store import MemoryStore

BITE_ITEMS = 200

Told = Callable[[int], None]
"""Is told how many more items were done."""


@dataclass(frozen=True, kw_only=True)
class VectorsMade:
    """How many items got vectors, and how many still have none because they could not be embedded."""

    made: int
    missing: int


@dataclass(frozen=True, kw_only=True)
class CollectionsMade:
    """How many partitions Chroma holds, and who fills them: this process, or another that owns the index."""

    partitions: int
    by_another: bool


async def count_searched(store: MemoryStore) -> int:
    """Count the items that are found by text."""
    return await store.database.read(
        lambda connection: int(connection.execute("SELECT count(*) FROM searched").fetchone()[0])
    )


async def rewrite_words(store: MemoryStore, told: Told) -> int:
    """Write the keyword index anew, some items at a time while others go on; give how many items that were."""
    done, after = 0, 0
    while True:
        last, number = await store.database.write(partial(_rewrite_some, after=after))
        if last is None:
            await store.database.write(_forget_strays)
            return done
        after, done = last, done + number
        told(number)


async def missing_vectors(store: MemoryStore) -> int:
    """Count the items without vectors of the wanted embedder, and see that each of them waits for its own."""
    if store.embedder is None:
        return 0
    return await store.database.write(partial(_queue_missing, model=store.embedder.name))


async def make_vectors(store: MemoryStore, told: Told) -> VectorsMade:
    """Embed what waits, and drop what other embedders have left when nothing waits any more."""
    made = 0
    while done := await store.indexer.catch_up(limit=1):
        made += done
        told(done)
    await store.indexer.tidy_up()
    return VectorsMade(made=made, missing=await missing_vectors(store))


async def make_collections(store: MemoryStore) -> CollectionsMade:
    """Let Chroma's collections be made anew from the vectors, here or by the process that owns the index.

    Raises:
        ChromaError: Chroma cannot do it.
    """
    if not isinstance(store.index, ChromaIndex):
        return CollectionsMade(partitions=0, by_another=False)
    keeper = store.index.keeper
    await store.database.write(_forget_collections)
    mine = await keeper.owns()
    if mine:
        await keeper.keep_or_raise()
    known = await store.database.read(collections.known)
    return CollectionsMade(partitions=len(known), by_another=not mine)


def _rewrite_some(connection: sqlite3.Connection, *, after: int) -> tuple[int | None, int]:
    rows = connection.execute(
        "SELECT item, texts, scope FROM searched JOIN items ON items.id = item WHERE item > ? ORDER BY item LIMIT ?",
        (after, BITE_ITEMS),
    ).fetchall()
    for item, texts, scope in rows:
        index_words(connection, item=item, scope=scope, text="\n".join(json.loads(texts)))
    return (rows[-1]["item"] if rows else None), len(rows)


def _forget_strays(connection: sqlite3.Connection) -> None:
    """Take words out of the index that belong to nothing."""
    connection.execute("DELETE FROM words WHERE rowid NOT IN (SELECT item FROM searched)")


def _queue_missing(connection: sqlite3.Connection, *, model: str) -> int:
    connection.execute(
        "INSERT OR IGNORE INTO unindexed (item) SELECT item FROM searched "
        "WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.item = searched.item AND vectors.model = ?)",
        (model,),
    )
    return int(connection.execute("SELECT count(*) FROM unindexed").fetchone()[0])


def _forget_collections(connection: sqlite3.Connection) -> None:
    for one in collections.known(connection):
        collections.forget(connection, one.scope, one.model)
