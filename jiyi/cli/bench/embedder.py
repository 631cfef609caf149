"""The embedder that a benchmark is asked to measure with."""

from __future__ import annotations

from pathlib import Path

import typer

from graph.settings import settings
from jiyi.evals.embedding import WatchedEmbedder, bench_embedder
from store.embed.choice import UnknownEmbedderError


def chosen_embedder(embeddings: str | None, cache: Path | None) -> WatchedEmbedder | None:
    """Give the embedder of `--embeddings`, or the one that is set where none is named; None for `none`.

    Args:
        embeddings: As typed.
        cache: Where vectors of turns are kept from run to run; None: nowhere.

    Raises:
        typer.BadParameter: There is no such embedder.
    """
    chosen = settings()
    name = embeddings or chosen.embeddings
    try:
        return bench_embedder(name, endpoint=chosen.embeddings_endpoint, cache=cache)
    except UnknownEmbedderError as error:
        raise typer.BadParameter(
            f"{name!r} names no embedder; give local, small, openai:<name> or none.", param_hint="--embeddings"
        ) from error
