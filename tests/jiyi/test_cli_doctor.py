"""`jiyi doctor`: what is sound, what is not, and that looking changes nothing."""

from __future__ import annotations

import json
import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from jiyi.cli.checks.home import check_disk
from jiyi.cli.checks.memories import check_memories
from jiyi.cli.checks.model import check_models
from memory.kinds import Pending, to_value
from memory.namespaces import Owner, user_space
from store.connect import connect
from store.scopes import path_of
from tests.jiyi.checks.listing import nobody
from tests.jiyi.command_line import Ran, jiyi, told

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a home with a memory in it."""
    told("ada", tmp_path / "a.jsonl", "我对花生过敏")
    return tmp_path / "jiyi-home"


def checks(done: Ran) -> dict[str, Any]:
    return {check["name"]: check for check in done.json["checks"]}


def everything_in(home: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mode) for path in home.rglob("*")}


def test_a_home_that_is_not_there_is_sound_and_is_not_made(tmp_path: Path) -> None:
    done = jiyi("doctor", "--json")

    assert (done.status, done.json["ok"]) == (0, True)
    assert "does not exist yet" in checks(done)["home"]["found"]
    assert not (tmp_path / "jiyi-home").exists()


def test_a_sound_home_is_told_with_what_is_in_it(home: Path) -> None:
    done = jiyi("doctor", "--json")

    found = checks(done)
    assert done.status == 0
    assert {check["status"] for check in found.values()} == {"ok"}
    assert "1 episodes" in found["memories"]["found"]
    assert found["memory.db"]["found"].startswith("sound; ")
    assert done.json["home"] == str(home)
    assert {"sizes", "processes", "key", "index", "threads.db", "orders.db", "small model"} <= set(found)
    assert {"versions", "permissions", "model", "embedder", "clock", "disk", "skills", "pending turns"} <= set(found)
    assert "sqlite" in found["versions"]["found"]


def test_looking_changes_nothing(home: Path) -> None:
    before = everything_in(home)

    for args in ((), ("--json",), ("--offline",)):
        jiyi("doctor", *args)

    assert everything_in(home) == before


def test_looking_changes_nothing_where_a_process_died(home: Path) -> None:
    """A log without its index, as in a copied home, is not given one."""
    with closing(connect(home / "memory.db")) as connection:
        connection.execute("UPDATE items SET updated_at = '2020-01-01T00:00:00+00:00'")
        left = (home / "memory.db-wal").read_bytes()
        main = (home / "memory.db").read_bytes()
    (home / "memory.db").write_bytes(main)
    (home / "memory.db-wal").write_bytes(left)
    (home / "memory.db-wal").chmod(0o600)
    before = everything_in(home)

    done = jiyi("doctor", "--json")

    assert left
    assert everything_in(home) == before
    assert checks(done)["memory.db"]["status"] == "ok"
    assert checks(done)["memory.db"]["measured"]["log"] == len(left)


@pytest.mark.parametrize("name", ["a-file", "a-file/below", "x" * 300])
def test_a_home_that_cannot_be_one_is_a_fault_and_no_traceback(tmp_path: Path, name: str) -> None:
    (tmp_path / "a-file").write_bytes(b"words")

    done = jiyi("doctor", "--json", env={"JIYI_HOME": str(tmp_path / name)})

    told = checks(done)["home"]
    assert (done.status, told["status"], "JIYI_HOME" in told["advice"]) == (1, "fail", True)
    assert {"model", "embedder", "clock", "disk", "skills"} <= set(checks(done))
    assert (tmp_path / "a-file").read_bytes() == b"words"


@pytest.mark.parametrize("name", ["", "memory.db", "key"])
def test_what_may_not_be_read_is_a_fault_and_no_traceback(home: Path, name: str) -> None:
    (home / "key").write_text("0" * 64)
    (home / "key").chmod(0o600)
    (home / name).chmod(0)
    if os.access(home / name, os.R_OK):
        pytest.skip("whoever runs this may read everything")
    done = jiyi("doctor", "--json")
    (home / name).chmod(0o700)

    told = checks(done)[name or "home"]
    assert (done.status, told["status"], "user" in told["advice"]) == (1, "fail", True)


def test_what_is_not_well_always_says_what_to_do(home: Path) -> None:
    (home / "memory.db").write_bytes(b"not a database at all" * 300)
    (home / "key").write_bytes(b"no key")
    env = {
        "OPENAI_API_KEY": "any",
        "OPENAI_BASE_URL": nobody(),
        "SMALL_MODEL": "other:x",
        "SKILLS_DIRS": str(home / "no"),
    }

    found = checks(jiyi("doctor", "--json", env=env)).values()

    unwell = {check["name"] for check in found if check["status"] != "ok"}
    assert {"memory.db", "key", "model", "small model", "skills"} <= unwell
    assert all(check["advice"] for check in found if check["status"] != "ok")


def test_what_others_may_read_is_a_fault_with_its_remedy(home: Path) -> None:
    (home / "memory.db").chmod(0o644)

    done = jiyi("doctor", "--json")

    assert done.status == 1
    permissions = checks(done)["permissions"]
    assert permissions["status"] == "fail"
    assert f"chmod 600 {home / 'memory.db'}" in permissions["advice"]


def test_a_file_that_is_no_database_is_a_fault_and_no_traceback(home: Path) -> None:
    (home / "memory.db").write_bytes(b"not a database at all" * 300)

    done = jiyi("doctor", "--json")

    assert done.status == 1
    assert checks(done)["memory.db"]["status"] == "fail"
    facts = jiyi("facts", "--user", "ada")
    assert (facts.status, facts.out, "jiyi doctor" in facts.err) == (1, "", True)


def test_a_damaged_page_is_found(home: Path) -> None:
    with closing(connect(home / "memory.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'items'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    raw = bytearray((home / "memory.db").read_bytes())
    raw[(root - 1) * size : root * size] = b"\x5a" * size
    (home / "memory.db").write_bytes(raw)

    assert checks(jiyi("doctor", "--json"))["memory.db"]["status"] == "fail"


def test_a_newer_jiyis_memories_are_not_touched(home: Path) -> None:
    with closing(connect(home / "memory.db")) as connection:
        connection.execute("PRAGMA user_version = 999")

    done = jiyi("doctor", "--json")

    assert checks(done)["memories"]["status"] == "fail"
    assert "999" in jiyi("facts", "--user", "ada").err


def test_turns_that_were_set_aside_are_named(home: Path) -> None:
    stuck = Pending(
        turn_id="turn-7", user="ada", agent="_", thread_id="t", message_id="m", text="x", said_at=NOW, tries=3
    )
    place = path_of(user_space(Owner(user="ada"), "pending"))
    with closing(connect(home / "memory.db")) as connection:
        connection.execute(
            "INSERT INTO items (namespace, key, value, scope, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)",
            (place, stuck.turn_id, json.dumps(to_value(stuck)), NOW.isoformat(), "2020-01-01T00:00:00+00:00"),
        )

    pending = checks(jiyi("doctor", "--json"))["pending turns"]

    assert pending["status"] == "warn"
    assert "turn-7" in pending["found"]


def test_vectors_of_another_embedder_are_told(home: Path) -> None:
    with closing(connect(home / "memory.db")) as connection:
        connection.execute("INSERT INTO vectors (item, model, part, embedding) SELECT id, 'old-model', 0, x'00' FROM items")  # fmt: skip

    found = {check.name: check for check in check_memories(home / "memory.db", embedder="new-model", now=NOW)}

    assert (found["index"].status, "old-model" in found["index"].found) == ("warn", True)
    assert found["clock"].status == "ok"


def test_a_clock_that_runs_behind_is_told(home: Path) -> None:
    early = datetime(2025, 6, 1, tzinfo=UTC)

    found = {check.name: check for check in check_memories(home / "memory.db", embedder=None, now=early)}

    assert found["clock"].status == "warn"


def test_secrets_are_never_shown() -> None:
    secrets = {"OPENAI_API_KEY": "sk-very-hushed", "JIYI_KEY": "other-hushed", "OPENAI_BASE_URL": nobody()}
    database = {"DATABASE_URL": "postgresql://me:third-hushed@localhost/jiyi?password=fourth-hushed"}

    for args in (("doctor",), ("doctor", "--json")):
        done = jiyi(*args, env=secrets)
        assert "hushed" not in done.out + done.err
        assert "OPENAI_API_KEY" in done.out
        refused = jiyi(*args, env=database)  # what is refused is named, and not shown either
        assert "hushed" not in refused.out + refused.err
        assert (refused.status, "DATABASE_URL" in refused.out) == (1, True)


def test_a_setting_that_means_nothing_is_a_failed_check() -> None:
    done = jiyi("doctor", "--json", env={"JIYI_TIMEZONE": "Nowhere"})

    assert done.status == 1
    assert "JIYI_TIMEZONE" in checks(done)["settings"]["found"]
    other = jiyi("facts", "--user", "u", env={"MEMORY_WRITES": "sometimes"})
    assert (other.status, other.err.count("\n"), "MEMORY_WRITES" in other.err) == (1, 1, True)


@pytest.mark.parametrize(
    ("model", "key", "status"),
    [("", None, "ok"), ("offline", None, "ok"), ("openai:x", "k", "ok"), ("openai:x", None, "fail"), ("x", "k", "fail"), ("openai:", "k", "fail")],
)  # fmt: skip
def test_a_model_is_checked_without_asking_it(model: str, key: str | None, status: str) -> None:
    chosen = Settings.model_validate({"model": model, "openai_api_key": key})

    checked, small = check_models(chosen, ask=False)

    assert (checked.status, bool(checked.advice)) == (status, status != "ok")
    assert (small.status, small.found) == ("ok", "the same as the model")


def test_an_embedder_that_there_is_not_is_a_failed_check() -> None:
    done = jiyi("doctor", "--json", env={"EMBEDDINGS": "other:x"})

    assert (done.status, checks(done)["settings"]["status"]) == (1, "fail")
    assert "EMBEDDINGS" in checks(done)["settings"]["found"]


def test_the_local_embedder_is_loaded_and_embeds() -> None:
    embedder = checks(jiyi("doctor", "--json", env={"EMBEDDINGS": "local"}))["embedder"]

    assert (embedder["status"], "384" in embedder["found"]) == ("ok", True)


def test_room_is_looked_for_where_the_home_will_be(tmp_path: Path) -> None:
    found = check_disk(tmp_path / "not" / "yet").found

    assert found.endswith(f"GiB free at {tmp_path}")


def test_for_people_each_check_is_a_line_with_its_status() -> None:
    lines = jiyi("doctor").out.splitlines()

    assert lines[0].startswith("ok    versions: jiyi ")
    assert any(line.strip() == "EMBEDDINGS=none" for line in lines)
