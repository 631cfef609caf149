"""Media files: the bytes of pictures, recordings and files that threads refer to, each thread's in a folder of its own.

A file is named by the SHA-256 of what is in it, so that the same bytes are kept once however often a thread holds them,
and what was damaged is not given back. Nobody reads a file but through its thread: a reference that somebody makes up
leads nowhere.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from store.connect import PRIVATE_FILE, make_private_directory

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What is safe as a folder's name on every system, where it is small letters only."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


class MediaFiles:
    """A folder with the bytes of each thread's media; its files and folders are their owner's only."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, thread_id: str, data: bytes) -> str:
        """Keep bytes for a thread, and give their SHA-256; what is kept already is not written again."""
        sha256 = hashlib.sha256(data).hexdigest()
        path = self._path(thread_id, sha256)
        if not path.exists():
            make_private_directory(path.parent)
            _write(path, data)
        return sha256

    def read(self, thread_id: str, sha256: str) -> bytes | None:
        """Give the bytes of a thread; None where they are not kept, or are damaged."""
        if not _SHA256.fullmatch(sha256):
            return None
        try:
            data = self._path(thread_id, sha256).read_bytes()
        except FileNotFoundError:
            return None
        return data if hashlib.sha256(data).hexdigest() == sha256 else None

    def drop(self, thread_id: str, sha256s: Iterable[str]) -> None:
        """Delete bytes of a thread; those that are gone stay gone."""
        for sha256 in sha256s:
            if _SHA256.fullmatch(sha256):
                self._path(thread_id, sha256).unlink(missing_ok=True)

    def drop_thread(self, thread_id: str) -> None:
        """Delete all bytes of a thread."""
        if self._folder(thread_id).exists():
            shutil.rmtree(self._folder(thread_id))

    def copy_thread(self, source: str, target: str) -> None:
        """Let another thread refer to what this one does; deleting one of them leaves the other's."""
        folder = self._folder(source)
        for path in folder.iterdir() if folder.exists() else ():
            if _SHA256.fullmatch(path.name):
                self.keep(target, path.read_bytes())

    def _folder(self, thread_id: str) -> Path:
        named = thread_id if _UUID.fullmatch(thread_id) else hashlib.sha256(thread_id.encode()).hexdigest()
        return self.root / named

    def _path(self, thread_id: str, sha256: str) -> Path:
        return self._folder(thread_id) / sha256


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
