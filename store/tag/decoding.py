"""Decoding: from what each piece most likely is to marks on a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.tagging.marks import NAMES, Mark, Owner
from memory.tagging.witness import Witness
from store.tag.encoder import softmax
from store.tag.pieces import Piece
from store.tag.weights import Floats

OWNERS: tuple[Owner, ...] = ("user", "person", "pet", "thing")
NAMING = "*"
"""How the attribute of words that name an owner is called in the training data."""
OUTSIDE, BEGINS, GOES_ON = range(3)
_NEVER = np.float32(-1e9)

Scores = Mapping[str, Floats]


def marks_of(scores: Scores, pieces: Sequence[Piece], attributes: Sequence[str]) -> Iterator[Mark]:
    """Give the marks of a text.

    Args:
        scores: For each head what speaks for each class, (pieces, classes), unnormalised.
        pieces: Where each piece stands; those that stand at -1 are passed over.
        attributes: The names of the classes of the head `attribute`.
    """
    shares = {head: softmax(values) for head, values in scores.items()}
    for first, end in _spans(shares["part"], pieces):
        about = {head: values[first:end].mean(axis=0) for head, values in shares.items()}
        attribute, owner = (int(about[head].argmax()) for head in ("attribute", "owner"))
        sure = (1 - about["part"][OUTSIDE]) * about["attribute"][attribute] * about["owner"][owner]
        name = attributes[attribute]
        yield Mark(
            start=pieces[first].start,
            end=pieces[end - 1].end,
            owner=OWNERS[owner],
            attribute=NAMES if name == NAMING else name,
            ended=bool(about["ended"].argmax()),
            confidence=float(sure),
        )


def witness_of(
    scores: Scores, pieces: Sequence[Piece], attributes: Sequence[str], *, start: int, end: int
) -> Witness | None:
    """Give what the words from `start` to `end` say; None where no piece stands there. The rest is as for `marks_of`."""
    touched = [at for at, piece in enumerate(pieces) if piece.start >= 0 and piece.start < end and piece.end > start]
    if not touched:
        return None
    about = {head: softmax(values[touched]).mean(axis=0) for head, values in scores.items()}
    return Witness(
        lasting=float(1 - about["part"][OUTSIDE]),
        owners=dict(zip(OWNERS, map(float, about["owner"]), strict=True)),
        attributes=dict(zip(attributes, map(float, about["attribute"]), strict=True)),
        ended=float(about["ended"][1]),
    )


def _spans(shares: Floats, pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Give the first piece of each fact and the one after its last."""
    parts = _likeliest(np.log(shares + 1e-9))
    at = 0
    while at < len(parts):
        end = at + 1
        if parts[at] != OUTSIDE and pieces[at].start >= 0:
            while end < len(parts) and parts[end] == GOES_ON:
                end += 1
            yield at, end
        at = end


def _likeliest(logs: Floats) -> list[int]:
    """Give the likeliest sequence in which nothing goes on that has not begun (Viterbi)."""
    may_follow = np.zeros((3, 3), dtype=np.float32)
    may_follow[OUTSIDE, GOES_ON] = _NEVER
    best = logs[0] + may_follow[OUTSIDE]
    came_from: list[NDArray[np.intp]] = []
    for now in logs[1:]:
        ways = best[:, None] + may_follow
        came_from.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + now
    path = [int(best.argmax())]
    for back in reversed(came_from):
        path.append(int(back[path[-1]]))
    return path[::-1]
