"""KeptEmbedder: vectors of texts that come with the product, embedded once per home instead of once per process.

Only for texts that nobody said (skills, sentences to compare with): a vector of somebody's words tells of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.seams import Embedder, Vector
from store.connect import make_private_directory

HASH_BYTES = 16


class KeptEmbedder:
    """An embedder that looks in a file before it works; the file may be deleted at any time.

    Args:
        embedder: Does the work.
        directory: Where the file is, one for each embedder.
    """

    def __init__(self, embedder: Embedder, directory: Path) -> None:
        self._embedder = embedder
        self._path = directory / f"{_hash(embedder.name).hex()}.npz"
        self._kept: dict[bytes, Vector] | None = None
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        """Say whose vectors these are."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """Say how long a vector is."""
        return self._embedder.dimensions

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give the vectors of texts that are kept, embedding those that are new."""
        async with self._turn:
            if self._kept is None:
                self._kept = await asyncio.to_thread(_read, self._path)
            if self.dimensions and _length(self._kept) != self.dimensions:
                self._kept = {}
            await self._add(texts, self._kept)
            return [self._kept[_hash(text)] for text in texts]

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for; these are somebody's words, so nothing of them is kept."""
        return await self._embedder.embed_queries(texts)

    async def _add(self, texts: Sequence[str], kept: dict[bytes, Vector]) -> None:
        new = [text for text in dict.fromkeys(texts) if _hash(text) not in kept]
        if not new:
            return
        vectors = await self._embedder.embed_passages(new)
        if kept and len(vectors[0]) != _length(kept):  # another model answers under this name now
            kept.clear()
            vectors, new = await self._embedder.embed_passages(texts), list(texts)
        kept.update({_hash(text): vector for text, vector in zip(new, vectors, strict=True)})
        await asyncio.to_thread(_write, self._path, kept)


def _length(kept: dict[bytes, Vector]) -> int:
    return len(next(iter(kept.values()), ()))


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=HASH_BYTES).digest()


def _read(path: Path) -> dict[bytes, Vector]:
    """Read the file; one that is missing or broken holds nothing, and is written anew."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:  # numpy leaves a broken one open
            hashes, vectors = held["hashes"], held["vectors"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}
    if vectors.ndim != 2 or len(vectors) != len(hashes):  # noqa: PLR2004
        return {}
    return {bytes(key): vector for key, vector in zip(hashes, vectors, strict=True)}


def _write(path: Path, kept: dict[bytes, Vector]) -> None:
    make_private_directory(path.parent)
    new = path.with_name(f"{path.stem}.{os.getpid()}.{secrets.token_hex(4)}.tmp.npz")
    hashes = np.array([np.frombuffer(key, dtype=np.uint8) for key in kept])
    np.savez(new, hashes=hashes, vectors=np.asarray(list(kept.values()), dtype=np.float32))
    new.chmod(0o600)
    new.replace(path)
