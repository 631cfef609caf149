"""The child process in which Chroma works: its writes stall whatever process they happen in.

Run as a script, with the directory or the server's address as its only argument. It knows nothing of Jiyi but this
protocol: each request and each answer is one line of JSON, then as many bytes of float32 numbers as its `bytes` says.
It ends when its input does, that is, with the process that started it. A directory is used under a lock of its own,
since that process may be gone before this one is.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

LOCK_WAIT_S = 20.0
POLITE = 5
EF, NEIGHBOURS = 400, 32
"""Width of the search while building and asking, and links per vector: more finds more and takes longer."""
BATCH, SYNC = 64, 128
"""After so many changes they enter the graph, and the file: a thousand at once, as Chroma does it, stop it for seconds."""

Numbers = NDArray[np.float32]


class Worker:
    """Carries out requests on Chroma's collections, each a method by its name."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._known: dict[str, Any] = {}

    def hello(self, _: Numbers, **__: Any) -> dict[str, Any]:
        """Say who one is, once Chroma is open."""
        return {"pid": os.getpid(), "version": self._client.get_version()}

    def names(self, _: Numbers, prefix: str) -> dict[str, Any]:
        """List the collections whose names begin so."""
        found = [one.name for one in self._client.list_collections(limit=None)]
        return {"names": [name for name in found if name.startswith(prefix)]}

    def make(self, _: Numbers, collection: str) -> dict[str, Any]:
        """Make a collection that is empty."""
        self.drop(_, collection)
        hnsw = {
            "space": "cosine",
            "ef_construction": EF,
            "ef_search": EF,
            "max_neighbors": NEIGHBOURS,
            "batch_size": BATCH,
            "sync_threshold": SYNC,
        }
        self._known[collection] = self._client.create_collection(
            collection, configuration={"hnsw": hnsw}, embedding_function=None
        )
        return {}

    def drop(self, _: Numbers, collection: str) -> dict[str, Any]:
        """Remove a collection, if it is there."""
        self._known.pop(collection, None)
        if collection in self.names(_, collection)["names"]:
            self._client.delete_collection(collection)
        return {}

    def count(self, _: Numbers, collection: str) -> dict[str, Any]:
        """Count the vectors of a collection."""
        return {"count": self._of(collection).count()}

    def upsert(self, numbers: Numbers, collection: str, ids: list[str]) -> dict[str, Any]:
        """Write vectors under their ids."""
        self._of(collection).upsert(ids=ids, embeddings=numbers.reshape(len(ids), -1))
        return {}

    def delete(self, _: Numbers, collection: str, ids: list[str]) -> dict[str, Any]:
        """Remove vectors; an id that is not there is none that must go."""
        self._of(collection).delete(ids=ids)
        return {}

    def nearest(self, numbers: Numbers, collection: str, limit: int) -> dict[str, Any]:
        """Find the vectors nearest to one, with their cosine distances, best first."""
        found = self._of(collection).query(query_embeddings=[numbers], n_results=limit, include=["distances"])
        return {"ids": found["ids"][0], "distances": [float(one) for one in found["distances"][0]]}

    def _of(self, collection: str) -> Any:
        if collection not in self._known:
            self._known[collection] = self._client.get_collection(collection, embedding_function=None)
        return self._known[collection]


def serve(worker: Worker, asked: BinaryIO, answered: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while line := asked.readline():
        request = json.loads(line)
        numbers = np.frombuffer(asked.read(request.pop("bytes")), dtype="<f4")
        answer = _answer(getattr(worker, request.pop("do")), numbers, request)
        answered.write(json.dumps(answer).encode() + b"\n")
        answered.flush()


def _answer(method: Callable[..., dict[str, Any]], numbers: Numbers, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return method(numbers, **request)
    except Exception as error:  # noqa: BLE001  (whatever Chroma raises is answered; who asked decides)
        return _fault(error)


def _fault(error: Exception) -> dict[str, Any]:
    return {"error": type(error).__name__, "why": str(error)[:500]}


def _client(place: str) -> Any:
    """Open Chroma: a server by its address, or a directory.

    Raises:
        Exception: Whatever Chroma raises where it cannot.
    """
    import chromadb  # noqa: PLC0415  (seconds; the lock comes first)
    from chromadb.config import Settings  # noqa: PLC0415

    quiet = Settings(anonymized_telemetry=False)
    if "://" not in place:
        return chromadb.PersistentClient(place, settings=quiet)
    address = urlsplit(place)
    secure = address.scheme == "https"
    port = address.port or (443 if secure else 80)
    return chromadb.HttpClient(address.hostname or "", port, ssl=secure, settings=quiet)


def main() -> None:
    """Open what the only argument names, say so, and serve."""
    from filelock import FileLock  # noqa: PLC0415

    place = sys.argv[1]
    answered = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    if hasattr(os, "nice"):
        os.nice(POLITE)
    try:
        if "://" not in place:
            FileLock(Path(f"{place}.lock"), mode=0o600).acquire(timeout=LOCK_WAIT_S)
            Path(place).mkdir(mode=0o700, exist_ok=True)
        client = _client(place)
    except Exception as error:  # noqa: BLE001  (whatever Chroma raises is the answer to the first request)
        answered.write(json.dumps(_fault(error)).encode() + b"\n")
        answered.flush()
        return
    serve(Worker(client), sys.stdin.buffer, answered)


if __name__ == "__main__":
    main()
