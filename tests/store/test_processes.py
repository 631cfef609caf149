"""Several processes at one home: nothing is lost, nothing is seen half done, nothing that was acknowledged goes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graph.clock import utc_now
from graph.settings import STORE_FILE
from memory.namespaces import Owner
from store.health import quick_check
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.waiting import waiting_turns

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("writers.py")
NAMES = ("red", "green", "blue")
PATIENCE_S = 200

Process = subprocess.Popen[str]


@contextmanager
def started(mode: str, home: Path, names: tuple[str, ...], number: int) -> Iterator[list[Process]]:
    """Start a process for each name; end those that are still there, by themselves, at the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    processes = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), mode, str(home), name, str(number)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def told(process: Process) -> list[str]:
    """Wait for a process's good end; give what it said."""
    output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors[-3000:]
    assert "locked" not in errors
    return output.splitlines()


async def test_three_processes_add_at_once_and_a_fourth_sees_whole_states_only(tmp_path: Path) -> None:
    with started("read", tmp_path, ("reader",), 450) as (reader,):
        with started("add", tmp_path, NAMES, 150) as writers:
            for writer in writers:
                told(writer)
        assert told(reader) == ["reader seen 450"]
    async with MemoryStore(tmp_path / STORE_FILE, clock=utc_now).opened() as store:
        entries = await store.asearch(("users", "ada", "_", "log"), limit=1000)
    assert {item.key for item in entries} == {f"{name}-{at}" for name in NAMES for at in range(150)}


async def test_three_processes_remember_at_once_and_all_is_kept(tmp_path: Path) -> None:
    with started("remember", tmp_path, NAMES, 150) as writers:
        kept = [line for writer in writers for line in told(writer)]
    assert len(set(kept)) == 450
    async with MemoryStore(tmp_path / STORE_FILE, clock=utc_now).opened() as store:
        episodes = await store.asearch(("users", "ada", "_", "episodes"), limit=1000)
        facts = await facts_of(store, Owner(user="ada"))
    assert {f"kept {item.key}" for item in episodes} == set(kept)
    assert {fact.value for fact in facts} == {f"{name} 的第 {at} 件事" for name in NAMES for at in range(150)}


async def test_three_processes_run_turns_at_once_and_each_is_settled_once(tmp_path: Path) -> None:
    with started("turns", tmp_path, NAMES, 15) as writers:
        for writer in writers:
            told(writer)
    async with MemoryStore(tmp_path / STORE_FILE, clock=utc_now).opened() as store:
        episodes = await store.asearch(("users", "ada", "_", "episodes"), limit=1000)
        facts = await facts_of(store, Owner(user="ada"))
        assert await waiting_turns(store) == []
    assert sorted(item.value["speaker"] for item in episodes) == ["assistant"] * 45 + ["user"] * 45
    assert len({fact.value for fact in facts}) == 45
    assert quick_check(tmp_path / STORE_FILE) == "ok"
    assert quick_check(tmp_path / "threads.db") == "ok"


def test_processes_that_open_a_new_home_at_the_same_moment_share_one_secret(tmp_path: Path) -> None:
    times = 20
    with started("open", tmp_path, NAMES[:2], times) as processes:
        for _ in range(times):
            for process in processes:
                assert said_by(process) == "ready"
            for process in processes:
                assert process.stdin is not None
                process.stdin.write("go\n")
                process.stdin.flush()
            secrets = {said_by(process) for process in processes}
            assert len(secrets) == 1
        for process in processes:
            told(process)
    assert all([file.name for file in (tmp_path / str(at)).glob("key*")] == ["key"] for at in range(times))


def said_by(process: Process) -> str:
    """Give the next line of a process, or say what it died of."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        assert process.stderr is not None
        raise AssertionError(process.stderr.read()[-3000:])
    return line


async def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    with started("remember", tmp_path, ("red",), 10_000) as (writer,):
        kept = [said_by(writer) for _ in range(200)]
        writer.kill()
        output, _ = writer.communicate()
    kept += [line for line in output.splitlines(keepends=True) if line.endswith("\n")]
    async with MemoryStore(tmp_path / STORE_FILE, clock=utc_now).opened() as store:
        episodes = {f"kept {item.key}" for item in await store.asearch(("users", "ada", "_", "episodes"), limit=20_000)}
        facts = await facts_of(store, Owner(user="ada"))
    assert {line.strip() for line in kept} <= episodes
    assert len(facts) == len(episodes)
    assert quick_check(tmp_path / STORE_FILE) == "ok"
