"""The choice of an embedder by its name."""

from __future__ import annotations

from memory.seams import Embedder
from store.embed.local import LocalEmbedder


class UnknownEmbedderError(ValueError):
    """An embedder was named that there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot embed with {name!r}: set EMBEDDINGS to `local` or `none`.")


def embedder_named(name: str) -> Embedder | None:
    """Give the embedder of a name; None for `none` (memories are then found by keyword).

    Raises:
        UnknownEmbedderError: There is no such embedder.
    """
    if name == "none":
        return None
    if name == "local":
        return LocalEmbedder()
    raise UnknownEmbedderError(name)
