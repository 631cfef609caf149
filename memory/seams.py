"""The seams that rules and adapters share: an embedder, a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

Clock = Callable[[], datetime]
"""Gives the time now, aware, in UTC."""

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors of unit length; different embedders' vectors are never compared."""

    @property
    def name(self) -> str:
        """Say which model and version it is; vectors are kept under this name."""
        ...

    @property
    def dimensions(self) -> int:
        """Say how long a vector is."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept.

        Raises:
            EmbeddingError: The model cannot be loaded or reached; nothing was embedded.
        """
        ...

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for.

        Raises:
            EmbeddingError: The model cannot be loaded or reached; nothing was embedded.
        """
        ...


class EmbeddingError(RuntimeError):
    """Texts could not be embedded; what they belong to stays, and is found by keyword."""
