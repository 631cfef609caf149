"""Compression by extraction: the clauses of a text that tell most, as they were said, within so many tokens.

Nothing is rewritten. The smallest piece is a clause, so that a number, a name or an identifier is there whole or not at
all, what is denied never loses its negation, and what depends on a condition never stands without it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.importance import asks_to_remember, is_small_talk, names_something
from memory.summary_lines import SENTENCES
from memory.summary_signs import BINDING, NAME, QUESTION, TAKE_BACK, identifiers
from memory.tokens import count_tokens
from memory.words import STOP_WORDS, words_of

TextCounter = Callable[[str], int]

IDENTIFIER, TAKEN_BACK, BINDS, REMEMBER, DENIES, MEASURES, DIGITS, NAMES, ASKS = (
    3.0,
    3.0,
    2.5,
    2.5,
    1.5,
    1.0,
    1.0,
    1.0,
    0.5,
)
CENTRAL = 1.0
"""What a sentence gains by its signs, and at most by its words being those that the text is about."""
LEFT_OUT = "…"
FEWEST_TOKENS = 3
"""Nothing that tells anything is shorter."""

NEGATION = re.compile(
    r"不(?!错|过|仅|但|同)|没有?|别(?![人的处])|勿|未(?!来)|无(?!论)|非(?!常)|禁止|拒绝|除了"
    r"|\b(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|except|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"如果|要是|假如|万一|除非|只要|只有|一旦|等到|的话$|(?:之前|以前|之后|以后|时|时候)$"
    r"|\b(?:if|unless|until|when|once|provided|as\ long\ as|in\ case|before|after|except)\b",
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSES = re.compile(r"(?:[^，、：,:]|[,:](?!\s))+(?:[，、：]|[,:](?=\s))?\s*")
_DIGIT = re.compile(r"\d")
_JOINS = re.compile(
    r"(?:但是?|不过|而且?|所以|因此|就|才|也|则|否则|然后|除了|不然)"
    r"|(?:but|and|or|so|then|otherwise|which|that|who|because|except|than)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A stretch of the text that is kept whole or left out, and how much it tells."""

    start: int
    text: str
    weight: float


class ExtractiveCompressor:
    """Compresses by choosing, without a model; fills the seam `memory.seams.Compressor`."""

    name = "rules"

    def __init__(self, count: TextCounter = count_tokens) -> None:
        self._count = count

    def compress(self, text: str, target_tokens: int) -> str:
        """Give the telling clauses of a text, see `compress`."""
        return compress(text, target_tokens, count=self._count)


def compress(text: str, target_tokens: int, *, count: TextCounter = count_tokens) -> str:
    """Choose what of a text tells most, in the text's order.

    Sentences are weighed by what they hold (identifiers, what is taken back or decided, what is to be remembered,
    negations, numbers, names) and by whether their words are those that the text is about; the best that fit are
    kept. Of a sentence that does not fit its best clauses are kept, with "…" where some are left out.

    Args:
        text: In Chinese or English, or both.
        target_tokens: Of the result, as `count` counts.
        count: Counts a text's tokens.

    Returns:
        The text itself where it fits; at most `target_tokens`. "" where no clause fits.

    Raises:
        ValueError: `target_tokens` is negative.
    """
    if target_tokens < 0:
        raise ValueError(f"Cannot compress to {target_tokens!r} tokens: give 0 or more.")
    if count(text) <= target_tokens:
        return text
    sentences = _weighed(text)
    chosen = _chosen(sentences, target_tokens, count)
    return _joined(chosen, text)


def weight_of(text: str) -> float:
    """Say how much a sentence tells by the signs in it; 0 for small talk."""
    if is_small_talk(text):
        return 0.0
    signs: Sequence[tuple[object, float]] = (
        (identifiers(text), IDENTIFIER),
        (TAKE_BACK.search(text), TAKEN_BACK),
        (BINDING.search(text), BINDS),
        (asks_to_remember(text), REMEMBER),
        (NEGATION.search(text), DENIES),
        (names_something(text), MEASURES),
        (_DIGIT.search(text), DIGITS),
        (NAME.search(text), NAMES),
        (QUESTION.search(text), ASKS),
    )
    return 0.5 + sum(weight for found, weight in signs if found)


