"""Health: a look at a database's file that changes nothing."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.changes import KeepTurn
from memory.kinds import Episode
from memory.namespaces import Owner
from store.apply import apply
from store.health import KNOWN_VERSION, quick_check, store_health
from store.memory_store import MemoryStore

NOW = datetime(2026, 5, 1, 8, tzinfo=UTC)


def episode(number: int) -> Episode:
    return Episode(
        id=f"e{number}", speaker="user", text="I saw a kite", thread_id="t", turn_id=f"t{number}", position=0
    )


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


async def test_a_store_is_seen_while_it_is_open_and_after(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    async with MemoryStore(path, clock=lambda: NOW).opened() as store:
        for user in ("ada", "bob"):
            await apply(store, Owner(user=user), [KeepTurn(episodes=(episode(1), episode(2)))])
        in_use = store_health(path)
    files = files_in(tmp_path)

    at_rest = store_health(path)

    assert in_use == at_rest
    assert (at_rest.version, at_rest.items, at_rest.unindexed, at_rest.failed) == (KNOWN_VERSION, {"episodes": 4}, 4, 0)
    assert (at_rest.vectors, at_rest.waiting, at_rest.newest) == ({}, (), NOW)
    assert quick_check(path) == "ok"
    assert files_in(tmp_path) == files


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        quick_check(tmp_path / "gone.db")

    assert files_in(tmp_path) == []


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "a b#?%.db").write_bytes(b"just words, and many of them" * 100)

    with pytest.raises(sqlite3.DatabaseError):
        quick_check(tmp_path / "a b#?%.db")
