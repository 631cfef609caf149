"""ChromaProcess: Chroma in a child process, asked over a pipe from a thread of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from memory.seams import Vector
from store.errors import StoreError

log = logging.getLogger(__name__)
CHILD = Path(__file__).with_name("child.py")
START_TIMEOUT_S, ANSWER_TIMEOUT_S, STOP_TIMEOUT_S = 60.0, 30.0, 5.0
SEARCH_TIMEOUT_S = 1.0
"""Exact search takes less than this up to some 100,000 vectors, so longer need nobody wait for Chroma."""


class ChromaError(StoreError):
    """Chroma refused something, or is not there; exact search serves meanwhile."""


class ChromaGoneError(ChromaError):
    """The child process could not open Chroma, has ended, or does not answer."""


class ChromaLateError(ChromaGoneError):
    """The child has not answered in time; it may still be at work."""


class ChromaProcess:
    """Starts the child at the first request, and again after it has ended.

    Args:
        place: A directory (made as needed, for its owner only), or the address of a Chroma server.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chroma")

    async def ask(self, do: str, numbers: Sequence[Vector] | bytes = b"", /, **given: Any) -> dict[str, Any]:
        """Send one request and wait for its answer; requests are answered one after the other.

        Raises:
            ChromaError: Chroma refused it.
            ChromaGoneError: There is no child that answers; it is ended, and the next request starts another.
        """
        timeout_s = ANSWER_TIMEOUT_S if self._child is not None else START_TIMEOUT_S
        try:
            return await self._asked(do, numbers, timeout_s, given)
        except ChromaLateError:
            self._kill()
            raise

    async def search(self, vector: Vector, /, **given: Any) -> dict[str, Any]:
        """Ask a child that is at work for the nearest vectors, and do not wait for long.

        Raises:
            ChromaError: Chroma refused it.
            ChromaGoneError: There is no child, or none that answers soon.
        """
        if self._child is None:
            raise ChromaGoneError("Cannot search with Chroma: it is not running.")
        return await self._asked("nearest", [vector], SEARCH_TIMEOUT_S, given)

    async def _asked(
        self, do: str, numbers: Sequence[Vector] | bytes, timeout_s: float, given: dict[str, Any]
    ) -> dict[str, Any]:
        raw = numbers if isinstance(numbers, bytes) else np.asarray(numbers, dtype="<f4").tobytes()
        line = json.dumps({"do": do, "bytes": len(raw), **given}).encode() + b"\n"
        try:
            async with asyncio.timeout(timeout_s):
                answer = await asyncio.get_running_loop().run_in_executor(self._thread, self._exchange, line + raw)
        except TimeoutError as error:
            raise ChromaLateError(f"Cannot ask Chroma to {do}: no answer within {timeout_s:.0f} s.") from error
        if "error" in answer:
            raise ChromaError(f"Cannot ask Chroma to {do}: {answer['error']}: {answer['why']}")
        return answer

    async def stop(self) -> None:
        """Let the child finish what it is at, if that is soon, and end; the next request starts another."""
        stopping = asyncio.get_running_loop().run_in_executor(self._thread, self._stop)
        done, _ = await asyncio.wait([stopping], timeout=STOP_TIMEOUT_S)
        if not done:
            self._kill()
            await stopping

    async def close(self) -> None:
        """End the child and the thread; after that nothing can be asked."""
        await self.stop()
        self._thread.shutdown(wait=False)

    def _exchange(self, request: bytes) -> dict[str, Any]:
        child = self._started()
        asked, answered = child.stdin, child.stdout
        if asked is None or answered is None:
            raise ChromaGoneError("Cannot ask Chroma: its process has no pipes.")
        try:
            asked.write(request)
            asked.flush()
            line = answered.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise ChromaGoneError(f"Cannot ask Chroma: its process ended with status {self._stop()}; see its messages.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            command = [sys.executable, "-P", str(CHILD), self.place]
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        return self._child

    def _stop(self) -> int | None:
        child, self._child = self._child, None
        if child is None:
            return None
        for pipe in (child.stdin, child.stdout):
            _closed(pipe)
        try:
            return child.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            return child.wait()

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()  # the thread that waits for its answer sees the end of the pipe, and cleans up


def _closed(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError as error:  # a request that it never read
        log.debug("Closing the pipe to Chroma: %s", error)
