"""Scopes and namespaces in SQL: how a path of labels is written, found by prefix, and partitioned."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from store.filters import Condition

SCOPE_LABELS = 2


def path_of(namespace: Sequence[str]) -> str:
    """Write a namespace as one string; labels hold no dots, so segments stay whole."""
    return ".".join(namespace) + "."


def labels_of(path: str) -> tuple[str, ...]:
    """Give back the labels that `path_of` joined."""
    return tuple(path[:-1].split("."))


def under(prefix: Sequence[str]) -> Condition:
    """Match what lies in a namespace or below it, by whole segments."""
    if not prefix:
        return Condition(sql="1")
    low = path_of(prefix)
    return Condition(sql="(namespace >= ? AND namespace < ?)", parameters=(low, low[:-1] + "/"))


def scope_label(namespace: Sequence[str]) -> str:
    """Say which partition a namespace belongs to: its first two labels (a user, an agent, a collection)."""
    return path_of(namespace[:SCOPE_LABELS])


def scope_id(connection: sqlite3.Connection, namespace: Sequence[str]) -> int:
    """Give the partition's number, making it when it is new."""
    row = connection.execute(
        "INSERT INTO scopes (label) VALUES (?) ON CONFLICT (label) DO UPDATE SET label = excluded.label RETURNING id",
        (scope_label(namespace),),
    ).fetchone()
    return int(row[0])


def scopes_under(connection: sqlite3.Connection, prefix: Sequence[str]) -> list[int]:
    """List the partitions in which something of this prefix can lie."""
    if len(prefix) >= SCOPE_LABELS:
        rows = connection.execute("SELECT id FROM scopes WHERE label = ?", (scope_label(prefix),))
    elif prefix:
        low = path_of(prefix)
        rows = connection.execute("SELECT id FROM scopes WHERE label >= ? AND label < ?", (low, low[:-1] + "/"))
    else:
        rows = connection.execute("SELECT id FROM scopes")
    return [int(row[0]) for row in rows]
