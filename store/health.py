"""Health: what a look at a database's file tells, without changing anything in it."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from memory.kinds import Pending
from store.connect import BUSY_TIMEOUT_S
from store.migrations import MIGRATIONS
from store.scopes import labels_of
from store.transaction import row_of
from store.waiting_rows import ALL_WAITING, waiting_of

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SOUND = "ok"
LOG, LOG_INDEX = "-wal", "-shm"
KNOWN_VERSION = len(MIGRATIONS)


@dataclass(frozen=True, kw_only=True)
class CollectionHealth:
    """One collection of the vector index.

    Attributes:
        scope: What it holds: a user's, an agent's or a knowledge collection's label.
        model: The embedder whose vectors it holds.
        vectors: How many it is to hold.
        ready: It has held all of them; one that is being built has not.
    """

    scope: str
    model: str
    vectors: int
    ready: bool


@dataclass(frozen=True, kw_only=True)
class StoreHealth:
    """What is in a store.

    Attributes:
        version: Of its tables; a newer Jiyi's cannot be opened.
        items: How many of each kind.
        unindexed: How many items wait for their vectors.
        failed: How many of those could not be embedded when it was tried.
        vectors: How many each embedder has made.
        collections: What the vector index is to hold.
        queued: How many vectors' changes the vector index has not got yet.
        waiting: Turns that have not been consolidated, oldest first.
        newest: When something was last written.
    """

    version: int
    items: dict[str, int]
    unindexed: int
    failed: int
    vectors: dict[str, int]
    collections: tuple[CollectionHealth, ...]
    queued: int
    waiting: tuple[Pending, ...]
    newest: datetime | None


@dataclass(frozen=True, kw_only=True)
class FileHealth:
    """How large a database is.

    Attributes:
        total_bytes: All of its pages.
        idle_bytes: Pages that hold nothing any more; they are used again, or given back by VACUUM.
        log_bytes: The write-ahead log beside it.
    """

    total_bytes: int
    idle_bytes: int
    log_bytes: int


def quick_check(path: Path) -> str:
    """Check a database's structure: `ok`, or the first fault.

    Raises:
        sqlite3.Error: It cannot be read at all.
    """
    with _reading(path) as connection:
        return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])


def file_health(path: Path) -> FileHealth:
    """Say how large a database is.

    Raises:
        sqlite3.Error: It cannot be read.
    """
    with _reading(path) as connection:
        page, pages, idle = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
        )
    return FileHealth(total_bytes=page * pages, idle_bytes=page * idle, log_bytes=_bytes(_beside(path, LOG)))


def tables_version(path: Path) -> int:
    """Say how many steps a store's tables have taken (store/migrations.py); 0 where it has none yet.

    Raises:
        sqlite3.Error: It cannot be read.
    """
    with _reading(path) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def live_processes(holders: Path) -> tuple[int, ...]:
    """List the processes that have a store open, by the locks that they hold (store/holders.py).

    Where the system has no such locks every lock file counts; a process that died may have left one.
    """
    if not holders.is_dir():
        return ()
    held = (lock for lock in sorted(holders.glob("*.lock")) if is_held(lock))
    return tuple(int(pid) for lock in held if (pid := lock.name.partition("-")[0]).isdigit())


def is_held(lock: Path) -> bool:
    """Tell whether a process holds a lock, by sharing it for a moment where nobody does; nothing is written.

    Where the system has no such locks, one that is there counts as held.
    """
    if fcntl is None:
        return lock.exists()
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:  # its process has just ended
        return False
    return False


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
            collections=_collections(connection),
            queued=connection.execute("SELECT count(*) FROM index_queue").fetchone()[0],
            waiting=_waiting(connection),
            newest=datetime.fromisoformat(newest) if newest else None,
        )


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that must be there, to read only: `store.connect` would make it and tighten its permissions.

    SQLite itself would make what is missing beside it. So a file without a log, which nobody has open, is read as it
    stands; and one with a log only (a copy, a backup) is read elsewhere.
    """
    with ExitStack() as opened:
        if _beside(path, LOG).exists() and not _beside(path, LOG_INDEX).exists():
            path = _copied(path, Path(opened.enter_context(TemporaryDirectory())))
        in_use = _beside(path, LOG).exists()
        address = f"{path.resolve().as_uri()}?mode=ro{'' if in_use else '&immutable=1'}"
        yield opened.enter_context(closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)))


def _copied(path: Path, folder: Path) -> Path:
    for part in (path, _beside(path, LOG)):
        shutil.copyfile(part, folder / part.name)
    return folder / path.name


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _kinds(connection: sqlite3.Connection) -> dict[str, int]:
    found: Counter[str] = Counter()
    for namespace, number in connection.execute("SELECT namespace, count(*) FROM items GROUP BY namespace"):
        found[labels_of(namespace)[-1]] += number
    return dict(sorted(found.items()))


def _collections(connection: sqlite3.Connection) -> tuple[CollectionHealth, ...]:
    rows = connection.execute(
        "SELECT label, model, ready, (SELECT count(*) FROM items JOIN vectors ON item = items.id "
        "WHERE items.scope = collections.scope AND vectors.model = collections.model) "
        "FROM collections JOIN scopes ON scopes.id = collections.scope ORDER BY label, model"
    )
    return tuple(
        CollectionHealth(scope=scope, model=model, vectors=vectors, ready=bool(ready))
        for scope, model, ready, vectors in rows
    )


def _waiting(connection: sqlite3.Connection) -> tuple[Pending, ...]:
    connection.row_factory = sqlite3.Row
    rows = connection.execute(ALL_WAITING).fetchall()
    return tuple(one.pending for row in rows if (one := waiting_of(row_of(row))))
