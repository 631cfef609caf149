"""Literals: the plain pieces without which a pattern cannot match, so that most patterns need not be tried at all.

To ask whether a piece stands in a text costs a hundredth of what a search for the pattern costs. What is not understood
of a pattern asks for nothing: the answer may let a pattern be tried in vain, but never keeps one from matching.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

Needs = tuple[frozenset[str], ...]
"""Sets of pieces; from each of them at least one must stand in the text."""

MAX_PIECES = 160
MAX_SETS = 3
START = 3
_NO_WORDS: Mapping[str, Needs] = {}

_TOKEN = re.compile(
    r"(?P<open>\((?:\?(?:P<\w+>|(?:-i)?:))?)(?!\?)"
    r"|(?P<aside>\(\?(?:<?[=!]|>))"
    r"|(?P<odd>\(\?|\(\*)"
    r"|(?P<close>\))"
    r"|(?P<bar>\|)"
    r"|\{(?P<named>[a-z_]+)\}"
    r"|(?P<repeat>[*+?]|\{(?P<least>\d*)(?:,\d*)?\})(?:[?+](?![*+?{]))?"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<run>[^\\()\[\]{}|*+?.^$]+)"
    r"|(?P<plain>\\\W|[{}\]])"
    r"|(?P<edge>[.^$])"
    r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\d+|.))",
    re.DOTALL,
)


class _NotUnderstoodError(Exception):
    """The pattern has something in it that this module does not read."""


def needs_of(pattern: str, words: Mapping[str, Needs] = _NO_WORDS) -> Needs:
    """Say which pieces a pattern needs; nothing where that cannot be told.

    Args:
        pattern: As it is compiled, or with names of words (`{name}`) in it.
        words: What those words need, by `needs_of_part`.
    """
    tokens = list(_TOKEN.finditer(pattern))
    try:
        needs, at = _either(tokens, 0, words)
    except _NotUnderstoodError:
        return ()
    return needs if at == len(tokens) else ()


def needs_of_part(pattern: str) -> Needs | None:
    """Say which pieces a part of a pattern needs wherever it stands; None where that depends on what is around it."""
    tokens = list(_TOKEN.finditer(pattern))
    try:
        needs, at = _sequence(tokens, 0, _NO_WORDS)
    except _NotUnderstoodError:
        return None
    return needs if at == len(tokens) else None


class Index:
    """Pieces by their first letters, to find those that stand in a text by one pass over it."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = {}
        for piece in sorted(set(pieces)):
            telling = piece[:START] if piece[:START].isascii() and len(piece) >= START else piece[0]
            self._by_start.setdefault(telling, []).append(piece)

    def standing_in(self, text: str) -> frozenset[str]:
        """Give the pieces that stand in a text."""
        starts = {text[at : at + START] for at in range(len(text))}
        near = self._by_start.keys() & (starts | set(text))
        return frozenset(piece for start in near for piece in self._by_start[start] if piece in text)


def may_match(needs: Needs, standing: frozenset[str]) -> bool:
    """Say whether all that a pattern needs is among the pieces that stand in a text."""
    return not any(map(standing.isdisjoint, needs))


def _either(tokens: list[re.Match[str]], at: int, words: Mapping[str, Needs]) -> tuple[Needs, int]:
    """Read branches up to the end of their group."""
    branches: list[Needs] = []
    while True:
        needs, at = _sequence(tokens, at, words)
        branches.append(needs)
        if at == len(tokens) or not tokens[at]["bar"]:
            return _any_of(branches), at
        at += 1


def _sequence(tokens: list[re.Match[str]], at: int, words: Mapping[str, Needs]) -> tuple[Needs, int]:
    """Read one branch: what follows one another is needed together."""
    needs: list[frozenset[str]] = []
    run = ""
    while at < len(tokens) and not tokens[at]["bar"] and not tokens[at]["close"]:
        token = tokens[at]
        name = token["named"]
        if token["odd"] or token["repeat"] or (name and name not in words):
            raise _NotUnderstoodError
        inner: Needs = words[name] if name else ()
        if token["open"] or token["aside"]:
            inner, at = _either(tokens, at + 1, words)
            if at == len(tokens):
                raise _NotUnderstoodError
        at += 1
        repeated, optional, at = _repeat(tokens, at)
        if token["run"] or token["plain"]:
            letters = token["run"] or token["plain"][-1]
            run += letters[:-1] if optional else letters
            if not repeated:
                continue
        needs, run = [*needs, *_pieces(run)], ""
        if (token["open"] or name) and not optional:
            needs += inner
    return _best([*needs, *_pieces(run)]), at


def _repeat(tokens: list[re.Match[str]], at: int) -> tuple[bool, bool, int]:
    """Say whether the thing before is repeated, whether it may be missing, and where the pattern goes on."""
    if at == len(tokens) or not tokens[at]["repeat"]:
        return False, False, at
    repeat = tokens[at]
    optional = repeat["repeat"][0] in "*?" or (repeat["least"] is not None and int(repeat["least"] or 0) == 0)
    return True, optional, at + 1


def _pieces(run: str) -> list[frozenset[str]]:
    return [frozenset((run,))] if run else []


def _any_of(branches: list[Needs]) -> Needs:
    if len(branches) == 1:
        return branches[0]
    if not all(branches):
        return ()
    return _best([frozenset[str]().union(*(needs[0] for needs in branches))])


def _best(needs: Iterable[frozenset[str]]) -> Needs:
    """Give the sets that tell most, first the one whose shortest piece is longest."""
    telling = [pieces for pieces in needs if len(pieces) <= MAX_PIECES and min(map(_weight, pieces)) > 1]
    return tuple(sorted(telling, key=lambda pieces: -min(map(_weight, pieces)))[:MAX_SETS])


@lru_cache(maxsize=8192)
def _weight(piece: str) -> int:
    """Say how much a piece tells: a Chinese character as much as three letters."""
    return sum(1 if char.isascii() else 3 for char in piece.strip())
