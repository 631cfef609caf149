"""`jiyi bench changes`: what is measured, printed and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.jiyi.command_line import jiyi, written

PAIRS: tuple[dict[str, Any], ...] = (
    {
        "id": "en",
        "language": "en",
        "key": "user.lives_in",
        "first": "I live in Leeds.",
        "second": "I live in Porto now.",
        "old": "Leeds",
        "new": "Porto",
        "marked": False,
        "ask": "Where do I live?",
    },
    {
        "id": "zh",
        "language": "zh",
        "key": "user.lives_in",
        "first": "我住在北京。",
        "second": "我现在住在上海。",
        "old": "北京",
        "new": "上海",
        "marked": False,
        "ask": "我住在哪里？",
    },
)
JUNK = (
    {"id": "j1", "language": "en", "kind": "chatter", "text": "Thanks a lot!"},
    {"id": "j2", "language": "zh", "kind": "paste", "text": "我住在成都。"},
)


def files(folder: Path) -> tuple[Path, Path]:
    return written(folder / "tiny.changes.jsonl", *PAIRS), written(folder / "tiny.junk.jsonl", *JUNK)


def test_json_is_one_document_of_pairs_and_junk(tmp_path: Path) -> None:
    done = jiyi("bench", "changes", *files(tmp_path), "--beside", "100", "--json")

    assert (done.status, list(done.json)) == (0, ["files", "junk", "settings"])
    found = done.json["files"]["tiny"]
    assert list(found) == ["pairs", "collateral", "replay", "recall", "outcomes"]
    assert found["outcomes"] == {"en": "updated", "zh": "updated"}
    assert found["collateral"]["beside"] >= 200
    assert found["collateral"]["changed"] == 0
    assert found["replay"] == {"grown": 0, "turned": 0}
    assert (found["recall"]["updated"]["n"], found["recall"]["updated"]["first"]) == (2, 1.0)
    assert done.json["junk"]["tiny"]["messages"] == {"j2": ["user.lives_in"]}
    assert done.json["settings"] == {"embedder": None, "tagger": None, "labelled": False}
    assert "4/4 pairs said and asked" in done.err


def test_for_people_there_are_tables(tmp_path: Path) -> None:
    out = jiyi("bench", "changes", files(tmp_path)[1]).out

    lines = [line.split() for line in out.splitlines()]
    assert out.splitlines()[0] == "tiny, of which nothing is to be kept:"
    assert lines[1] == ["messages", "leaving", "share", "facts"]
    assert ["all", "2", "1", "50.0%", "1"] in lines
    assert "\x1b" not in out


def test_pairs_have_tables_too(tmp_path: Path) -> None:
    lines = [line.split() for line in jiyi("bench", "changes", files(tmp_path)[0], "--beside", "60").out.splitlines()]

    assert lines[0] == ["tiny:"]
    assert lines[1] == ["pairs", "n", "learned", "updated", "missed", "lost", "to", "review", "share", "missed"]
    assert lines[2] == ["all", "2", "2", "2", "0", "0", "0", "0.0%"]
    assert lines[3][:2] == ["marked", "0"]
    assert lines[3][-1] == "–"
    (known,) = [int(line[3]) for line in lines if line[:1] == ["beside:"]]
    assert 100 <= known <= 2 * 110


@pytest.mark.parametrize(
    ("name", "status"), [("bad.changes.jsonl", 1), ("bad.junk.jsonl", 1), ("bad.jsonl", 2), ("none/x.junk.jsonl", 1)]
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, status: int) -> None:
    path = tmp_path / name
    if path.parent.exists():
        written(path, {"id": "x"})

    done = jiyi("bench", "changes", path)

    assert (done.status, done.out) == (status, "")
    assert path.name in done.err


def test_two_files_of_one_name_are_refused_before_anything_is_measured(tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    twin.mkdir()

    done = jiyi("bench", "changes", files(tmp_path)[0], files(twin)[0])

    assert (done.status, done.out) == (2, "")
    assert "tiny" in done.err
