"""Files of `jiyi bench pii`: texts in which what is private is labelled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from jiyi.evals.labelled import labelled_lines
from jiyi.reading.fields import Part, brief, text_in
from memory.detectors.samples import filled
from memory.surrogates import visible

EXPECTED = (
    'one JSON object a line, {"lang", "text", "spans": [[start, end, type]]} (and "filled": true where `{x24}` and its '
    "like stand for made-up characters, see memory/detectors/samples.py), in UTF-8; correct that line"
)
SPAN_PARTS = 3


class Span(NamedTuple):
    """Where something private stands in a text, and of which type it is."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A text without what cannot be seen, and what is private in it."""

    lang: str
    text: str
    spans: tuple[Span, ...]


def read_pii_file(path: Path) -> tuple[Labelled, ...]:
    """Read all texts of a file.

    Positions count what is visible of the text; in the file they count all of its characters, fillers at their full length.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    return tuple(_labelled(part) for _, part in labelled_lines(path, EXPECTED))


def _labelled(part: Part) -> Labelled:
    text = text_in(part, "text", needed=True)
    text = filled(text) if part.mapping().get("filled") is True else text
    spans = part.below("spans", part.mapping().get("spans")).items("span")
    return Labelled(
        lang=text_in(part, "lang", needed=True),
        text=visible(text),
        spans=tuple(sorted(_span(one, text) for one in spans)),
    )


def _span(part: Part, text: str) -> Span:
    found = part.value
    if not isinstance(found, list) or len(found) != SPAN_PARTS:
        raise part.fault(f"{brief(found)} is no [start, end, type]")
    start, end, kind = found
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise part.fault(f"{brief(found)} does not lie within the text of {len(text)} characters")
    if not isinstance(kind, str) or not kind:
        raise part.fault(f"the type of {brief(found)} is no text")
    return Span(len(visible(text[:start])), len(visible(text[:end])), kind)
