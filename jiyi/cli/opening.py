"""Opening the store for a command: to read what is there without making anything, or to write."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from graph.clock import utc_now
from graph.policies import policies_of
from graph.settings import MEDIA_FOLDER, STORE_FILE, settings
from jiyi.cli.output import tell
from memory.seams import Embedder
from store.chroma.index import ChromaIndex
from store.embed.choice import embedder_named, embedder_stored_as
from store.media_files import MediaFiles
from store.memory_store import MemoryStore
from store.vectors import ExactIndex


@asynccontextmanager
async def store_to_read(*, by_meaning: bool = False) -> AsyncIterator[MemoryStore]:
    """Open the home's store; where nothing has been kept yet, an empty one that leaves no trace.

    Args:
        by_meaning: It will be searched, so an embedder is needed; it is loaded at the first search.
    """
    embedder = _chosen_embedder() if by_meaning else None
    path = settings().jiyi_home / STORE_FILE
    if path.exists():
        async with _opened(path, embedder, keeps_up=False) as store:
            yield store
        return
    tell(f"Nothing has been kept yet: there is no {path}.")
    with tempfile.TemporaryDirectory(prefix="jiyi-") as empty:
        async with _opened(Path(empty) / STORE_FILE, None, keeps_up=False) as store:
            yield store


@asynccontextmanager
async def store_to_write(*, indexed: bool = False, keeps_up: bool = True) -> AsyncIterator[MemoryStore]:
    """Open the home's store with the embedder that the settings name; both are made as needed.

    Args:
        indexed: With Chroma behind it; otherwise what is written is queued for whoever owns the index.
        keeps_up: Meanwhile index what waits for its vectors.
    """
    path = settings().jiyi_home / STORE_FILE
    async with _opened(path, _chosen_embedder(), keeps_up=keeps_up, indexed=indexed) as store:
        yield store


def _chosen_embedder() -> Embedder | None:
    return embedder_named(settings().embeddings, endpoint=settings().embeddings_endpoint)


@asynccontextmanager
async def _opened(
    path: Path, embedder: Embedder | None, *, keeps_up: bool, indexed: bool = False
) -> AsyncIterator[MemoryStore]:
    store = MemoryStore(
        path,
        clock=utc_now,
        embedder=embedder,
        others=partial(embedder_stored_as, endpoint=settings().embeddings_endpoint),
        index=partial(ChromaIndex, url=settings().chroma_url) if indexed else ExactIndex,
        policies=policies_of(settings()),
        media=MediaFiles(settings().jiyi_home / MEDIA_FOLDER),
    )
    async with store.opened(keeps_up=keeps_up):
        yield store
