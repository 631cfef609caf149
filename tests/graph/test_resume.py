"""A run whose process was killed between two steps goes on in another process, and its memories are written once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.threads.told import NothingToResumeError

ROOT = Path(__file__).parents[2]
STEPS = ("perceive", "recall", "inject_skills", "llm", "extract", "consolidate")
TOLD = {
    "zh": ("我住在杭州，我对花生过敏", ["user.allergy=花生", "user.lives_in=杭州"]),
    "en": ("I live in Leeds. I'm allergic to peanuts.", ["user.allergy=peanuts", "user.lives_in=Leeds"]),
}


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    script = Path(__file__).with_name("cut_off.py")
    command = [sys.executable, str(script), str(home), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


OFTEN = ("llm", "consolidate")
"""After these the run is cut off each time; after the others it takes a minute more."""


@pytest.mark.parametrize(
    ("step", "language"),
    [
        pytest.param(step, "zh" if at % 2 else "en", marks=() if step in OFTEN else pytest.mark.slow)
        for at, step in enumerate(STEPS)
    ],
)
def test_a_run_that_was_cut_off_goes_on_and_its_memories_are_written_once(
    tmp_path: Path, step: str, language: str
) -> None:
    text, facts = TOLD[language]
    killed = run(tmp_path / "home", "say", text, step)
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    resumed = run(tmp_path / "home", "resume")
    assert resumed.returncode == 0, resumed.stderr[-2000:]
    found = json.loads(resumed.stdout)
    assert found["reply"]
    assert "came to its end" in found["again"]
    assert (found["messages"], found["next"]) == (["human", "ai"], [])
    assert found["speakers"] == {"user": 1, "assistant": 1}
    assert (found["facts"], found["evidence"]) == (facts, len(facts))


async def test_where_no_run_was_cut_off_there_is_nothing_to_resume(tmp_path: Path) -> None:
    async with open_agent(chosen=Settings(embeddings="none", jiyi_home=tmp_path / "home")) as agent:
        with pytest.raises(NothingToResumeError, match="say something"):
            await agent.resume("never", user="ada")
        await agent.say("取消订单 #8843", user="ada", thread="t")
        with pytest.raises(NothingToResumeError, match="yes or no"):
            await agent.resume("t", user="ada")
