"""Heard: one message of the user, as a model's quotes are looked up in it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

from memory.clauses import BLANK, Clause, Reading, read_message
from memory.confidence import EXPLICIT, PLAIN, UNSURE
from memory.privacy import fold
from memory.rules import rule_books
from memory.surrogates import visible
from memory.words import CJK

Span = tuple[int, int]

_MARKS = re.compile(r"[^\w+#%@&*]+")
_GROUPING = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLES = re.compile(r"^(?:an?|the) (?=\S)")
_BESIDE_CJK = re.compile(rf"(?<=[{CJK}]) | (?=[{CJK}])")


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A message: its words, its clauses, and all its characters without space, each with the place where it stands."""

    text: str
    reading: Reading
    flat: str
    places: tuple[int, ...]

    def words_of(self, quote: str) -> Span | None:
        """Find where the user said a quote, space, width and case aside; None where it is not their own telling."""
        wanted, _ = _flattened(visible(quote))
        at = self.flat.rfind(wanted) if wanted else -1
        if at < 0:
            return None
        start, end = self.places[at], self.places[at + len(wanted) - 1] + 1
        return (start, end) if BLANK not in self.reading.text[start:end] else None

    def place_of(self, value: str, within: Span) -> Span | None:
        """Find where a value stands in a span; None where it does not, word for word."""
        wanted, _ = _flattened(visible(value))
        first, last = bisect_left(self.places, within[0]), bisect_left(self.places, within[1])
        at = self.flat.find(wanted, first, last) if wanted else -1
        return (self.places[at], self.places[at + len(wanted) - 1] + 1) if at >= 0 else None

    def telling(self, span: Span, value: str) -> tuple[Clause, ...]:
        """Give the clauses of a span that say the value; all of them where none does so literally."""
        touched = tuple(each for each in self.reading.clauses if each.start < span[1] and each.end > span[0])
        return tuple(each for each in touched if value and says(self.said(each), value)) or touched

    def said(self, clause: Clause) -> str:
        """Give the words of a clause, folded in width and case."""
        return self.reading.text[clause.start : clause.end].lower()

    def sentence(self, clause: Clause) -> str:
        """Give the words of the sentence around a clause, folded in width and case."""
        return self.reading.text[clause.sentence_start : clause.sentence_end].lower()

    def lead(self, clause: Clause) -> str:
        """Give the words of a clause and what stands before it in its sentence, folded in width and case."""
        return self.reading.text[clause.sentence_start : clause.end].strip().lower()

    def stated(self, telling: tuple[Clause, ...]) -> float:
        """Say how surely it was said, on the stated scale."""
        text, first = self.reading.text, telling[0]
        if any(book.unsure.search(text, each.start, each.end) for book in rule_books() for each in telling):
            return UNSURE
        before = (each for each in self.reading.clauses if first.sentence_start <= each.start <= first.start)
        return EXPLICIT if any(_is_to_be_kept(text, each) for each in before) else PLAIN


def hear(text: str) -> Heard:
    """Read a message, already redacted."""
    flat, places = _flattened(text)
    reading = read_message(text, tuple(book.signs for book in rule_books()))
    return Heard(text=text, reading=reading, flat=flat, places=places)


def says(text: str, value: str) -> bool:
    """Say whether a value stands in a text, as whole words where it is in letters.

    Width, case, marks, spaces beside Chinese, an article before the value and what groups a number do not count.
    """
    meant = _ARTICLES.sub("", _plain(value))
    if not meant:
        return False
    before = r"(?<![a-z0-9])" if meant[0].isascii() and meant[0].isalnum() else ""
    after = r"(?![a-z0-9])" if meant[-1].isascii() and meant[-1].isalnum() else ""
    return re.search(f"{before}{re.escape(meant)}{after}", _plain(text)) is not None


def _is_to_be_kept(text: str, clause: Clause) -> bool:
    for book in rule_books():
        opening = book.opening.match(text, clause.start, clause.sentence_end)
        found = book.explicit.match(text, opening.end() if opening else clause.start, clause.sentence_end)
        if found and found["keep"]:
            return True
    return False


def _flattened(text: str) -> tuple[str, tuple[int, ...]]:
    folded = fold(text).replace("’", "'").replace("‘", "'")
    pairs = [(part, at) for at, char in enumerate(folded) if not char.isspace() for part in char.casefold()]
    return "".join(part for part, _ in pairs), tuple(at for _, at in pairs)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", visible(text)).casefold()
    spaced = _MARKS.sub(" ", _GROUPING.sub("", folded))
    return _BESIDE_CJK.sub("", spaced).strip()
