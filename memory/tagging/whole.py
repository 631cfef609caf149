"""Whole: marks put right at their edges; a tagger reads pieces of words, a fact is told in whole ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from memory.tagging.marks import Mark

_WORD = re.compile(r"[^\W\u3400-\u9fff]+(?:['’&][^\W\u3400-\u9fff]+)*")
_BETWEEN = re.compile(r"[ \-/'’&]?")
_EDGES = ' ,.;:!?，。；：！？、~～…"“”（）()'


def whole(text: str, marks: Iterable[Mark]) -> list[Mark]:
    """Give marks that begin and end where words do, and one for neighbours that say the same.

    Between Chinese characters no edge is moved: there a piece of the model is a word or less.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    joined: list[Mark] = []
    for mark in sorted((_widened(mark, words) for mark in marks), key=lambda mark: mark.start):
        last = joined[-1] if joined else None
        if last and _is_one(last, mark, text):
            joined[-1] = replace(last, end=max(last.end, mark.end), confidence=max(last.confidence, mark.confidence))
        elif last is None or mark.start >= last.end:
            joined.append(mark)
        elif mark.confidence > last.confidence:
            joined[-1] = mark
    return [trimmed for mark in joined if (trimmed := _trimmed(text, mark)).start < trimmed.end]


def _widened(mark: Mark, words: Iterable[tuple[int, int]]) -> Mark:
    touched = [(start, end) for start, end in words if start < mark.end and end > mark.start]
    if not touched:
        return mark
    return replace(mark, start=min(mark.start, touched[0][0]), end=max(mark.end, touched[-1][1]))


def _is_one(one: Mark, other: Mark, text: str) -> bool:
    told = (one.owner, one.attribute, one.ended) == (other.owner, other.attribute, other.ended)
    return told and (other.start <= one.end or _BETWEEN.fullmatch(text, one.end, other.start) is not None)


def _trimmed(text: str, mark: Mark) -> Mark:
    said = text[mark.start : mark.end]
    return replace(
        mark,
        start=mark.start + len(said) - len(said.lstrip(_EDGES)),
        end=mark.end - (len(said) - len(said.rstrip(_EDGES))),
    )
