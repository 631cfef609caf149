"""The checks one by one: what each finds, and that what is not well always says what to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jiyi.cli.checks.addresses import shown_address
from jiyi.cli.checks.check import GIB, MIB, Check, looked, size
from jiyi.cli.checks.clock import check_clock
from jiyi.cli.checks.databases import check_database, check_processes, checks_of_databases, database_with
from jiyi.cli.checks.embedder import SAMPLE, check_embedder
from jiyi.cli.checks.home import check_home, check_key, check_permissions, check_sizes, disk_with
from jiyi.cli.checks.memories import check_memories
from jiyi.cli.checks.pending import check_pending
from jiyi.cli.checks.versions import check_versions, outside
from jiyi.testing import FailingEmbedder, HashEmbedder
from memory.kinds import Pending
from store.connect import connect
from store.health import KNOWN_VERSION, FileHealth
from store.memory_store import MemoryStore

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
SMALL = FileHealth(total_bytes=MIB, idle_bytes=0, log_bytes=0)


def turn(name: str, *, tries: int = 0, said_at: datetime = NOW) -> Pending:
    return Pending(
        turn_id=name, user="ada", agent="_", thread_id="t", message_id="m", text="x", said_at=said_at, tries=tries
    )


def store_of_version(path: Path, version: int) -> Path:
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    return path


class Lying(HashEmbedder):
    """Says that its vectors are longer than they are."""

    @property
    def dimensions(self) -> int:
        return 4096


def everything_that_can_be_wrong(folder: Path) -> Iterator[Check]:
    """Build each check that is not well, once."""
    file, long_name = folder / "a-file", folder / ("x" * 300)
    file.write_bytes(b"no database, no key and no directory" * 200)
    home = folder / "home"
    home.mkdir(mode=0o755)
    (home / "threads.db").write_bytes(b"")
    yield check_home(file)
    yield check_home(long_name)
    yield check_permissions(home)
    yield check_key(home)
    (home / "key").write_bytes(b"zz")
    yield check_key(home)
    yield check_database(file)
    yield database_with(file, FileHealth(total_bytes=GIB, idle_bytes=GIB - 1, log_bytes=0))
    yield database_with(file, FileHealth(total_bytes=GIB, idle_bytes=0, log_bytes=GIB))
    yield disk_with(0, home)
    yield disk_with(GIB // 2, home)
    yield check_clock(NOW, NOW - timedelta(days=1))
    yield check_pending([turn("a", tries=3)], NOW)
    yield check_pending([turn("a", said_at=NOW - timedelta(days=1))], NOW)
    yield next(check_memories(file, embedder=None, now=NOW))
    yield next(check_memories(store_of_version(folder / "new.db", KNOWN_VERSION + 1), embedder=None, now=NOW))
    yield next(check_memories(store_of_version(folder / "odd.db", KNOWN_VERSION), embedder=None, now=NOW))
    yield looked("x", lambda: Check(name="x", status="ok", found=str(long_name.stat())))


def test_what_is_not_well_always_says_what_to_do(tmp_path: Path) -> None:
    for check in everything_that_can_be_wrong(tmp_path):
        assert check.status != "ok", check
        assert check.advice, check


async def test_an_embedder_that_fails_or_lies_says_what_to_do() -> None:
    for embedder in (FailingEmbedder(), Lying()):
        check = await check_embedder(embedder)
        assert (check.status, "EMBEDDINGS" in check.advice) == ("fail", True)


async def test_an_embedder_is_timed() -> None:
    ticks = iter((1.0, 3.5))

    check = await check_embedder(HashEmbedder(), seconds=lambda: next(ticks))

    assert (check.status, check.measured["seconds"]) == ("ok", 2.5)
    assert "2.5 s" in check.found
    assert SAMPLE not in check.found


def test_a_version_that_is_not_asked_for_is_named_with_what_is() -> None:
    asked = [
        "pytest<1",
        "no-such-package>=2",
        'other-package>=1; sys_platform == "nowhere"',
        "pytest",
        "x; extra == 'y'",
    ]

    first, second = outside(asked)

    assert first.startswith("pytest ")
    assert first.endswith(" instead of <1")
    assert second == "no-such-package is missing"


def test_what_is_installed_here_is_what_is_asked_for() -> None:
    check = check_versions()

    assert check.status == "ok", check
    assert {"langgraph", "chromadb", "langchain-openai", "langgraph-api", "langgraph-cli"} <= set(check.measured)


def test_sizes_are_told_for_each_part_and_together(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"x" * 3000)
    (tmp_path / "memory.db-wal").write_bytes(b"x" * 1000)
    (tmp_path / "chroma" / "deep").mkdir(parents=True)
    (tmp_path / "chroma" / "deep" / "file").write_bytes(b"x" * 500)
    (tmp_path / "not-ours").write_bytes(b"x" * 9000)

    assert check_sizes(tmp_path).measured == {"memory.db": 4000, "chroma/": 500, "total": 4500}


async def test_a_process_that_has_the_store_open_is_told(tmp_path: Path) -> None:
    async with MemoryStore(tmp_path / "memory.db", clock=lambda: NOW).opened():
        during = check_processes(tmp_path)
    after = check_processes(tmp_path)

    assert (during.measured["count"], str(os.getpid()) in during.found) == (1, True)
    assert (after.status, after.measured["count"]) == ("ok", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="a lock file that nobody holds counts there")
def test_a_dead_process_lock_is_no_process(tmp_path: Path) -> None:
    (tmp_path / "holders").mkdir()
    (tmp_path / "holders" / "4711-abcd.lock").write_bytes(b"")

    assert check_processes(tmp_path).measured["count"] == 0
    assert (tmp_path / "holders" / "4711-abcd.lock").exists()


def test_a_database_is_told_with_what_lies_idle(tmp_path: Path) -> None:
    path = tmp_path / "orders.db"
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (zeroblob(400000))")
        connection.execute("DROP TABLE t")

    found = {check.name: check for check in checks_of_databases(tmp_path)}["orders.db"]

    idle = found.measured["idle"]
    assert (found.status, isinstance(idle, int) and idle > 300_000) == ("ok", True)


@pytest.mark.parametrize("version", [0, KNOWN_VERSION - 1])
def test_older_tables_are_brought_up_at_the_next_use(tmp_path: Path, version: int) -> None:
    first = next(check_memories(store_of_version(tmp_path / "old.db", version), embedder=None, now=NOW))

    assert (first.status, "the next use" in first.found) == ("ok", True)


def test_pending_turns_are_told_with_the_oldest_and_their_tries() -> None:
    waiting = [turn("a", tries=2, said_at=NOW - timedelta(minutes=5)), turn("b")]

    check = check_pending(waiting, NOW)

    assert check.status == "ok"
    assert check.measured == {"count": 2, "set_aside": 0, "tries": 2, "oldest": "2030-01-01T11:55:00+00:00"}
    assert "oldest since 2030-01-01 11:55 UTC; at most 2 tries" in check.found


def test_the_time_is_told_in_the_users_zone_too() -> None:
    assert check_clock(None, NOW, timezone="Asia/Shanghai").found.endswith("2030-01-01 20:00:00 in Asia/Shanghai")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://h:1/v1", "http://h:1/v1"),
        ("https://me:secret@h/v1?key=secret#secret", "https://(set)@h/v1?(set)"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str) -> None:
    assert shown_address(address) == shown


def test_sizes_are_told_in_units_that_fit() -> None:
    assert [size(number) for number in (0, 2048, 3 * MIB, 5 * GIB)] == ["0 KiB", "2 KiB", "3.0 MiB", "5.0 GiB"]


def test_a_small_sound_database_needs_nothing(tmp_path: Path) -> None:
    assert database_with(tmp_path, SMALL).advice == ""
