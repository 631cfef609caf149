"""Deployment: what gets into an image and works there, and that the page about it is true."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError
from starlette.testclient import TestClient

from memory.namespaces import user_root
from store.connect import connect
from tests.server.dev_server import DevServer

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
NEVER = (
    ".env", ".env.local", "graph/.env", ".git/config", ".data/memory.db", "home/memory.db", "home/key", "home/chroma/x",
    "home/threads.db-wal", "jiyi/memory.db", "store/home.db-shm", ".langgraph_api/x.pckl", ".venv/bin/python", "key",
    "graph/__pycache__/agent.pyc", "jiyi.egg-info/PKG-INFO", ".mypy_cache/x", "tests/conftest.py", "bench/data.jsonl",
)  # fmt: skip
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "langgraph.json", "skills/library/game.yaml", "jiyi/web/start.html", "store/embed/local.py")  # fmt: skip
OPEN_ALL = """
import asyncio, importlib, json, os
def named(path, mark):
    module, _, name = path.rpartition(mark)
    return getattr(importlib.import_module(module), name)
async def opened():
    for variable in ("LANGGRAPH_STORE", "LANGGRAPH_CHECKPOINTER"):
        async with named(json.loads(os.environ[variable])["path"], ".")() as thing:
            print(type(thing).__name__)
for graph in json.loads(os.environ["LANGSERVE_GRAPHS"]).values():
    print(named(graph["path"], ":").name)
print(type(named(json.loads(os.environ["LANGGRAPH_HTTP"])["app"], ":")).__name__)
asyncio.run(opened())
print(importlib.import_module("graph").__file__)
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def python_block(name: str) -> str:
    (text,) = [block for block in blocks("python") if block.startswith(f'"""{name}:')]
    return text


def module_of(text: str, path: Path) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_left_out(path: str) -> bool:
    """Tell whether Docker leaves a file out: the last rule that fits it, or a folder above it, decides."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    left_out = False
    for rule in (line.strip() for line in lines if line.strip() and not line.startswith("#")):
        places = [path, *(str(place) for place in Path(path).parents)][:-1]
        if any(_fits(place, rule.removeprefix("!")) for place in places):
            left_out = not rule.startswith("!")
    return left_out


def _fits(path: str, pattern: str) -> bool:
    """Match as Docker does: a pattern is anchored at the root, and its `*` stays within one name."""
    anywhere, pattern = pattern.startswith("**/"), pattern.removeprefix("**/")
    names, wanted = path.split("/"), pattern.split("/")
    ends = [names[-len(wanted) :]] if anywhere else [names]
    return any(
        len(end) == len(wanted) and all(fnmatchcase(name, part) for name, part in zip(end, wanted, strict=True))
        for end in ends
    )


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Have LangGraph's command line write the Dockerfile, in a folder that holds what it looks at."""
    langgraph = Path(sys.executable).with_name("langgraph")
    if not langgraph.exists():
        pytest.skip("langgraph-cli is not installed beside this Python")
    folder = tmp_path_factory.mktemp("deploy") / "jiyi"
    folder.mkdir()
    for name in ("langgraph.json", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    environment = {**os.environ, "LANGGRAPH_CLI_NO_ANALYTICS": "1"}  # noqa: TID251 - handed on to a process
    command = [str(langgraph), "dockerfile", str(folder / "Dockerfile")]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60, check=True)
    return (folder / "Dockerfile").read_text(encoding="utf-8")


def variables(dockerfile: str) -> dict[str, str]:
    """Read what the image sets, quoted as Docker reads it: an apostrophe in a value would end it."""
    set_there: dict[str, str] = {}
    for line in dockerfile.splitlines():
        if line.startswith("ENV "):
            for word in shlex.split(line.removeprefix("ENV ")):
                name, equals, value = word.partition("=")
                assert equals, f"Docker refuses {line!r}: {word!r} is no assignment"
                set_there[name] = value
    return set_there


def test_the_image_keeps_its_home_in_a_volume_and_sends_no_traces(dockerfile: str) -> None:
    set_there = variables(dockerfile)

    assert set_there["LANGSMITH_TRACING"] == "false"
    assert f"VOLUME {set_there['JIYI_HOME']}\n" in dockerfile
    assert set_there["JIYI_HOME"] in PAGE
    assert re.search(r"^ADD \. /deps/jiyi$", dockerfile, re.MULTILINE)
    assert "-e ." in dockerfile


def test_all_that_the_image_serves_are_modules_of_ours(dockerfile: str) -> None:
    set_there = variables(dockerfile)
    graphs = json.loads(set_there["LANGSERVE_GRAPHS"])
    paths = [graph["path"].replace(":", ".") for graph in graphs.values()]
    paths += [json.loads(set_there[name])["path"] for name in ("LANGGRAPH_STORE", "LANGGRAPH_CHECKPOINTER")]
    paths.append(json.loads(set_there["LANGGRAPH_HTTP"])["app"].replace(":", "."))

    assert set(graphs) == {"agent", "write", "sleep"}
    for path in paths:
        name, _, attribute = path.rpartition(".")
        module = importlib.import_module(name)
        assert hasattr(module, attribute), path
        assert Path(str(module.__file__)).is_relative_to(ROOT), path


