"""Embedders in the database: whose vectors there are, which one is wanted, and what still waits for it."""

from __future__ import annotations

import sqlite3

BITE_ITEMS = 500


def want(connection: sqlite3.Connection, name: str) -> int:
    """Make an embedder the wanted one; give how many items wait for its vectors because it was another before.

    What it has embedded in an earlier time stays good, so that going back and forth repeats nothing.
    """
    if waits_for(connection, name):
        return 0
    first = not names(connection)
    connection.execute("UPDATE embedders SET wanted = 0")
    connection.execute(
        "INSERT INTO embedders (name, wanted) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET wanted = 1", (name,)
    )
    connection.execute("DELETE FROM unindexed")
    waiting = connection.execute(
        "INSERT INTO unindexed (item) SELECT item FROM searched "
        "WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.item = searched.item AND vectors.model = ?)",
        (name,),
    )
    return 0 if first else waiting.rowcount


def waits_for(connection: sqlite3.Connection, name: str) -> bool:
    """Tell whether what waits waits for this embedder."""
    return name == wanted(connection)


def left_to_others(connection: sqlite3.Connection, name: str) -> int:
    """Count what waits for another embedder than this; 0 where this is the wanted one."""
    if waits_for(connection, name):
        return 0
    (left,) = connection.execute("SELECT count(*) FROM unindexed").fetchone()
    return int(left)


def wanted(connection: sqlite3.Connection) -> str | None:
    """Name the embedder that all items shall have vectors of; None before the first."""
    row = connection.execute("SELECT name FROM embedders WHERE wanted").fetchone()
    return str(row[0]) if row else None


def names(connection: sqlite3.Connection) -> list[str]:
    """Name all embedders whose vectors there may be, the wanted one last."""
    return [str(row[0]) for row in connection.execute("SELECT name FROM embedders ORDER BY wanted, name")]


def others_are_left(connection: sqlite3.Connection, name: str) -> bool:
    """Tell whether there are others, and nothing waits for the wanted one, so that the others are of no use."""
    if not waits_for(connection, name):
        return False
    (left,) = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM embedders WHERE NOT wanted) AND NOT EXISTS (SELECT 1 FROM unindexed)"
    ).fetchone()
    return bool(left)


def drop_others(connection: sqlite3.Connection, name: str, *, after: int) -> tuple[int, int]:
    """Drop the vectors of other embedders from the next items; give the last of these items and how many had some.

    After the last item the names of the others go too.
    """
    if not others_are_left(connection, name):
        return after, 0
    (last,) = connection.execute(
        "SELECT max(id) FROM (SELECT id FROM items WHERE id > ? ORDER BY id LIMIT ?)", (after, BITE_ITEMS)
    ).fetchone()
    if last is None:
        connection.execute("DELETE FROM embedders WHERE NOT wanted")
        return after, 0
    inside = "item > ? AND item <= ? AND model != ?"
    (had,) = connection.execute(
        f"SELECT count(DISTINCT item) FROM vectors WHERE {inside}", (after, last, name)
    ).fetchone()
    connection.execute(f"DELETE FROM vectors WHERE {inside}", (after, last, name))
    return int(last), int(had)
