"""The one place that opens SQLite: private files, a write-ahead log, no lost and no leftover bytes.

What "durable" means here: `synchronous=NORMAL` with a write-ahead log. What was acknowledged survives the
end of the process, kill -9 included. A power cut may lose the last transactions before the latest
checkpoint of the log, never the file; `synchronous="FULL"` waits for the disk at each commit instead.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from pathlib import Path
from typing import Literal

from store.errors import HomeError

BUSY_TIMEOUT_S = 30.0
ASK_AGAIN_S = 0.01
PRIMARY_CODE = 0xFF
PRIVATE_DIRECTORY = 0o700
PRIVATE_FILE = 0o600

Synchronous = Literal["NORMAL", "FULL"]


def make_private_directory(path: Path) -> None:
    """Create the directory with all above it; only its owner may enter."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(PRIVATE_DIRECTORY)
    except OSError as error:
        raise HomeError(path, error.strerror) from error


def make_private_file(path: Path) -> None:
    """Create the file, or tighten it; only its owner may read it (SQLite gives -wal and -shm the same).

    A file that is there is never opened: closing it again would free the locks of every connection that this
    process has on it (POSIX), and the next process that closes the database would take the log away from them.
    """
    if not path.exists():
        _create(path)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_FILE)


def _create(path: Path) -> None:
    new = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
    try:
        os.link(new, path)  # closed before anybody can open it, and never over another's
    except FileExistsError:
        pass
    finally:
        new.unlink()


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
        _set(connection, pragma)
    return connection


def _set(connection: sqlite3.Connection, pragma: str) -> None:
    """Set a pragma, again for as long as the file is busy: the switch to the log does not wait by itself.

    Of two processes that switch a new file at the same moment SQLite turns the second away at once.
    """
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute(pragma)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return
        time.sleep(ASK_AGAIN_S)


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
