"""`jiyi bench abstention`: what is printed and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.jiyi.command_line import jiyi
from tests.jiyi.evals.tiny import tiny_file

LINES: tuple[dict[str, Any], ...] = (
    {"lang": "en", "text": "thanks a lot", "kind": "thanks"},
    {"lang": "zh", "text": "谢谢你", "kind": "thanks"},
)


def lines_file(folder: Path, *lines: dict[str, Any], name: str = "chat.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines or LINES), encoding="utf-8")
    return path


def test_json_is_one_document_with_every_number(tmp_path: Path) -> None:
    done = jiyi("bench", "abstention", tiny_file(tmp_path), lines_file(tmp_path), "--json", "--embeddings", "none")

    assert done.status == 0
    assert list(done.json) == ["askings", "files", "keeping_silent", "settings"]
    assert done.json["files"]["chat"] == {
        "n": 4,
        "silent": 1.0,
        "languages": {"en": 1.0, "zh": 1.0},
        "kinds": {"thanks": 1.0},
    }
    assert set(done.json["keeping_silent"]["all"]) == {"precision", "recall", "f1"}
    assert done.json["settings"]["embedder"] is None
    assert "turns and askings" in done.err


def test_for_people_there_are_tables(tmp_path: Path) -> None:
    out = jiyi("bench", "abstention", tiny_file(tmp_path), lines_file(tmp_path), "--embeddings", "none").out

    lines = [line.split() for line in out.splitlines()]
    assert ["chat", "4", "100.0%"] in lines
    assert ["zh", "100.0%"] in lines
    assert ["precision", "recall", "F1"] in lines
    assert "\x1b" not in out


def test_lines_that_cannot_be_understood_are_told_with_status_one(tmp_path: Path) -> None:
    broken = lines_file(tmp_path, {"lang": "en"})
    stray = lines_file(tmp_path, {"text": "Who?", "corpus": "nowhere"}, name="stray.jsonl")

    for file, said in ((broken, "chat.jsonl, line 1"), (stray, "'nowhere'")):
        done = jiyi("bench", "abstention", tiny_file(tmp_path), file, "--embeddings", "none")
        assert (done.status, done.out) == (1, "")
        assert said in done.err


def test_lines_without_corpora_are_wrong_usage(tmp_path: Path) -> None:
    done = jiyi("bench", "abstention", lines_file(tmp_path))

    assert (done.status, done.out) == (2, "")
    assert "FILES" in done.err
