"""A detector: a pattern, of which kind what it finds is, and what must hold besides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

PrivateKind = Literal[
    "phone",
    "email",
    "national_id",
    "bank_card",
    "iban",
    "us_ssn",
    "passport",
    "driver_license",
    "plate",
    "ip",
    "im_id",
    "secret",
    "street",
]

HAN = r"\u3400-\u9fff"
LEFT = r"(?<![0-9A-Za-z_])(?<![0-9]\.)(?<!#)"
"""No number goes on to the left; never \\b, which sees no border between a digit and a Chinese character."""
RIGHT = r"(?![0-9A-Za-z_])(?!\.[0-9])(?!,[0-9]{3}(?![0-9]))"
"""No number goes on to the right, neither by decimals nor by thousands."""
DIGITS = tuple("0123456789")
SEEN_BEYOND = 64
LONGEST = 256


class Found(NamedTuple):
    """What was replaced: its kind and where it stood in what is visible of the text that was given."""

    kind: PrivateKind
    start: int
    end: int


def never(folded: str, start: int, end: int) -> bool:
    """Tell that nothing speaks against a hit, whatever stands around it."""
    return False


@dataclass(frozen=True, kw_only=True)
class Detector:
    """A pattern and what must hold besides.

    Attributes:
        kind: What is found by it.
        pattern: Its group `hit`, else all of it, is what is private. It must take time that grows with the text only.
        holds: Must be true of the hit.
        unless: Must not be true of the text, the hit's start and its end: such as that it is introduced as an order.
        needs: Of each of these one stands in every text (in small letters) in which it finds anything: most texts need not
            be searched, and most patterns never compiled.
        tail: A pattern of what also belongs to a hit where it stands right behind it.
    """

    kind: PrivateKind
    pattern: str
    holds: Callable[[str], bool] = bool
    unless: Callable[[str, int, int], bool] = never
    needs: tuple[tuple[str, ...], ...] = ()
    tail: str = ""

    def may_find(self, lowered: str) -> bool:
        """Tell whether it could find anything in a text that is given in small letters."""
        return all(any(word in lowered for word in words) for words in self.needs)

    def found(self, folded: str, start: int, end: int) -> Iterator[Found]:
        """Give what it finds between two positions; what stands up to `SEEN_BEYOND` characters behind is looked at too."""
        pattern = compiled(self.pattern)
        group = "hit" if "hit" in pattern.groupindex else 0
        for match in pattern.finditer(folded, start, end + SEEN_BEYOND):
            first, last = match.span(group)
            if last <= end and self._is_hit(folded, first, last):
                yield Found(self.kind, first, self._end_of_tail(folded, last))

    def glued(self, folded: str, start: int) -> Found | None:
        """Give what begins right behind something found, seen as it will be behind the bracket of a placeholder."""
        pattern = compiled(self.pattern)
        group = "hit" if "hit" in pattern.groupindex else 0
        match = pattern.match(f"]{folded[start : start + LONGEST]}", 1)
        if not match or match.start(group) != 1 or match.end() > LONGEST - SEEN_BEYOND:
            return None
        end = start + match.end(group) - 1
        return Found(self.kind, start, end) if self._is_hit(folded, start, end) else None

    def _is_hit(self, folded: str, start: int, end: int) -> bool:
        return self.holds(folded[start:end]) and not self.unless(folded, start, end)

    def _end_of_tail(self, folded: str, end: int) -> int:
        more = compiled(self.tail).match(folded, end) if self.tail else None
        return more.end() if more else end


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed."""
    return re.compile(pattern)


def detector(
    kind: PrivateKind,
    pattern: str,
    holds: Callable[[str], bool] = bool,
    *,
    unless: Callable[[str, int, int], bool] = never,
    needs: tuple[str, ...] = (),
    digits: bool = True,
) -> Detector:
    """Make a detector that needs a digit, unless told otherwise, and one of the words given."""
    groups = (DIGITS,) * digits + (needs,) * bool(needs)
    return Detector(kind=kind, pattern=pattern, holds=holds, unless=unless, needs=groups)


def label(most: int) -> str:
    """Give a pattern for what stands between a word such as 手机 and its number: 号码是, `number is`, a colon."""
    words = r"numbers?|num|no\.?|nr\.?|of|is|was|it's|are|card|code|id"
    return rf"(?i:[\s:=#.是为号码()*?,，|]|的|['\"“「]|['’]s(?![a-z])|(?<![a-z])(?:{words})(?![a-z])){{0,{most}}}"
