"""Holders: which processes are alive, so that what a dead one was at work on can be taken over."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from store.connect import make_private_directory


class Holders:
    """A directory of lock files, one per live process (the system frees a dead one's lock, kill -9 included)."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @asynccontextmanager
    async def joined(self) -> AsyncIterator[str]:
        """Hold a lock of one's own while the block runs; give the name it is held under."""
        name = f"{os.getpid()}-{secrets.token_hex(4)}"
        lock = FileLock(self._lock_path(name), thread_local=False, mode=0o600)
        await asyncio.to_thread(self._join, lock)
        try:
            yield name
        finally:
            await asyncio.to_thread(self._leave, lock, name)

    def dead(self, name: str) -> bool:
        """Tell whether no process holds this name any more (blocking: call it off the event loop)."""
        path = self._lock_path(name)
        if not path.exists():
            return True
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        self._leave(lock, name)
        return True

    def _lock_path(self, name: str) -> Path:
        return self._directory / f"{name}.lock"

    def _join(self, lock: FileLock) -> None:
        make_private_directory(self._directory)
        lock.acquire()

    def _leave(self, lock: FileLock, name: str) -> None:
        lock.release()
        self._lock_path(name).unlink(missing_ok=True)
