"""Pieces: a text cut into the pieces of the model's vocabulary, each with where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from tokenizers import Regex, Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC, Replace, Sequence
from tokenizers.pre_tokenizers import Metaspace

from store.tag.weights import Weights

PREFIX = "query: "
"""The model was trained on texts that begin so."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece: its number in the vocabulary, and where it stands in the text, without the space before it."""

    number: int
    start: int
    end: int


class Pieces:
    """Cuts texts; the pieces of `PREFIX` come first and stand at -1."""

    def __init__(self, weights: Weights) -> None:
        self._cut = Tokenizer(Unigram(list(weights.pieces), unk_id=weights.unknown, byte_fallback=False))
        self._cut.normalizer = Sequence([NFKC(), Replace(Regex(" {2,}"), " ")])
        self._cut.pre_tokenizer = Metaspace(prepend_scheme="always", split=False)

    def of(self, text: str) -> list[Piece]:
        """Give the pieces of a text, those of the prefix first."""
        cut = self._cut.encode(PREFIX + text)
        return [_placed(number, span, text) for number, span in zip(cut.ids, cut.offsets, strict=True)]


def _placed(number: int, span: tuple[int, int], text: str) -> Piece:
    start, end = (place - len(PREFIX) for place in span)
    if end <= 0:
        return Piece(number=number, start=-1, end=-1)
    start = max(start, 0)
    words = text[start:end]
    return Piece(number=number, start=start + len(words) - len(words.lstrip()), end=end)
