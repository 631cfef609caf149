"""Files of `jiyi bench guard`: texts that attack a memory, and others that only look like it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jiyi.evals.labelled import labelled_lines
from jiyi.reading.fields import Part, brief, text_in
from jiyi.reading.said import FormatError

EXPECTED = 'one JSON object a line, {"text", "label": 1 (attack) or 0 (benign), "source"}, in UTF-8; correct that line'


@dataclass(frozen=True, kw_only=True)
class Row:
    """A text, where it stands in its file (lines count from 1), whether it is labelled an attack, and from where it is."""

    line: int
    text: str
    is_attack: bool
    source: str


def read_guard_file(path: Path) -> tuple[Row, ...]:
    """Read all rows of a file.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    rows = tuple(_row(number, part) for number, part in labelled_lines(path, EXPECTED))
    if not rows:
        raise FormatError(str(path), "it holds no row", EXPECTED)
    return rows


def _row(number: int, part: Part) -> Row:
    text, label = text_in(part, "text", needed=True), part.mapping().get("label")
    if not text.strip():
        raise part.fault("'text' is blank")
    if type(label) is not int or label not in (0, 1):
        raise part.fault(f"'label' is {brief(label)}, neither 1 nor 0")
    source = text_in(part, "source", needed=False).strip()
    return Row(line=number, text=text, is_attack=label == 1, source=source)
