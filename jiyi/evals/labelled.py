"""Labelled lines: the files that `jiyi bench` measures on, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from jiyi.reading.fields import Part
from jiyi.reading.said import FormatError


def labelled_lines(path: Path, expected: str) -> Iterator[tuple[int, Part]]:
    """Give each line that is not blank, with its number (they count from 1).

    Args:
        path: The file, in UTF-8.
        expected: What should stand in a line, for the error.

    Raises:
        FormatError: A line is no JSON.
        OSError: It cannot be read.
    """
    for number, line in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                value = json.loads(line.decode())
            except (ValueError, RecursionError) as error:
                raise FormatError(where, f"it cannot be read ({error})", expected) from error
            yield number, Part(value=value, where=where, expected=expected)