def sentences_of(text: str) -> list[Piece]:
    """Split a text into its sentences, lines apart, each with the weight of its signs."""
    found = (piece for match in SENTENCES.finditer(text) for piece in _without_edges(match.start(), match.group()))
    return [Piece(start=start, text=said, weight=weight_of(said)) for start, said in found]


def _without_edges(start: int, text: str) -> Iterator[tuple[int, str]]:
    said = text.strip()
    if any(char.isalnum() for char in said):
        yield start + text.index(said), said


def _weighed(text: str) -> list[Piece]:
    """Add to each sentence what it gains by being about what the text is about."""
    sentences = sentences_of(text)
    words = [[word for word in set(words_of(one.text)) - STOP_WORDS if len(word) > 1] for one in sentences]
    common = Counter(word for each in words for word in each)
    most = max((_central(each, common) for each in words), default=0.0) or 1.0
    return [
        Piece(
            start=one.start,
            text=one.text,
            weight=one.weight + CENTRAL * _central(each, common) / most * (one.weight > 0),
        )
        for one, each in zip(sentences, words, strict=True)
    ]


def _central(words: Sequence[str], common: Mapping[str, int]) -> float:
    return sum(math.log(common[word]) for word in words) / math.sqrt(len(words) or 1)


def _chosen(pieces: Sequence[Piece], target: int, count: TextCounter) -> list[Piece]:
    """Take the heaviest that fit, of two alike the later; where a sentence does not fit, clauses of it."""
    chosen: list[Piece] = []
    room = target
    for piece in sorted(pieces, key=lambda piece: (-piece.weight, -piece.start)):
        if not piece.weight or room < FEWEST_TOKENS:
            break
        taken = [piece] if _cost(piece, count) <= room else _clauses_within(piece, room, count)
        chosen.extend(taken)
        room -= sum(_cost(one, count) for one in taken)
    return sorted(chosen, key=lambda piece: piece.start)


def _cost(piece: Piece, count: TextCounter) -> int:
    return count(piece.text) + 1 + 2 * (LEFT_OUT in piece.text)


def _clauses_within(sentence: Piece, room: int, count: TextCounter) -> list[Piece]:
    """Take a sentence's heaviest clauses that fit; none where only such fit that tell nothing by themselves."""
    clauses = _clauses(sentence)
    taken: list[Piece] = []
    for clause in sorted(clauses, key=lambda one: (-one.weight, one.start)) if len(clauses) > 1 else []:
        marked = Piece(start=clause.start, text=_marked(clause, sentence), weight=clause.weight)
        if clause.weight > ASKS and _cost(marked, count) <= room:
            taken.append(marked)
            room -= _cost(marked, count)
    return taken


def _marked(clause: Piece, sentence: Piece) -> str:
    """Show that something of the sentence is left out before or after the clause."""
    text = clause.text.rstrip("，、：,: ")
    before = LEFT_OUT * (clause.start > sentence.start)
    after = LEFT_OUT * (clause.start + len(clause.text) < sentence.start + len(sentence.text))
    return f"{before}{text}{after}"


def _clauses(sentence: Piece) -> list[Piece]:
    """Split a sentence at its commas, but not behind a condition, nor before what leans on the clause before it."""
    parts: list[tuple[int, str]] = []
    for match in _CLAUSES.finditer(sentence.text):
        leans = parts and (CONDITION.search(parts[-1][1].rstrip("，, ")) or _JOINS.match(match.group()))
        listed = parts and parts[-1][1].rstrip().endswith(("、", "：", ":"))
        if leans or listed or (parts and CONDITION.match(match.group())):
            parts[-1] = (parts[-1][0], parts[-1][1] + match.group())
        else:
            parts.append((match.start(), match.group()))
    return [Piece(start=sentence.start + at, text=part, weight=weight_of(part)) for at, part in parts]


def _joined(pieces: Sequence[Piece], text: str) -> str:
    """Put pieces behind one another: on lines of their own where the text has them so."""
    said = ""
    end = 0
    for piece in pieces:
        gap = "\n" if "\n" in text[end : piece.start] else " "
        separator = "" if not said or (gap == " " and said[-1] in "。！？；…") else gap
        said += separator + piece.text
        end = piece.start + 1
    return said
