"""The seams that rules and adapters share: an embedder, a tagger, a compressor, a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from memory.tagging.marks import Mark
from memory.tagging.witness import Witness

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


class Tagger(Protocol):
    """Marks the words of a message that say lasting facts."""

    @property
    def name(self) -> str:
        """Say which it is, as in the setting TAGGER."""
        ...

    def tag(self, text: str) -> tuple[Mark, ...]:
        """Give what a message of the user says that lasts, in its order, already redacted.

        Called in a thread of its own: a long message takes a second.

        Raises:
            TaggingError: The model cannot be loaded or read; nothing was marked.
        """
        ...

    def witness(self, text: str, start: int, end: int) -> Witness | None:
        """Give what the words of a message from `start` to `end` say; None where it does not read that far.

        Raises:
            TaggingError: The model cannot be loaded or read.
        """
        ...


class TaggingError(RuntimeError):
    """A message could not be tagged; the rules read it alone."""


class Compressor(Protocol):
    """Makes texts shorter without saying anything new."""

    @property
    def name(self) -> str:
        """Say which it is, as in the setting COMPRESSOR."""
        ...

    def compress(self, text: str, target_tokens: int) -> str:
        """Give a text of about so many tokens that tells the same; a text that is no longer than that as it is.

        Called in a thread of its own: a model may take seconds.

        Raises:
            CompressionError: The model cannot be loaded, or failed on this text.
        """
        ...


class CompressionError(RuntimeError):
    """A text could not be compressed; whoever asked falls back to the rules."""
