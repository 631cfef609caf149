"""Corpora: what one namespace holds, ready for ranking; kept between questions, and brought up to date before each."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zlib import crc32

from memory.ranking.corpus import Corpus, Said, corpus_of
from store.database import Database
from store.scopes import path_of

MOST_KEPT_ROWS = 50_000
MOST_CHARS = 8_000
"""Of a longer text only the beginning is ranked."""
YEARS = range(2, 9999)
FIELDS = "'$.text', '$.speaker', '$.thread_id', '$.position', '$.said_at', '$.turn_id'"


@dataclass(frozen=True, kw_only=True)
class _Stamp:
    """What differs when something was added, removed or said otherwise; not when it was only used."""

    items: int
    newest: int
    sum: int


@dataclass(frozen=True, kw_only=True)
class _Kept:
    stamp: _Stamp
    corpus: Corpus


class Corpora:
    """Gives the corpora of episodes by their namespaces; of each item the terms are found once."""

    def __init__(self, database: Database, *, most_kept: int = MOST_KEPT_ROWS) -> None:
        self._database = database
        self._most_kept = most_kept
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def corpus(self, namespace: Sequence[str], *, most: int) -> Corpus | None:
        """Give everything that was said in a namespace, as it is now; None, and nothing is read, where that is more than `most`."""
        path = path_of(namespace)
        known = self._kept.get(path)
        stamp, said = await self._database.read(lambda connection: _read(connection, path, known, most))
        if stamp.items > most:
            self._kept.pop(path, None)
            return None
        if said is not None:
            corpus = await asyncio.to_thread(corpus_of, said, known.corpus if known else None)
            known = self._kept[path] = _Kept(stamp=stamp, corpus=corpus)
        if known is None:
            raise AssertionError("what was never read is always read")
        self._kept[path] = known  # another question may have pushed it out meanwhile
        self._kept.move_to_end(path)
        self._shrink()
        return known.corpus

    async def some(self, namespace: Sequence[str], items: Collection[int]) -> Corpus:
        """Give some of what was said in a namespace, however much there is; it is read anew each time."""
        path = path_of(namespace)
        said = await self._database.read(
            lambda connection: [one for one in _all(connection, path) if one.item in items]
        )
        return await asyncio.to_thread(corpus_of, said)

    def _shrink(self) -> None:
        while len(self._kept) > 1 and sum(len(one.corpus) for one in self._kept.values()) > self._most_kept:
            self._kept.popitem(last=False)


def _read(
    connection: sqlite3.Connection, path: str, known: _Kept | None, most: int
) -> tuple[_Stamp, list[Said] | None]:
    """Read what was said; None where it is as it was, or too much. What is known is not read again where only more was said."""
    (items,) = connection.execute("SELECT count(*) FROM items WHERE namespace = ?", (path,)).fetchone()
    if items > most:
        return _Stamp(items=items, newest=0, sum=0), None
    stamp, before = _stamps(connection, path, known.stamp.newest if known else 0)
    if known and stamp == known.stamp:
        return stamp, None
    if known and before == known.stamp:
        return stamp, [*known.corpus.said, *_all(connection, path, after=before.newest)]
    return stamp, _all(connection, path)


def _all(connection: sqlite3.Connection, path: str, *, after: int = 0) -> list[Said]:
    rows = connection.execute(
        f"SELECT id, json_extract(value, {FIELDS}) FROM items WHERE namespace = ? AND id > ?", (path, after)
    )
    return [_said(item, *json.loads(fields)) for item, fields in rows]


def _stamps(connection: sqlite3.Connection, path: str, upto: int) -> tuple[_Stamp, _Stamp]:
    """Sum up what is there, and what of it was there when `upto` was the newest."""
    connection.create_function("crc32", 1, _crc32, deterministic=True)
    sums = connection.execute(
        f"SELECT id, crc32(id || json_extract(value, {FIELDS})) FROM items WHERE namespace = ?", (path,)
    ).fetchall()
    return _stamp(sums), _stamp([(item, own) for item, own in sums if item <= upto])


def _stamp(sums: Sequence[tuple[int, int]]) -> _Stamp:
    return _Stamp(items=len(sums), newest=max((item for item, _ in sums), default=0), sum=sum(own for _, own in sums))


def _said(item: int, text: object, speaker: object, thread: object, position: object, at: object, turn: object) -> Said:
    """Read a row; what was put here through the store's own interface may hold anything."""
    return Said(
        item=item,
        text=_text(text)[:MOST_CHARS],
        speaker=_text(speaker),
        thread=_text(thread),
        position=position if isinstance(position, int) else 0,
        said_at=_seconds(_text(at)),
        turn=_text(turn),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _seconds(at: str) -> float | None:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return known.timestamp() if known.year in YEARS else None


def _crc32(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))
