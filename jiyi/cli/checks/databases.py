"""The databases: sound, with little lying idle in them, their logs emptied now and then, and by whom they are open."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from graph.settings import STORE_FILE
from jiyi.cli.checks.check import MIB, Check, looked, size
from jiyi.cli.checks.home import DATABASES
from store.health import SOUND, FileHealth, file_health, live_processes, quick_check

HOLDERS = "holders"
LARGE_LOG_BYTES, MUCH_IDLE_BYTES = 256 * MIB, 256 * MIB
REPAIR = "Stop everything that uses the home, keep a copy of it, and restore the file from a backup."


def checks_of_databases(home: Path) -> Iterator[Check]:
    """Look at each database's file and at who uses the store."""
    for name in DATABASES:
        yield looked(name, partial(check_database, home / name))
    yield looked("processes", partial(check_processes, home))


def check_database(path: Path) -> Check:
    """Check a database's structure, the size of its log and how much of it lies idle.

    Raises:
        PermissionError: This user may not read it.
    """
    if not path.exists():
        return Check(name=path.name, status="ok", found="does not exist yet")
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        found = quick_check(path)
        if found == SOUND:
            return database_with(path, file_health(path))
    except sqlite3.Error as error:
        return Check(name=path.name, status="fail", found=f"{path} cannot be read: {error}", advice=REPAIR)
    return Check(name=path.name, status="fail", found=f"{path} is damaged: {found}", advice=REPAIR)


def database_with(path: Path, health: FileHealth) -> Check:
    """Judge a sound database by its sizes."""
    found = f"sound; {size(health.total_bytes)}, of which {size(health.idle_bytes)} idle; log {size(health.log_bytes)}"
    measured = {"bytes": health.total_bytes, "idle": health.idle_bytes, "log": health.log_bytes}
    advice = " ".join(_advised(path, health))
    return Check(name=path.name, status="warn" if advice else "ok", found=found, advice=advice, measured=measured)


def check_processes(home: Path) -> Check:
    """Say which processes have the store open."""
    running = live_processes(home / HOLDERS)
    if not running:
        return Check(name="processes", status="ok", found=f"none has {STORE_FILE} open", measured={"count": 0})
    found = f"{len(running)} with {STORE_FILE} open: {', '.join(str(pid) for pid in running)}"
    return Check(name="processes", status="ok", found=found, measured={"count": len(running)})


def _advised(path: Path, health: FileHealth) -> Iterator[str]:
    if health.log_bytes > LARGE_LOG_BYTES:
        yield (
            f"The log of {path} was not emptied for long: a reader that never ends holds it back. Close other "
            "programs that read the file, then restart Jiyi; the last process that closes it empties the log."
        )
    if health.idle_bytes > MUCH_IDLE_BYTES and health.idle_bytes * 2 > health.total_bytes:
        yield f"More than half of {path} lies idle: stop what uses it and run `sqlite3 {path} VACUUM`."
