"""Memories: what is kept, what is indexed, what waits, and when something was last written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from graph.settings import STORE_FILE
from jiyi.cli.checks.check import Check
from jiyi.cli.checks.clock import check_clock
from jiyi.cli.checks.index import check_index, index_health, index_owner
from jiyi.cli.checks.pending import check_pending
from store.health import KNOWN_VERSION, StoreHealth, store_health, tables_version

SEE = f"See the check of {STORE_FILE}. If that is sound, restore the file from a backup."


def check_memories(path: Path, *, embedder: str | None, now: datetime, timezone: str = "UTC") -> Iterator[Check]:
    """Count what is kept and what waits.

    Args:
        path: The store's file.
        embedder: The name under which vectors are looked for; None where search is by keyword only.
        now: The time.
        timezone: The one of the settings, in which the time is told too.
    """
    newest = None
    if path.exists():
        found = _health(path)
        if isinstance(found, Check):
            yield found
        else:
            newest = found.newest
            yield _counted(found)
            yield check_index(index_health(found, serving=embedder, owner=index_owner(path.parent)))
            yield check_pending(found.waiting, now)
    yield check_clock(newest, now, timezone=timezone)


def _health(path: Path) -> StoreHealth | Check:
    """Look at a store; one that this version cannot read is a check, never an error."""
    try:
        version = tables_version(path)
        if version > KNOWN_VERSION:
            found = f"the tables are version {version}, this Jiyi knows up to {KNOWN_VERSION}"
            return Check(name="memories", status="fail", found=found, advice="Upgrade Jiyi; it cannot open them.")
        if version == 0:
            return Check(name="memories", status="ok", found="the tables are made at the next use")
    except sqlite3.Error as error:
        return _uncounted(error)
    try:
        return store_health(path)
    except sqlite3.Error as error:
        if version < KNOWN_VERSION:
            found = f"the tables are version {version}; the next use brings them to {KNOWN_VERSION}"
            return Check(name="memories", status="ok", found=found)
        return _uncounted(error)


def _uncounted(error: sqlite3.Error) -> Check:
    return Check(name="memories", status="fail", found=f"they cannot be counted: {error}", advice=SEE)


def _counted(health: StoreHealth) -> Check:
    counts = ", ".join(f"{number} {kind}" for kind, number in health.items.items()) or "none"
    return Check(name="memories", status="ok", found=counts, measured=health.items)
