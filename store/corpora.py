"""Corpora: what one namespace holds, ready for ranking; kept between questions, and brought up to date before each."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.ranking.corpus import Corpus, Said, corpus_of
from store.database import Database
from store.scopes import path_of

MOST_KEPT_ROWS = 50_000


@dataclass(frozen=True, kw_only=True)
class _Stamp:
    """What differs when something was added, removed or said otherwise."""

    items: int
    newest: int
    letters: int


@dataclass(frozen=True, kw_only=True)
class _Kept:
    stamp: _Stamp
    corpus: Corpus


class Corpora:
    """Gives the corpora of episodes by their namespaces; of each item the terms are found once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def corpus(self, namespace: Sequence[str], *, most: int) -> Corpus | None:
        """Give everything that was said in a namespace, as it is now; None, and nothing is read, where that is more than `most`."""
        path = path_of(namespace)
        known = self._kept.get(path)
        stamp, said = await self._database.read(
            lambda connection: _read(connection, path, known.stamp if known else None, most)
        )
        if stamp.items > most:
            self._kept.pop(path, None)
            return None
        if said is not None:
            corpus = await asyncio.to_thread(corpus_of, said, known.corpus if known else None)
            known = self._kept[path] = _Kept(stamp=stamp, corpus=corpus)
        if known is None:
            raise AssertionError("what was never read is always read")
        self._kept.move_to_end(path)
        self._shrink()
        return known.corpus

    def _shrink(self) -> None:
        while len(self._kept) > 1 and sum(len(one.corpus) for one in self._kept.values()) > MOST_KEPT_ROWS:
            self._kept.popitem(last=False)


def _read(
    connection: sqlite3.Connection, path: str, known: _Stamp | None, most: int
) -> tuple[_Stamp, list[Said] | None]:
    """Read what was said; None where it is as it was, or too much."""
    row = connection.execute(
        "SELECT count(*), coalesce(max(id), 0), coalesce(sum(length(json_extract(value, '$.text'))), 0) "
        "FROM items WHERE namespace = ?",
        (path,),
    ).fetchone()
    stamp = _Stamp(items=row[0], newest=row[1], letters=row[2])
    if stamp == known or stamp.items > most:
        return stamp, None
    rows = connection.execute(
        "SELECT id, json_extract(value, '$.text'), json_extract(value, '$.speaker'), json_extract(value, '$.thread_id'), "
        "json_extract(value, '$.position'), json_extract(value, '$.said_at'), json_extract(value, '$.turn_id') FROM items WHERE namespace = ?",
        (path,),
    )
    return stamp, [_said(*row) for row in rows]


def _said(
    item: int,
    text: str | None,
    speaker: str | None,
    thread: str | None,
    position: int | None,
    at: str | None,
    turn: str | None,
) -> Said:
    return Said(
        item=item,
        text=text or "",
        speaker=speaker or "",
        thread=thread or "",
        position=position or 0,
        said_at=datetime.fromisoformat(at).timestamp() if at else None,
        turn=turn or "",
    )
