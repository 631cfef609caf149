"""The server's side: what langgraph.json names, opened once per server and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from graph.identity import owner_of, user_of
from graph.parts import Parts, process_parts
from graph.secret import owner_name, secret_of
from graph.settings import STORE_FILE, THREADS_FILE
from graph.tracing import redact_traces
from memory.privacy import redact
from store.checkpoint_redaction import Redactor
from store.checkpointer import RedactorFor, ThreadSaver, open_saver
from store.chroma.index import ChromaIndex
from store.embed.choice import embedder_stored_as
from store.memory_store import MemoryStore
from store.redacting import redactor_of


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
    """Open the store where the settings say, with the parts' clock and embedder; from now on traces are redacted."""
    redact_traces(parts.policies.privacy)
    path = parts.settings.jiyi_home / STORE_FILE
    store = MemoryStore(
        path,
        clock=parts.clock,
        embedder=parts.embedder,
        own_texts=parts.own_texts,
        others=partial(embedder_stored_as, endpoint=parts.settings.embeddings_endpoint),
        index=partial(ChromaIndex, url=parts.settings.chroma_url),
        policies=parts.policies,
        media=parts.shelf.files,
    )
    async with store.opened():
        yield store


@asynccontextmanager
async def saver_with(parts: Parts) -> AsyncIterator[ThreadSaver]:
    """Open the checkpointer where the settings say; owners are named by the home's secret.

    With `REDACT_THREADS` no checkpoint ever holds what was typed raw. That goes for our file: `langgraph dev` and LangGraph
    Server keep the inputs of runs in files of their own besides (`.langgraph_api`), as they came.
    """
    secret = await secret_of(parts.settings)
    naming = partial(owner_name, secret)

    def speaker(runtime: Any) -> str:
        return user_of(runtime, parts.settings)

    path, redactor_for = parts.settings.jiyi_home / THREADS_FILE, _redactor_for(parts)
    shelf = parts.shelf
    async with open_saver(path, owner_of=naming, user_of=speaker, redactor_for=redactor_for, shelf=shelf) as saver:
        yield saver


def _redactor_for(parts: Parts) -> RedactorFor | None:
    """Give what redacts threads: for a run with the names of its user's numbers, for an edit from outside without names."""
    if not parts.settings.redact_threads:
        return None

    def nameless(text: str) -> str:
        return redact(text, policy=parts.policies.privacy).text

    async def redactor_for(runtime: Any) -> Redactor:
        store = getattr(runtime, "store", None)
        if not isinstance(store, MemoryStore):
            return nameless
        return await redactor_of(store, owner_of(runtime, parts.settings))

    return redactor_for
