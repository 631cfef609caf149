"""Inside one transaction: what a pure function may read and write of the store."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from store.filters import EVERYTHING, Condition, condition_of
from store.keyword import forget_words, index_words
from store.scopes import path_of, scope_id, under

KEY_BYTES = 32
Field = Literal["key", "turn_id"]
"""Fields that an index finds items by."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """An item as it is kept; times are ISO 8601 in UTC."""

    id: int
    namespace: str
    key: str
    value: dict[str, Any]
    created_at: str
    updated_at: str
    ttl_minutes: float | None


class Transaction:
    """Reads and writes that are kept together or not at all; `now` is the time of all of them."""

    def __init__(self, connection: sqlite3.Connection, *, now: datetime) -> None:
        self.connection = connection
        self.now = now

    def get(self, namespace: Sequence[str], key: str) -> Row | None:
        """Read one item; None when there is none or it has expired."""
        row = self.connection.execute(
            f"SELECT * FROM items WHERE namespace = ? AND key = ? AND {self._alive()}",
            (path_of(namespace), key),
        ).fetchone()
        return row_of(row) if row else None

    def find(self, prefix: Sequence[str], wanted: Mapping[str, Any] | None = None) -> list[Row]:
        """Read all items under a prefix that match a filter, oldest first."""
        return list(self._select(prefix, condition_of(wanted)))

    def held_under(self, namespace: Sequence[str], fact_key: str) -> list[Row]:
        """Read the items of one namespace whose value has this `key` (facts, evidence), oldest first."""
        rows = self.connection.execute(
            "SELECT * FROM items WHERE namespace = ? AND json_extract(value, '$.key') = ? ORDER BY id",
            (path_of(namespace), fact_key),
        )
        return [row_of(row) for row in rows]

    def of_turn(self, namespace: Sequence[str], turn_id: str) -> list[Row]:
        """Read the items of one namespace that belong to a turn, oldest first."""
        rows = self.connection.execute(
            "SELECT * FROM items WHERE namespace = ? AND json_extract(value, '$.turn_id') = ? ORDER BY id",
            (path_of(namespace), turn_id),
        )
        return [row_of(row) for row in rows]

    def having(
        self, namespace: Sequence[str], field: Field, values: Iterable[str], condition: Condition = EVERYTHING
    ) -> list[Row]:
        """Read the items of one namespace whose value has one of these in a field and meets a condition, oldest first."""
        rows = self.connection.execute(
            f"SELECT * FROM items WHERE namespace = ? AND json_extract(value, '$.{field}') "
            f"IN (SELECT value FROM json_each(?)) AND {condition.sql} ORDER BY id",
            (path_of(namespace), json.dumps(list(values)), *condition.parameters),
        )
        return [row_of(row) for row in rows]

    def put(
        self,
        namespace: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        texts: Sequence[str] = (),
        ttl_minutes: float | None = None,
    ) -> int:
        """Write an item; `created_at` of one that was there stays.

        Args:
            namespace: Where.
            key: Under which key.
            value: JSON values.
            texts: What it is found by: one vector each, and all their words; empty: it is not searched.
            ttl_minutes: When it expires after the last write or refreshed read; None for never.

        Raises:
            TypeError: The value cannot be written as JSON; nothing was written.
        """
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        at = self.now.isoformat()
        scope = scope_id(self.connection, namespace)
        (item,) = self.connection.execute(
            "INSERT INTO items (namespace, key, value, scope, created_at, updated_at, ttl_minutes, expires_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, "
            "updated_at = excluded.updated_at, ttl_minutes = excluded.ttl_minutes, "
            "expires_at = excluded.expires_at RETURNING id",
            (path_of(namespace), key, written, scope, at, at, ttl_minutes, self._expiry(ttl_minutes)),
        ).fetchone()
        self._index(int(item), scope, [text for text in texts if text.strip()])
        return int(item)

    def change(self, row: Row, value: Mapping[str, Any]) -> None:
        """Write another value whose searched text is the same (flags, counts, links)."""
        self.connection.execute(
            "UPDATE items SET value = ?, updated_at = ? WHERE id = ?",
            (json.dumps(value, ensure_ascii=False, allow_nan=False), self.now.isoformat(), row.id),
        )

    def delete(self, namespace: Sequence[str], key: str) -> bool:
        """Remove an item with its words and vectors; tell whether it was there."""
        row = self.connection.execute(
            "SELECT id FROM items WHERE namespace = ? AND key = ?", (path_of(namespace), key)
        ).fetchone()
        if row is None:
            return False
        forget_words(self.connection, item=int(row[0]))
        self.connection.execute("DELETE FROM items WHERE id = ?", (row[0],))
        return True

    def user_key(self, user: str) -> bytes:
        """Give the user's secret key for keyed ids, made at first use."""
        self.connection.execute(
            "INSERT INTO user_keys (user, key) VALUES (?, ?) ON CONFLICT (user) DO NOTHING",
            (user, secrets.token_bytes(KEY_BYTES)),
        )
        (key,) = self.connection.execute("SELECT key FROM user_keys WHERE user = ?", (user,)).fetchone()
        return bytes(key)

    def user_key_or_blank(self, user: str) -> bytes:
        """Give the user's secret key, blank where nothing was ever written of them; reads only."""
        row = self.connection.execute("SELECT key FROM user_keys WHERE user = ?", (user,)).fetchone()
        return bytes(row[0]) if row else b""

    def count_refusal(self, user: str, reason: str) -> None:
        """Count what the gate turned away, by reason; the words themselves are not kept."""
        self.connection.execute(
            "INSERT INTO refusals (user, reason, count) VALUES (?, ?, 1) "
            "ON CONFLICT (user, reason) DO UPDATE SET count = count + 1",
            (user, reason),
        )

    def refusals(self, user: str) -> dict[str, int]:
        """Give how often each reason turned something away."""
        rows = self.connection.execute("SELECT reason, count FROM refusals WHERE user = ?", (user,))
        return {str(row["reason"]): int(row["count"]) for row in rows}

    def audit(self, *, actor: str, action: str, subject: str, kind: str, item: str) -> None:
        """Append a line to the audit log: who did what to which item; never its text."""
        self.connection.execute(
            "INSERT INTO audit (at, actor, action, subject, kind, item) VALUES (?, ?, ?, ?, ?, ?)",
            (self.now.isoformat(), actor, action, subject, kind, item),
        )

    def sweep(self) -> int:
        """Remove what has expired; give how many items that were."""
        rows = self.connection.execute(
            "SELECT id FROM items WHERE expires_at IS NOT NULL AND expires_at <= ?", (self.now.timestamp(),)
        ).fetchall()
        for (item,) in rows:
            forget_words(self.connection, item=int(item))
            self.connection.execute("DELETE FROM items WHERE id = ?", (item,))
        return len(rows)

    def refresh(self, rows: Sequence[Row]) -> None:
        """Start the items' time to live anew."""
        for row in rows:
            self.connection.execute(
                "UPDATE items SET expires_at = ? WHERE id = ?", (self._expiry(row.ttl_minutes), row.id)
            )

    def _select(self, prefix: Sequence[str], condition: Condition) -> Iterator[Row]:
        where = under(prefix)
        rows = self.connection.execute(
            f"SELECT * FROM items WHERE {where.sql} AND {condition.sql} AND {self._alive()} ORDER BY id",
            (*where.parameters, *condition.parameters),
        )
        return (row_of(row) for row in rows)

    def _index(self, item: int, scope: int, texts: Sequence[str]) -> None:
        index_words(self.connection, item=item, scope=scope, text="\n".join(texts))
        self.connection.execute("DELETE FROM vectors WHERE item = ?", (item,))
        self.connection.execute("DELETE FROM searched WHERE item = ?", (item,))
        self.connection.execute("DELETE FROM unindexed WHERE item = ?", (item,))
        if texts:
            written = json.dumps(list(texts), ensure_ascii=False)
            self.connection.execute("INSERT INTO searched (item, texts) VALUES (?, ?)", (item, written))
            self.connection.execute("INSERT INTO unindexed (item) VALUES (?)", (item,))

    def _alive(self) -> str:
        return f"(expires_at IS NULL OR expires_at > {self.now.timestamp():.6f})"

    def _expiry(self, ttl_minutes: float | None) -> float | None:
        if ttl_minutes is None:
            return None
        return (self.now + timedelta(minutes=ttl_minutes)).timestamp()


def row_of(row: sqlite3.Row) -> Row:
    """Read a row of `items`."""
    return Row(
        id=int(row["id"]),
        namespace=row["namespace"],
        key=row["key"],
        value=json.loads(row["value"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        ttl_minutes=row["ttl_minutes"],
    )
