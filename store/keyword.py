"""Keyword search: FTS5 over words that we split ourselves, each under its scope."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from memory.words import query_words_of, words_of
from store.filters import Condition

MAX_QUERY_WORDS = 64
SCOPE_MARK = "~"


@dataclass(frozen=True, kw_only=True)
class KeywordHit:
    """An item in which words of the query stand; `bm25` is above 0 and higher is better."""

    item: int
    bm25: float


def index_words(connection: sqlite3.Connection, *, item: int, scope: int, text: str) -> None:
    """Write the words of an item's text in place of what was there."""
    forget_words(connection, item=item)
    if body := " ".join(f"{scope}{SCOPE_MARK}{word}" for word in words_of(text)):
        connection.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (item, body))


def forget_words(connection: sqlite3.Connection, *, item: int) -> None:
    """Take an item out of the keyword index."""
    connection.execute("DELETE FROM words WHERE rowid = ?", (item,))


def match_expression(query: str, scopes: Sequence[int]) -> str:
    """Write the FTS5 query: any of the words, in any of the scopes; every word quoted, so none is syntax."""
    asked = query_words_of(query)[:MAX_QUERY_WORDS]
    quoted = ('"' + f"{scope}{SCOPE_MARK}{word}".replace('"', '""') + '"' for scope in scopes for word in asked)
    return " OR ".join(quoted)


def keyword_search(
    connection: sqlite3.Connection, *, query: str, scopes: Sequence[int], where: Condition, limit: int
) -> list[KeywordHit]:
    """Find the items in which the query's words stand, best first.

    Args:
        connection: Inside a transaction.
        query: Plain user text; none of it is query syntax.
        scopes: In which partitions.
        where: A condition over `items`, applied before the limit.
        limit: At most so many.
    """
    expression = match_expression(query, scopes)
    if not expression:
        return []
    rows = connection.execute(
        "SELECT items.id AS item, -bm25(words) AS bm25 FROM words JOIN items ON items.id = words.rowid "
        f"WHERE words MATCH ? AND {where.sql} ORDER BY bm25 DESC, items.id LIMIT ?",
        (expression, *where.parameters, limit),
    )
    return [KeywordHit(item=int(row["item"]), bm25=max(float(row["bm25"]), 1e-9)) for row in rows]
