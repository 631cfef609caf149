"""The one place that opens SQLite: private files, a write-ahead log, no lost and no leftover bytes.

What "durable" means here: `synchronous=NORMAL` with a write-ahead log. What was acknowledged survives the
end of the process, kill -9 included. A power cut may lose the last transactions before the latest
checkpoint of the log, never the file; `synchronous="FULL"` waits for the disk at each commit instead.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Literal

BUSY_TIMEOUT_S = 30.0
PRIVATE_DIRECTORY = 0o700
PRIVATE_FILE = 0o600

Synchronous = Literal["NORMAL", "FULL"]


def make_private_directory(path: Path) -> None:
    """Create the directory with all above it; only its owner may enter."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_DIRECTORY)


def make_private_file(path: Path) -> None:
    """Create the file, or tighten it; only its owner may read it (SQLite gives -wal and -shm the same)."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_FILE)


def connect(path: Path, *, synchronous: Synchronous = "NORMAL") -> sqlite3.Connection:
    """Open a database for use by several threads in turn, in autocommit mode.

    Args:
        path: The database file; it and its directory are created as needed (0600 in 0700).
        synchronous: FULL also survives a power cut, at about four times the cost of a write.
    """
    make_private_directory(path.parent)
    make_private_file(path)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    for pragma in pragmas(synchronous):
        connection.execute(pragma)
    return connection


def pragmas(synchronous: Synchronous = "NORMAL") -> tuple[str, ...]:
    """List what every connection sets before its first statement."""
    return (
        f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}",
        "PRAGMA journal_mode = WAL",
        f"PRAGMA synchronous = {synchronous}",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON",
        "PRAGMA temp_store = MEMORY",
    )
