"""Patterns: the regular expressions of the rules, each compiled when it is first tried.

There are hundreds, and to compile them all takes seconds; what a message says rules most of them out before. A pattern is tried
only where the pieces stand that it needs, which is told from the way in which it is written, its named words unopened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from memory.guard.literals import Needs, may_match, needs_of, needs_of_part

_PIECES = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\)\*(?![+?])|[()]|[^()\\\[]+", re.DOTALL)
"""An escaped character, a class, the end of a repeated group, a parenthesis, or anything else."""
_PIECE = re.compile(r"\{([a-z_]+)\}")
_ALIKE = str.maketrans("ſıİ", "sii")
"""Letters that a pattern takes for another, whose small letter is none or another one."""


class Words(dict[str, str]):
    """What the named pieces of a language stand for: patterns, in which no name is left."""

    @cached_property
    def needs(self) -> Mapping[str, Needs]:
        """Say what each piece needs; those are missing of which it cannot be told."""
        told = ((name, needs_of_part(pattern)) for name, pattern in self.items())
        return {name: needs for name, needs in told if needs is not None}


@dataclass(frozen=True, kw_only=True, eq=False)
class Pattern:
    """A regular expression, as it stands in the data, and the words that it names."""

    written: str
    words: Words

    @cached_property
    def needs(self) -> Needs:
        """Say which pieces must stand in a text, in small letters, so that it is worth trying."""
        needs = needs_of(self.written, self.words.needs)
        return tuple(frozenset(map(small, pieces)) for pieces in needs)

    def may_match(self, standing: frozenset[str]) -> bool:
        """Say whether it is worth trying, given which of the pieces that patterns need stand in the text."""
        return may_match(self.needs, standing)

    def match(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Match at the start of a part of a text."""
        return self._regex.match(text, start, end)

    def fullmatch(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Match a part of a text as a whole."""
        return self._regex.fullmatch(text, start, end)

    def finditer(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Match wherever it can in a part of a text."""
        return self._regex.finditer(text, start, end)

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return compiled(self.written, self.words)


def small(text: str) -> str:
    """Give a text in small letters, alike for all that a pattern takes for the same."""
    return text.translate(_ALIKE).lower()


def expanded(pattern: str, words: Mapping[str, str]) -> str:
    """Give a pattern with its pieces in their places."""
    return _PIECE.sub(lambda match: words[match[1]], pattern)


def compiled(pattern: str, words: Mapping[str, str]) -> re.Pattern[str]:
    """Compile a pattern; its repeated groups do not give back, so that no text makes it try for ever."""
    return re.compile(_holding(expanded(pattern, words)), re.IGNORECASE)


def _holding(pattern: str) -> str:
    """Give a pattern whose repeated groups `(…)*` are atomic.

    Not by `)*+`: before 3.11.5 Python loses its place where such a group begins to match and then does not (gh-106052).
    """
    parts: list[str] = []
    opened: list[int] = []
    for match in _PIECES.finditer(pattern):
        piece = match[0]
        if piece == "(":
            opened.append(len(parts))
        elif piece.startswith(")"):
            start = opened.pop()
            if piece == ")*":
                parts[start] = f"(?>{parts[start]}"
                piece = ")*)"
        parts.append(piece)
    return "".join(parts)
