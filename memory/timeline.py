"""The order in which evidence took place, whatever the order in which it is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

from memory.kinds import Act, Evidence

_WITHIN_A_TURN: dict[Act, int] = {
    "retract": 0,  # "not A any more, it is B" takes A away first
    "reject": 0,
    "state": 1,
    "correct": 2,
    "confirm": 3,
    "accept": 3,
    "pin": 3,
    "undo": 4,
}
_BETWEEN_TURNS: dict[Act, int] = {**_WITHIN_A_TURN, "retract": 3, "reject": 3}
"""Where a clock stood still, what takes away comes after what it takes away."""

_Turn = tuple[datetime, str]


def in_order(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Give each piece once, in the order of time; a total order, so that every reading gives the same."""
    pieces = sorted({piece.id: piece for piece in sorted(evidence, key=repr)}.values(), key=repr)
    weight: dict[_Turn, int] = defaultdict(int)
    for piece in pieces:
        weight[_turn_of(piece)] = max(weight[_turn_of(piece)], _BETWEEN_TURNS[piece.act])
    return tuple(sorted(pieces, key=lambda piece: _place(piece, weight)))


def without_undone(said: Iterable[Evidence], *, form: Callable[[str], str]) -> tuple[Evidence, ...]:
    """Leave out every undo and what it undid: the last act still standing about its value.

    An act without a value is about every value, and an undo without one undoes whatever came last.

    Args:
        said: The evidence under one key, in order.
        form: Gives the form under which the key's values are told apart.
    """
    standing: list[Evidence] = []
    for piece in said:
        if piece.act != "undo":
            standing.append(piece)
            continue
        last = next((old for old in reversed(standing) if _is_about(old, piece, form)), None)
        if last:
            standing.remove(last)
    return tuple(standing)


def _turn_of(piece: Evidence) -> _Turn:
    return piece.said_at, piece.turn_id or piece.id


def _place(piece: Evidence, weight: dict[_Turn, int]) -> tuple[datetime, int, str, int, str]:
    said_at, turn = _turn_of(piece)
    return said_at, weight[said_at, turn], turn, _WITHIN_A_TURN[piece.act], piece.id


def _is_about(old: Evidence, undo: Evidence, form: Callable[[str], str]) -> bool:
    named = form(undo.value)
    return not named or form(old.value) in (named, "")
