"""The server's side: what langgraph.json names, opened once per server and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from graph.identity import user_of
from graph.parts import Parts, process_parts
from graph.secret import owner_name, secret_of
from graph.settings import STORE_FILE, THREADS_FILE
from store.checkpointer import ThreadSaver, open_saver
from store.chroma.index import ChromaIndex
from store.embed.choice import embedder_stored_as
from store.memory_store import MemoryStore


@asynccontextmanager
async def open_store() -> AsyncIterator[MemoryStore]:
    """Open the process's store."""
    async with store_with(process_parts()) as store:
        yield store


@asynccontextmanager
async def open_checkpointer() -> AsyncIterator[ThreadSaver]:
    """Open the process's checkpointer."""
    async with saver_with(process_parts()) as saver:
        yield saver


@asynccontextmanager
async def store_with(parts: Parts) -> AsyncIterator[MemoryStore]:
    """Open the store where the settings say, with the parts' clock and embedder."""
    path = parts.settings.jiyi_home / STORE_FILE
    store = MemoryStore(
        path,
        clock=parts.clock,
        embedder=parts.embedder,
        own_texts=parts.own_texts,
        others=partial(embedder_stored_as, endpoint=parts.settings.embeddings_endpoint),
        index=partial(ChromaIndex, url=parts.settings.chroma_url),
    )
    async with store.opened():
        yield store


@asynccontextmanager
async def saver_with(parts: Parts) -> AsyncIterator[ThreadSaver]:
    """Open the checkpointer where the settings say; owners are named by the home's secret."""
    secret = await secret_of(parts.settings)
    naming = partial(owner_name, secret)

    def speaker(runtime: Any) -> str:
        return user_of(runtime, parts.settings)

    async with open_saver(parts.settings.jiyi_home / THREADS_FILE, owner_of=naming, user_of=speaker) as saver:
        yield saver
