"""A turn that is killed anywhere is neither lost nor doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FACTS = ["user.allergy=花生", "user.lives_in=杭州", "user.name=李雷"]


def points(home: Path, *, step: int) -> list[dict[str, Any]]:
    script = Path(__file__).with_name("kill_at.py")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    run = subprocess.run(
        [sys.executable, str(script), str(home), str(step)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return [json.loads(line) for line in run.stdout.splitlines()]


def check(point: dict[str, Any]) -> None:
    where = point["point"]
    left, again = point["left"], point["again"]
    assert left["waiting"] == 0, where
    assert left["speakers"].get("user", 0) in (0, 1), where
    if left["speakers"]:  # what was acknowledged is there, with all that follows from it
        assert left["facts"] == FACTS, where
        assert left["evidence"] == len(FACTS), where
    assert again["speakers"]["user"] == 1, where
    assert again["facts"] == FACTS, where
    assert again["evidence"] == len(FACTS), where
    assert again["waiting"] == 0, where


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the points are tried in forked processes")
def test_a_turn_killed_at_any_point_is_neither_lost_nor_doubled(tmp_path: Path) -> None:
    tried = points(tmp_path, step=8)
    for point in tried:
        check(point)
    assert sum(point["killed"] for point in tried) >= 15
    answered = [point for point in tried if point["point"] in ("extract", "consolidate", "summarize")]
    assert all(point["left"]["speakers"] == {"user": 1, "assistant": 1} for point in answered)
