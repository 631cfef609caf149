"""Columns: a table as plain text that lines up, Chinese characters too."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

SPACE = "  "


def lined_up(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give rows of equally many cells as lines: the first column stands left, the others right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first + " " * (widths[0] - _width(first))]
        cells += [" " * (width - _width(cell)) + cell for cell, width in zip(others, widths[1:], strict=True)]
        yield SPACE.join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
