"""`langgraph dev` as `make dev` starts it, in a process group and a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S, STOP_TIMEOUT_S, LOOK_AGAIN_S = 90.0, 20.0, 0.1
TAIL_CHARS = 6000
QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "LOG_COLOR": "false",
}


class ServerError(RuntimeError):
    """The server did not come up; the text holds the end of its log."""


class DevServer:
    """A server that can be started, stopped, killed and started again on the same home and folder.

    It runs in a folder that holds a copy of `langgraph.json` only, so that the checkout stays clean and what the
    server itself writes (`.langgraph_api`) can be looked at.
    """

    def __init__(self, place: Path, **settings: str) -> None:
        self.home, self.folder, self.log = place / "home", place / "served", place / "server.log"
        self.url = f"http://127.0.0.1:{_free_port()}"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self.folder.mkdir(parents=True)
        shutil.copy(ROOT / "langgraph.json", self.folder)

    @property
    def environment(self) -> dict[str, str]:
        """Give what the server, and a command beside it, have to find set."""
        outside = dict(os.environ)  # noqa: TID251 - handed on to a process
        return {**outside, **QUIET, "JIYI_HOME": str(self.home), "PYTHONPATH": str(ROOT), **self._settings}

    @contextmanager
    def running(self) -> Iterator[DevServer]:
        """Run while the block does, whatever the block did to it."""
        self.start()
        try:
            yield self
        finally:
            self.stop()

    def start(self) -> None:
        """Start and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command(), cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self._wait_until_up(self._process)

    def stop(self) -> None:
        """End it as a terminal would; kill what does not end."""
        if self._signalled(signal.SIGTERM) and self._ended(STOP_TIMEOUT_S):
            return
        self.kill()

    def kill(self) -> None:
        """Kill the whole group at once (SIGKILL)."""
        if self._signalled(signal.SIGKILL):
            self._ended(STOP_TIMEOUT_S)

    def tail(self) -> str:
        """Give the end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-TAIL_CHARS:] if self.log.exists() else ""

    def run(self, *arguments: str, settings: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a Python module beside it, with its home."""
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env={**self.environment, **(settings or {})},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def _command(self) -> list[str]:
        langgraph = Path(sys.executable).with_name("langgraph")
        port = self.url.rpartition(":")[2]
        options = ["--no-browser", "--no-reload", "--n-jobs-per-worker", "10", "--host", "127.0.0.1", "--port", port]
        return [str(langgraph), "dev", *options]

    def _wait_until_up(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and process.poll() is None:
            if self._is_up():
                return
            time.sleep(LOOK_AGAIN_S)
        self.kill()
        raise ServerError(f"`langgraph dev` did not come up at {self.url}. The end of its log:\n{self.tail()}")

    def _is_up(self) -> bool:
        try:
            return httpx.get(f"{self.url}/ok", timeout=5).is_success
        except httpx.TransportError:
            return False

    def _signalled(self, number: int) -> bool:
        if self._process is None:
            return False
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            self._process.wait()
            return False
        return True

    def _ended(self, timeout_s: float) -> bool:
        if self._process is None:
            return True
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
