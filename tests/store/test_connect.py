"""A database file is private from the start, and opening it again takes nothing from who has it open."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from store.connect import connect, make_private_directory
from store.errors import HomeError

LOOK = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
print(file.execute("SELECT COUNT(*) FROM t").fetchone()[0])
file.close()
"""
posix_only = pytest.mark.skipif(os.name != "posix", reason="modes and locks as POSIX has them")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def seen_by_another_process(path: Path) -> int:
    """Open, count and close in a process of its own, as any command beside the server does."""
    done = subprocess.run([sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=True)
    return int(done.stdout)


@posix_only
def test_only_the_owner_may_read_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "home" / "kept.db"
    with closing(connect(path)) as file:
        file.execute("CREATE TABLE t (x)")
        assert [mode(one) for one in sorted(path.parent.iterdir())] == [0o600] * 3
    assert mode(path.parent) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["kept.db"]


@posix_only
def test_a_file_that_others_could_read_is_tightened(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    path.touch(mode=0o644)
    connect(path).close()
    assert mode(path) == 0o600


def test_opened_twice_in_a_process_it_survives_that_another_process_closes_it(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    with closing(connect(path)) as before:
        before.execute("CREATE TABLE t (x)")
    with closing(connect(path)) as first, closing(connect(path)) as second:
        for written in range(1, 4):
            (first if written % 2 else second).execute("INSERT INTO t VALUES (1)")
            assert seen_by_another_process(path) == written
    with closing(sqlite3.connect(path)) as after:
        assert after.execute("SELECT COUNT(*) FROM t").fetchone() == (3,)


def test_many_who_open_a_new_file_at_once_get_the_same_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(lambda _: connect(path), range(8)))
    opened[0].execute("CREATE TABLE t (x)")
    opened[-1].execute("INSERT INTO t VALUES (1)")
    assert seen_by_another_process(path) == 1
    for file in opened:
        file.close()
    assert [one.name for one in tmp_path.iterdir()] == ["kept.db"]


@pytest.mark.parametrize("below", [False, True])
def test_a_home_that_is_a_file_is_named_with_what_to_do(tmp_path: Path, below: bool) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(HomeError, match="JIYI_HOME"):
        make_private_directory(file / "home" if below else file)
