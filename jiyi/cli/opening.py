"""Opening the store for a command: to read what is there without making anything, or to write."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from graph.clock import utc_now
from graph.settings import STORE_FILE, settings
from jiyi.cli.output import tell
from memory.seams import Embedder
from store.embed.choice import embedder_named
from store.memory_store import MemoryStore


@asynccontextmanager
async def store_to_read(*, by_meaning: bool = False) -> AsyncIterator[MemoryStore]:
    """Open the home's store; where nothing has been kept yet, an empty one that leaves no trace.

    Args:
        by_meaning: It will be searched, so an embedder is needed; it is loaded at the first search.
    """
    embedder = embedder_named(settings().embeddings) if by_meaning else None
    path = settings().jiyi_home / STORE_FILE
    if path.exists():
        async with _opened(path, embedder) as store:
            yield store
        return
    tell(f"Nothing has been kept yet: there is no {path}.")
    with tempfile.TemporaryDirectory(prefix="jiyi-") as empty:
        async with _opened(Path(empty) / STORE_FILE, None) as store:
            yield store


@asynccontextmanager
async def store_to_write() -> AsyncIterator[MemoryStore]:
    """Open the home's store with the embedder that the settings name; both are made as needed."""
    embedder = embedder_named(settings().embeddings)
    async with _opened(settings().jiyi_home / STORE_FILE, embedder) as store:
        yield store


@asynccontextmanager
async def _opened(path: Path, embedder: Embedder | None) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(path, clock=utc_now, embedder=embedder).opened() as store:
        yield store
