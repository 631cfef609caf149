"""A Chroma server on loopback, and the vector indexes that every store test may run with."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memory.seams import Vector
from store.chroma.index import DEEPEST, ChromaIndex
from store.chroma.process import ChromaProcess
from store.database import Database
from store.vectors import Neighbour

START_TIMEOUT_S, LOOK_AGAIN_S = 60.0, 0.1


class EagerIndex(ChromaIndex):
    """Holds every partition in Chroma, is caught up before each search, and leaves nothing to exact search."""

    def __init__(self, database: Database, process: ChromaProcess) -> None:
        super().__init__(database, crossover=1, process=process)

    async def nearest(
        self, query: Vector, *, model: str, scopes: Sequence[int], among: Collection[int] | None, limit: int
    ) -> list[Neighbour]:
        assert await self.keeper.keep(scan=True)
        usable, before = await self._usable(model, set(scopes), len(query)), self.answered
        found = await super().nearest(query, model=model, scopes=scopes, among=None, limit=DEEPEST)
        assert self.answered - before == len(usable) == len({*scopes} & await self._with_vectors(model))
        return [one for one in found if among is None or one.item in among][:limit]

    async def _with_vectors(self, model: str) -> set[int]:
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT DISTINCT scope FROM items JOIN vectors ON item = items.id WHERE model = ?", (model,)
            ).fetchall()
        )
        return {row[0] for row in rows}


@contextmanager
def chroma_server(directory: Path) -> Iterator[str]:
    """Serve a directory; give the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(directory)]
    with (directory.parent / "chroma.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], stdout=log, stderr=log)
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(LOOK_AGAIN_S)
    raise RuntimeError(f"Cannot reach the Chroma server on port {port}: status {server.poll()}.")
