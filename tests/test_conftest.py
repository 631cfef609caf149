"""The guard that every test runs under: no network, no real data directory, no settings from outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graph.settings import settings
from tests.conftest import _is_loopback

LOOPBACK = ["127.0.0.1", "127.8.8.8", "::1", "localhost", b"localhost", None]
BEYOND = ["192.0.2.1", "2001:db8::1", "example.org", "", "0.0.0.0", "localhost.example.org", "127.0.0.1.example.org"]  # noqa: S104 - refused
PROBES = """
import asyncio, contextlib, os, socket

def test_connects_away():
    socket.socket().connect(("192.0.2.1", 80))

def test_swallows_the_refusal():
    with contextlib.suppress(Exception):
        socket.getaddrinfo("example.org", 80)

def test_listens_to_everybody():
    socket.socket().bind(("0.0.0.0", 0))

async def _talk():
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.close()
    server.close()

def test_talks_on_loopback():
    asyncio.run(_talk())

def test_sees_no_setting():
    assert not {"OPENAI_API_KEY", "MODEL", "EMBEDDINGS", "LANGSMITH_TRACING", "https_proxy"} & set(os.environ)

def test_has_a_home_of_its_own(tmp_path):
    assert os.environ["JIYI_HOME"] == str(tmp_path / "jiyi-home")
    assert os.getcwd() == str(tmp_path)
    assert os.listdir() == []
"""


def test_the_settings_that_a_test_reads_are_its_own(tmp_path: Path) -> None:
    assert settings().jiyi_home == tmp_path / "jiyi-home"


def test_the_settings_that_the_next_test_reads_are_its_own_too(tmp_path: Path) -> None:
    assert settings().jiyi_home == tmp_path / "jiyi-home"


@pytest.mark.parametrize("host", LOOPBACK)
def test_loopback_is_allowed(host: object) -> None:
    assert _is_loopback(host)


@pytest.mark.parametrize("host", BEYOND)
def test_all_else_is_refused(host: object) -> None:
    assert not _is_loopback(host)


def test_a_test_that_leaves_loopback_fails_even_when_it_swallows_the_refusal(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parent / "conftest.py", tmp_path)
    (tmp_path / "test_probe.py").write_text(PROBES)
    root = str(Path(__file__).parent.parent)
    outside = {
        "PYTHONPATH": root,
        "OPENAI_API_KEY": "k",
        "MODEL": "openai:x",
        "LANGSMITH_TRACING": "true",
        "https_proxy": "http://p",
    }

    report = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-rA",
            "-p",
            "no:asyncio",
            "-p",
            "no:cacheprovider",
            "--tb=line",
            str(tmp_path),
        ],
        cwd=tmp_path,
        env={**os.environ, **outside},  # noqa: TID251 - what the guard must clear
        capture_output=True,
        text=True,
        check=False,
    ).stdout

    assert "FAILED test_probe.py::test_connects_away" in report
    assert "ERROR test_probe.py::test_swallows_the_refusal" in report
    assert "FAILED test_probe.py::test_listens_to_everybody" in report
    assert "Refused socket.connect to '192.0.2.1': no test may open a socket beyond loopback" in report
    for probe in ("test_talks_on_loopback", "test_sees_no_setting", "test_has_a_home_of_its_own"):
        assert f"PASSED test_probe.py::{probe}" in report
