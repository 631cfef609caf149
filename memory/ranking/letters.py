"""Letters: the short runs of characters that a text is made of, numbered; they are alike where words are only nearly so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memory.words import CJK

Runs = NDArray[np.int64]

KINDS = 1 << 18
"""Runs are numbered below this; two that share a number are taken for one, which is rare and does little harm."""
WORD_RUNS, CJK_RUNS = (3, 4, 5), (1, 2, 3)
MOST_CHARS = 4_000
_PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")


def runs_of(text: str) -> Runs:
    """Number the runs of a text, with repetitions: 3 to 5 characters within words and at their ends, 1 to 3 of Chinese."""
    folded = unicodedata.normalize("NFKC", text[:MOST_CHARS]).casefold()
    numbers = [number for piece in _PIECE.findall(folded) for number in _numbers(piece)]
    return np.array(numbers, dtype=np.int64)


@lru_cache(maxsize=50_000)
def _numbers(piece: str) -> tuple[int, ...]:
    return tuple(crc32(run.encode()) % KINDS for run in _runs(piece))


def _runs(piece: str) -> Iterator[str]:
    is_cjk = re.match(f"[{CJK}]", piece) is not None
    whole = piece if is_cjk else f" {piece} "
    for length in CJK_RUNS if is_cjk else WORD_RUNS:
        for start in range(len(whole) - length + 1):
            yield whole[start : start + length]
