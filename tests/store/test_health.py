"""Health: a look at a database's file that changes nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.changes import KeepTurn
from memory.kinds import Episode
from memory.namespaces import Owner
from store.apply import apply
from store.connect import connect
from store.health import KNOWN_VERSION, file_health, live_processes, quick_check, store_health, tables_version
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


def test_a_copy_with_a_log_is_read_with_it_and_given_nothing(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy" / "memory.db"
    copy.parent.mkdir()
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")
        for name in ("memory.db", "memory.db-wal"):
            shutil.copy(tmp_path / name, copy.parent)

    assert tables_version(copy) == 7
    assert [file.name for file in files_in(copy.parent)] == ["memory.db", "memory.db-wal"]


def test_what_lies_idle_and_what_is_in_the_log_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
        connection.execute("DELETE FROM t")
        in_use = file_health(path)
    at_rest = file_health(path)

    assert in_use.log_bytes > 100_000
    assert at_rest.log_bytes == 0
    assert in_use.idle_bytes == at_rest.idle_bytes
    assert 90_000 < at_rest.idle_bytes < at_rest.total_bytes


async def test_who_has_a_store_open_is_seen_and_not_disturbed(tmp_path: Path) -> None:
    async with MemoryStore(tmp_path / "memory.db", clock=lambda: NOW).opened() as store:
        assert live_processes(tmp_path / "holders") == (os.getpid(),)
        assert not store.holders.dead(store.holder)
    assert live_processes(tmp_path / "holders") == ()
    assert live_processes(tmp_path / "nowhere") == ()
