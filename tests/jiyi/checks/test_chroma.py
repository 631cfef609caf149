"""A Chroma server that does not answer is told, with what to do."""

from __future__ import annotations

import socket
from pathlib import Path

from graph.settings import Settings
from jiyi.cli.checks.chroma import check_chroma
from tests.store.chroma_server import chroma_server


def status(url: str, *, ask: bool = True) -> list[tuple[str, bool]]:
    return [(one.status, bool(one.advice)) for one in check_chroma(Settings(chroma_url=url), ask=ask)]


def test_without_a_server_nothing_is_said() -> None:
    assert status("") == []


def test_a_server_that_runs_is_well_and_one_that_does_not_is_a_warning(tmp_path: Path) -> None:
    with chroma_server(tmp_path / "chroma") as url:
        assert status(url) == [("ok", False)]
    assert status(url) == [("warn", True)]
    assert status(url, ask=False) == [("ok", False)]


def test_what_is_no_chroma_server_is_a_warning() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        other.close()
        assert status(url) == [("warn", True)]
