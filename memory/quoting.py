"""Where a draft's words stand in what the user said, and what was said around them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memory.asking import BEGINS
from memory.surrogates import visible
from memory.values import normalised

_CLAUSE_END = re.compile(
    rf"{BEGINS}|" r"[,，;；](?!\d)|[。！？!?…\n]+|\.(?=\s|$)|——|--|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
)
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")


@dataclass(frozen=True, kw_only=True)
class Passage:
    """The user's words behind a draft, folded in width and case.

    `clauses` are those of the quote that say the value (all of them where none does so literally);
    `lead` runs from the start of their sentence to their end, `rest` from their start to the end of
    the message; `after` is the user's next message.
    """

    clauses: tuple[str, ...]
    lead: str
    rest: str
    after: str


def folded(text: str) -> str:
    """Fold width and case and drop what is not seen, so that one sign finds every way to write it."""
    return unicodedata.normalize("NFKC", visible(text)).casefold().replace("’", "'").strip()


def find_passage(quote: str, value: str, heard: Sequence[str]) -> Passage | None:
    """Find the newest message that holds the quote, space aside; None when the user never said it."""
    for index in reversed(range(len(heard))):
        message = folded(heard[index])
        span = _span_of(folded(quote), message)
        if span:
            after = folded(heard[index + 1]) if index + 1 < len(heard) else ""
            return _passage(message, _narrowed(message, span, value), after)
    return None


def _span_of(quote: str, message: str) -> tuple[int, int] | None:
    """Find where the quote stands in the message, from its last place, whatever the spaces."""
    places = [at for at, char in enumerate(message) if not char.isspace()]
    wanted = "".join(quote.split())
    at = "".join(message.split()).rfind(wanted) if wanted else -1
    return (places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _narrowed(message: str, span: tuple[int, int], value: str) -> tuple[int, int]:
    """Narrow the quote to the clauses that say the value, where some do."""
    meant = normalised(value)
    clauses = [(max(start, span[0]), min(end, span[1])) for start, end in _clauses(message)]
    telling = [(start, end) for start, end in clauses if start < end and meant in normalised(message[start:end])]
    return (telling[0][0], telling[-1][1]) if meant and telling else span


def _clauses(message: str) -> list[tuple[int, int]]:
    ends = [mark.end() for mark in _CLAUSE_END.finditer(message)]
    starts = [0, *ends]
    return list(zip(starts, [*ends, len(message)], strict=True))


def _passage(message: str, span: tuple[int, int], after: str) -> Passage:
    touched = [clause for clause in _clauses(message) if clause[0] < span[1] and clause[1] > span[0]]
    start, end = touched[0][0], touched[-1][1]
    marks = _SENTENCE_END.finditer(message, 0, start)
    sentence_start = max((mark.end() for mark in marks), default=0)
    return Passage(
        clauses=tuple(message[first:last].strip() for first, last in touched),
        lead=message[sentence_start:end].strip(),
        rest=message[start:].strip(),
        after=after,
    )
