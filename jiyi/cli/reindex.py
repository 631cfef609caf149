"""`jiyi reindex`: make the indexes anew from what is kept."""

from __future__ import annotations

import asyncio
from typing import Any

from jiyi.cli.opening import store_to_write
from jiyi.cli.options import JsonOption
from jiyi.cli.output import say, say_json
from jiyi.cli.progress import progress
from store.memory_store import MemoryStore
from store.reindex import count_searched, make_collections, make_vectors, missing_vectors, rewrite_words


def reindex(as_json: JsonOption = False) -> None:
    """Write the keyword index anew, embed what has no vectors, and let Chroma be filled anew; loses nothing."""
    done = asyncio.run(_reindex())
    if as_json:
        say_json(done)
        return
    say(f"words: {done['words']} items")
    say(f"vectors: {_vectors(done)}")
    say(f"chroma: {done['collections']} partitions{_by(done)}")


async def _reindex() -> dict[str, Any]:
    async with store_to_write(indexed=True, keeps_up=False) as store, store.index.running():
        total = await count_searched(store)
        with progress("writing words", total=total, what="items") as advance:
            words = await rewrite_words(store, advance)
        with progress("embedding", total=await _waiting(store), what="items") as advance:
            vectors = await make_vectors(store, advance)
        chroma = await make_collections(store)
    return {
        "words": words,
        "embedder": store.embedder.name if store.embedder else None,
        "embedded": vectors.made,
        "missing": vectors.missing,
        "collections": chroma.partitions,
        "by_another_process": chroma.by_another,
    }


async def _waiting(store: MemoryStore) -> int:
    await store.indexer.catch_up(limit=0)  # from here on what waits, waits for the embedder that is set
    return await missing_vectors(store)


def _vectors(done: dict[str, Any]) -> str:
    if done["embedder"] is None:
        return "none wanted (EMBEDDINGS=none)"
    whole = done["words"] - done["missing"]
    return f"{done['embedded']} items embedded by {done['embedder']}; {whole} have theirs, {done['missing']} do not"


def _by(done: dict[str, Any]) -> str:
    return "; the process that owns the index fills them within a minute" if done["by_another_process"] else ""
