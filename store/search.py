"""Hybrid search: candidates by keyword and by meaning, fused, filtered before any limit."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.fusion import Fused, fuse, lexical_score, lexical_weight, rarity
from memory.words import query_words_of
from store.database import Database
from store.filters import Condition, condition_of
from store.keyword import MAX_QUERY_WORDS, SCOPE_MARK, keyword_search
from store.scopes import scopes_under, under
from store.semantic import SemanticSearch
from store.transaction import Row, row_of

CANDIDATES = 200


@dataclass(frozen=True, kw_only=True)
class Found:
    """An item that fits a query, with the parts of its score (each 0..1)."""

    row: Row
    fused: Fused


@dataclass(frozen=True, kw_only=True)
class Query:
    """What is searched for: below which prefix, with which filter, in which words, until when things live."""

    prefix: tuple[str, ...]
    text: str
    wanted: Mapping[str, Any] | None
    now: float
    limit: int

    def where(self) -> Condition:
        """Give the condition that an item must meet to be a candidate."""
        place, wanted = under(self.prefix), condition_of(self.wanted)
        return Condition(
            sql=f"{place.sql} AND {wanted.sql} AND (expires_at IS NULL OR expires_at > ?)",
            parameters=(*place.parameters, *wanted.parameters, self.now),
        )


class HybridSearch:
    """Searches one database by keyword, and by meaning where there is an embedder."""

    def __init__(self, database: Database, semantic: SemanticSearch | None) -> None:
        self._database = database
        self._semantic = semantic

    async def search(self, query: Query) -> list[Found]:
        """Find the items that fit best, best first.

        Raises:
            FilterError: The filter cannot be understood.
        """
        candidates = max(CANDIDATES, query.limit)
        scopes, asked, lexical = await self._database.read(lambda connection: _lexical(connection, query, candidates))
        semantic: dict[int, float] = {}
        if self._semantic is not None:
            semantic = await self._semantic.scores(query.text, where=query.where(), scopes=scopes, limit=candidates)
        ranked = fuse(lexical, semantic, weight=lexical_weight(asked))[: query.limit]
        rows = await self._database.read(lambda connection: _rows(connection, [one.item for one in ranked]))
        return [Found(row=rows[one.item], fused=one) for one in ranked if one.item in rows]


def all_matching(connection: sqlite3.Connection, query: Query) -> set[int]:
    """Give the ids of all items that meet a query's condition."""
    where = query.where()
    rows = connection.execute(f"SELECT id FROM items WHERE {where.sql}", where.parameters)
    return {int(row["id"]) for row in rows}


def first_fitting(connection: sqlite3.Connection, order: Sequence[int], query: Query) -> list[Row]:
    """Read the first of some items, in their order, that meet a query's condition, until there are as many as it wants."""
    where, step = query.where(), max(CANDIDATES, query.limit)
    found: list[sqlite3.Row] = []
    for start in range(0, len(order), step):
        some = order[start : start + step]
        marks = ", ".join("?" for _ in some)
        rows = connection.execute(
            f"SELECT * FROM items WHERE id IN ({marks}) AND {where.sql}", (*some, *where.parameters)
        )
        fit = {int(row["id"]): row for row in rows}
        found.extend(fit[item] for item in some if item in fit)
        if len(found) >= query.limit:
            break
    return [row_of(row) for row in found[: query.limit]]


def _lexical(
    connection: sqlite3.Connection, query: Query, candidates: int
) -> tuple[list[int], dict[str, float], dict[int, float]]:
    scopes = scopes_under(connection, query.prefix)
    hits = keyword_search(
        connection,
        query=query.text,
        scopes=scopes,
        where=query.where(),
        limit=candidates,
    )
    asked = _rarities(connection, query_words_of(query.text)[:MAX_QUERY_WORDS], scopes)
    texts = _bodies(connection, [hit.item for hit in hits])
    return scopes, asked, {item: lexical_score(asked, words) for item, words in texts.items()}


def _rarities(connection: sqlite3.Connection, asked: Sequence[str], scopes: Sequence[int]) -> dict[str, float]:
    documents = sum(_count_items(connection, scope) for scope in scopes)
    return {
        word: rarity(documents=documents, with_word=min(_count_word(connection, word, scopes), documents))
        for word in asked
    }


def _count_items(connection: sqlite3.Connection, scope: int) -> int:
    (count,) = connection.execute("SELECT count(*) FROM items WHERE scope = ?", (scope,)).fetchone()
    return int(count)


def _count_word(connection: sqlite3.Connection, word: str, scopes: Sequence[int]) -> int:
    marks = ", ".join("?" for _ in scopes)
    (count,) = connection.execute(
        f"SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term IN ({marks})",
        [f"{scope}{SCOPE_MARK}{word}" for scope in scopes],
    ).fetchone()
    return int(count)


def _bodies(connection: sqlite3.Connection, items: Sequence[int]) -> dict[int, list[str]]:
    marks = ", ".join("?" for _ in items)
    rows = connection.execute(f"SELECT rowid, body FROM words WHERE rowid IN ({marks})", list(items))
    return {int(row["rowid"]): [word.partition(SCOPE_MARK)[2] for word in row["body"].split(" ")] for row in rows}


def _rows(connection: sqlite3.Connection, items: Sequence[int]) -> dict[int, Row]:
    marks = ", ".join("?" for _ in items)
    rows = connection.execute(f"SELECT * FROM items WHERE id IN ({marks})", list(items))
    return {int(row["id"]): row_of(row) for row in rows}
