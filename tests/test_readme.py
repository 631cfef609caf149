"""What the READMEs say is run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(readme: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(readme.read_text(encoding="utf-8")) if kind == language]


def run(command: list[str], home: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JIYI_HOME": str(home), "PYTHONWARNINGS": "default"}  # noqa: TID251
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_its_programs_run_and_remember(readme: Path, tmp_path: Path) -> None:
    programs = blocks(readme, "python")
    assert programs
    printed = [run([sys.executable, "-c", program], tmp_path / "home") for program in programs]
    assert "peanut" in printed[0] or "花生" in printed[0]


def test_the_agent_of_ones_own_answers_with_its_own_tool(tmp_path: Path) -> None:
    (program,) = blocks(ROOT / "docs" / "extending.md", "python")
    assert "due on 1 May" in run([sys.executable, "-c", program], tmp_path / "home")


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_its_conversation_goes_as_shown(readme: Path, tmp_path: Path) -> None:
    (session,) = blocks(readme, "console")
    for shown in session.removeprefix("$ ").split("\n$ "):
        command, _, expected = shown.partition("\n")
        arguments = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
        assert arguments[0] == "jiyi"
        printed = run([sys.executable, "-m", "jiyi", *arguments[1:]], tmp_path / "home")
        assert printed.strip() == expected.strip()


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_its_targets_and_commands_exist(readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"^make (\w+)", "\n".join(blocks(readme, "sh")), re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    shown = subprocess.run(
        [sys.executable, "-m", "jiyi", "--help"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # noqa: TID251
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    for command in set(re.findall(r"`jiyi (\w+)", text)):
        assert command in shown, command