def test_what_gets_into_the_image_suffices_to_open_everything(dockerfile: str, tmp_path: Path) -> None:
    image = tmp_path / "image"
    for path in files_of_the_image():
        (image / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, image / path)
    environment = {
        **os.environ,  # noqa: TID251 - handed on to a process
        **variables(dockerfile),
        "JIYI_HOME": str(tmp_path / "volume"),
        "PYTHONPATH": str(image),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    done = subprocess.run(
        [sys.executable, "-c", OPEN_ALL], cwd=image, env=environment, capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip

    assert done.returncode == 0, done.stderr[-2000:]
    *opened, home = done.stdout.split()
    assert opened == ["agent", "write", "sleep", "Starlette", "MemoryStore", "ThreadSaver"]
    assert Path(home).is_relative_to(image)


def files_of_the_image() -> Iterator[str]:
    packages = [name.rstrip("*") for name in _pyproject()["tool"]["setuptools"]["packages"]["find"]["include"]]
    for place in [ROOT / name for name in packages]:
        yield from (str(path.relative_to(ROOT)) for path in place.rglob("*") if path.is_file() and not _out(path))
    yield from (path.name for path in ROOT.iterdir() if path.is_file() and not _out(path))


def _out(path: Path) -> bool:
    return is_left_out(str(path.relative_to(ROOT)))


def _pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", NEVER)
def test_secrets_and_what_runs_leave_behind_stay_out_of_the_image(path: str) -> None:
    assert is_left_out(path)


def test_what_installs_and_every_package_gets_into_the_image() -> None:
    packages = [name.rstrip("*") for name in _pyproject()["tool"]["setuptools"]["packages"]["find"]["include"]]

    assert [path for path in (*NEEDED, *(f"{name}/__init__.py" for name in packages)) if is_left_out(path)] == []


def test_a_web_service_of_ones_own_answers_each_user_from_their_own_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDINGS", "none")
    text = python_block("serve.py")
    headers = {"Authorization": "Bearer first-long-random-token"}

    with TestClient(module_of(text, tmp_path / "serve.py").app) as client:
        told = client.post("/say", json={"text": "我对花生过敏", "thread": "one"}, headers=headers)
        asked = client.post("/say", json={"text": "What am I allergic to?", "thread": "two"}, headers=headers)
        stranger = client.post("/say", json={"text": "我对什么过敏？", "thread": "two"})

    assert (told.status_code, "花生" in asked.json()["reply"], stranger.status_code) == (200, True, 401)
    assert len(text.splitlines()) <= 35


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[DevServer]:
    """Run a server with the page's authentication."""
    server = DevServer(tmp_path, MODEL="offline", EMBEDDINGS="none", LANGSMITH_API_KEY="")
    (server.folder / "auth.py").write_text(python_block("auth.py"), encoding="utf-8")
    (added,) = (json.loads(block) for block in blocks("json"))
    served = json.loads((server.folder / "langgraph.json").read_text(encoding="utf-8"))
    served = {**served, "auth": added["auth"], "http": {**served["http"], **added["http"]}}
    (server.folder / "langgraph.json").write_text(json.dumps(served), encoding="utf-8")
    with server.running() as running:
        yield running


async def test_with_authentication_nobody_reaches_what_is_not_theirs(guarded: DevServer) -> None:
    first = get_client(url=guarded.url, headers={"Authorization": "Bearer first-long-random-token"})
    second = get_client(url=guarded.url, headers={"Authorization": "Bearer second-long-random-token"})
    async with first, second:
        thread = (await first.threads.create())["thread_id"]
        said: dict[str, Any] = {"messages": [{"role": "user", "content": "我对花生过敏"}]}
        await first.runs.wait(thread, "agent", input=said, context={"user_id": "customer-8"})

        assert await kept(first, "customer-7")  # the identity counts, whatever the context says
        assert await kept(second, "customer-8") == []
        for refused in (
            kept(second, "customer-7"),
            second.threads.get(thread),
            second.runs.wait(thread, "agent", input=said),
            second.store.list_namespaces([]),
        ):
            with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as error:
                await refused
            assert error.value.response.status_code in (403, 404)

    async with httpx.AsyncClient(base_url=guarded.url) as nobody:
        for headers in ({}, {"x-auth-scheme": "langsmith", "x-api-key": "any"}):
            for answer in (await nobody.post("/threads/search", json={}, headers=headers), await nobody.get("/", headers=headers)):  # fmt: skip
                assert answer.status_code in (401, 403)


async def kept(client: Any, user: str) -> list[Any]:
    found = await client.store.search_items(user_root(user), limit=50)
    return list(found["items"])


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="there is no sqlite3 command here")
def test_the_backup_holds_what_the_log_held_and_is_private(tmp_path: Path) -> None:
    (script,) = blocks("sh")
    home, backup = tmp_path / "home", tmp_path / "backup"
    with closing(connect(home / "memory.db")) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES ('in the log')")
        (home / "key").write_text("secret")
        environment = {**os.environ, "JIYI_HOME": str(home), "BACKUP": str(backup)}  # noqa: TID251
        subprocess.run(["sh", "-eu", "-c", script], env=environment, timeout=30, check=True)

    with closing(sqlite3.connect(backup / "memory.db")) as copy:
        assert copy.execute("SELECT a FROM t").fetchall() == [("in the log",)]
    assert {path.name: path.stat().st_mode & 0o077 for path in backup.iterdir()} == {"memory.db": 0, "key": 0}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_unit_is_one_that_systemd_reads(tmp_path: Path) -> None:
    (text,) = blocks("ini")
    here = text.replace("/opt/jiyi/.venv/bin/langgraph", str(Path(sys.executable).with_name("langgraph")))
    unit = tmp_path / "jiyi.service"
    unit.write_text(here.replace("User=jiyi\n", ""), encoding="utf-8")

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, timeout=60, check=False
    )

    assert [line for line in (done.stdout + done.stderr).splitlines() if "jiyi.service" in line] == []
