"""Health: what a look at a database's file tells, without changing anything in it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.kinds import Pending
from store.connect import BUSY_TIMEOUT_S
from store.migrations import MIGRATIONS
from store.scopes import labels_of
from store.transaction import row_of
from store.waiting_rows import ALL_WAITING, waiting_of

SOUND = "ok"
KNOWN_VERSION = len(MIGRATIONS)


@dataclass(frozen=True, kw_only=True)
class StoreHealth:
    """What is in a store.

    Attributes:
        version: Of its tables; a newer Jiyi's cannot be opened.
        items: How many of each kind.
        unindexed: How many items wait for their vectors.
        failed: How many of those could not be embedded when it was tried.
        vectors: How many each embedder has made.
        waiting: Turns that have not been consolidated, oldest first.
        newest: When something was last written.
    """

    version: int
    items: dict[str, int]
    unindexed: int
    failed: int
    vectors: dict[str, int]
    waiting: tuple[Pending, ...]
    newest: datetime | None


def quick_check(path: Path) -> str:
    """Check a database's structure: `ok`, or the first fault.

    Raises:
        sqlite3.Error: It cannot be read at all.
    """
    with _reading(path) as connection:
        return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])


def store_health(path: Path) -> StoreHealth:
    """Look at a store.

    Raises:
        sqlite3.Error: It cannot be read, or is no store of ours.
    """
    with _reading(path) as connection:
        unindexed, failed = connection.execute("SELECT count(*), coalesce(sum(tries > 0), 0) FROM unindexed").fetchone()
        (newest,) = connection.execute("SELECT max(updated_at) FROM items").fetchone()
        return StoreHealth(
            version=connection.execute("PRAGMA user_version").fetchone()[0],
            items=_kinds(connection),
            unindexed=unindexed,
            failed=failed,
            vectors=dict(connection.execute("SELECT model, count(*) FROM vectors GROUP BY model ORDER BY model")),
            waiting=_waiting(connection),
            newest=datetime.fromisoformat(newest) if newest else None,
        )


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that must be there, to read only: `store.connect` would make it and tighten its permissions.

    Where there is no log beside it nobody has it open; it is then read as it stands, since SQLite would make a log.
    """
    in_use = path.with_name(f"{path.name}-wal").exists()
    address = f"{path.resolve().as_uri()}?mode=ro{'' if in_use else '&immutable=1'}"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)) as connection:
        yield connection


def _kinds(connection: sqlite3.Connection) -> dict[str, int]:
    found: Counter[str] = Counter()
    for namespace, number in connection.execute("SELECT namespace, count(*) FROM items GROUP BY namespace"):
        found[labels_of(namespace)[-1]] += number
    return dict(sorted(found.items()))


def _waiting(connection: sqlite3.Connection) -> tuple[Pending, ...]:
    connection.row_factory = sqlite3.Row
    rows = connection.execute(ALL_WAITING).fetchall()
    return tuple(one.pending for row in rows if (one := waiting_of(row_of(row))))
