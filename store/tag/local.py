"""LocalTagger: marks the words that say lasting facts, with a model on this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import Lock

from threadpoolctl import ThreadpoolController

from memory.tagging.marks import Mark
from memory.tagging.whole import whole
from memory.tagging.witness import Witness
from store.tag.choice import LOCAL
from store.tag.decoding import Scores, marks_of, witness_of
from store.tag.encoder import Encoder
from store.tag.pieces import Piece, Pieces
from store.tag.trained import Trained, read_trained
from store.tag.weights import Weights, read_weights

MOST_PIECES = 48
"""So many are read at once: most messages that it was trained on are shorter, and in longer ones less is found."""
MOST_CHARS = 6_000
"""What stands after so many is not read: it is pasted more often than told."""
REMEMBERED = 256
"""A message is read again when its turn is tried again."""
_ENDS = re.compile(r"[。！？!?\n;；]+\s*|\.\s+|[,，]\s*|\s+")


class LocalTagger:
    """Tags one message at a time; the model is loaded at first use, in a second or two, and takes up to 400 MB."""

    def __init__(
        self,
        weights: Callable[[], Weights] = read_weights,
        trained: Callable[[], Trained] = read_trained,
    ) -> None:
        self.name = LOCAL
        self._weights = weights
        self._trained = trained
        self._lock = Lock()
        self._remembered = lru_cache(REMEMBERED)(self._read)

    def tag(self, text: str) -> tuple[Mark, ...]:
        """Mark what a message says that lasts.

        Raises:
            WeightsError: The model is not there, or cannot be read.
        """
        with self._lock:
            parts = self._remembered(text)
            marks = (mark for part in parts for mark in self._model.marks(part))
            return tuple(whole(text, marks))

    def witness(self, text: str, start: int, end: int) -> Witness | None:
        """Give what the words from `start` to `end` say; None where they begin behind what is read.

        Raises:
            WeightsError: The model is not there, or cannot be read.
        """
        with self._lock:
            part = next((one for one in self._remembered(text) if one.start <= start < one.end), None)
            return self._model.witness(part, start, end) if part else None

    @cached_property
    def _model(self) -> _Model:
        return _Model(self._weights(), self._trained())

    def _read(self, text: str) -> tuple[_Part, ...]:
        return tuple(self._model.read(text[:MOST_CHARS]))


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A part of a message, its pieces (they stand from its start on), and what speaks for each class of each head."""

    start: int
    end: int
    pieces: list[Piece]
    scores: Scores


class _Model:
    """The model, in memory."""

    def __init__(self, weights: Weights, trained: Trained) -> None:
        self._pieces = Pieces(weights)
        self._encoder = Encoder(weights, first=trained.first, then=trained.layers)
        self._trained = trained
        self._threads = ThreadpoolController()

    def read(self, text: str) -> Iterator[_Part]:
        for start, end in self._parts(text):
            pieces = self._pieces.of(text[start:end])
            # More threads wait for each other, busily, over matrices this small.
            with self._threads.limit(limits=1, user_api="blas"):
                states = self._encoder.encoded([piece.number for piece in pieces])
            scores = {name: states @ matrix + bias for name, (matrix, bias) in self._trained.heads.items()}
            yield _Part(start=start, end=end, pieces=pieces, scores=scores)

    def marks(self, part: _Part) -> Iterator[Mark]:
        for mark in marks_of(part.scores, part.pieces, self._trained.attributes):
            yield replace(mark, start=mark.start + part.start, end=mark.end + part.start)

    def witness(self, part: _Part, start: int, end: int) -> Witness | None:
        names = self._trained.attributes
        return witness_of(part.scores, part.pieces, names, start=start - part.start, end=end - part.start)

    def _parts(self, text: str) -> Iterator[tuple[int, int]]:
        """Cut a text into parts that can be read at once, after a sentence, else a clause, else a word."""
        start = 0
        while start < len(text):
            end = self._fitting(text, start)
            if text[start:end].strip():
                yield start, end
            start = end

    def _fitting(self, text: str, start: int) -> int:
        pieces = [piece for piece in self._pieces.of(text[start:]) if piece.start >= 0]
        if len(pieces) <= MOST_PIECES:
            return len(text)
        return _cut(text, start, start + pieces[MOST_PIECES].start)


def _cut(text: str, start: int, upto: int) -> int:
    """Give where to cut: behind the last mark of an end in the second half of what fits."""
    ends = [(match[0].strip()[:1], match.end()) for match in _ENDS.finditer(text, start, upto)]
    late = [(mark, end) for mark, end in ends if end - start > (upto - start) // 2]
    for wanted in ("。！？!?.;；\n", ",，", ""):
        fitting = [end for mark, end in late if not wanted or (mark and mark in wanted)]
        if fitting:
            return fitting[-1]
    return upto
