"""AfterWrites: give what was just written its vectors, without a reply that waits for a network."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from store.background import logged
from store.indexing import Indexer

log = logging.getLogger(__name__)
LAST_S = 5.0
"""How long the end is put off for what is under way; the rest is done at the next start."""


class AfterWrites:
    """Embeds before the writer goes on, or in the background where the embedder is far (its `is_remote` is true).

    Until its vectors are there, what was written is found by keyword.
    """

    def __init__(self, indexer: Indexer, embedder: object) -> None:
        self._indexer = indexer
        self._is_far = bool(getattr(embedder, "is_remote", False))
        self._is_open = False
        self._is_asked = False
        self._work: asyncio.Task[None] | None = None

    async def index(self) -> None:
        """Embed what was written, or see to it that this is begun at once."""
        if not (self._is_far and self._is_open):
            await self._indexer.catch_up()
            return
        self._is_asked = True
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._catch_up(), name="index-what-was-written")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Allow work in the background meanwhile; at the end wait for it, 5 s at most."""
        self._is_open = True
        try:
            yield
        finally:
            self._is_open = False
            if self._work is not None:
                await asyncio.wait({self._work}, timeout=LAST_S)
                self._work.cancel()
                with suppress(asyncio.CancelledError):
                    await self._work

    async def _catch_up(self) -> None:
        while self._is_asked:
            self._is_asked = False
            await logged(self._indexer.catch_up(), "index what was written", log=log)
