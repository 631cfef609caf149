"""Files of `jiyi bench changes`: what somebody says and later says otherwise, and messages of which nothing is to be kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jiyi.evals.labelled import labelled_lines
from jiyi.reading.fields import Part, name_in, text_in

CHANGES_EXPECTED = (
    'one JSON object a line, {"id", "language", "key", "first", "second", "old", "new", "marked", "ask"}, in UTF-8; '
    "correct that line"
)
JUNK_EXPECTED = 'one JSON object a line, {"id", "language", "kind", "text"}, in UTF-8; correct that line'


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two messages of one user, days apart: what the second says takes the place of what the first said.

    Attributes:
        id: Its name in the file.
        language: `zh` or `en`.
        key: Under which key the value belongs.
        first: The message with the old value.
        second: The message with the new one.
        old: The value that no longer holds.
        new: The one that holds now; "" where only the old one ended.
        marked: The second message says that it corrects or changes something.
        ask: A question whose answer stands in the second message.
    """

    id: str
    language: str
    key: str
    first: str
    second: str
    old: str
    new: str
    marked: bool
    ask: str


@dataclass(frozen=True, kw_only=True)
class Junk:
    """A message that says nothing lasting of the user; `kind` is what it is (a paste, a request, small talk, …)."""

    id: str
    language: str
    kind: str
    text: str


def read_changes_file(path: Path) -> tuple[Pair, ...]:
    """Read all pairs of a file.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    parts = [part for _, part in labelled_lines(path, CHANGES_EXPECTED)]
    pairs = tuple(map(_pair, parts))
    _refuse_twins(parts, (one.id for one in pairs))
    return pairs


def read_junk_file(path: Path) -> tuple[Junk, ...]:
    """Read all messages of a file.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    parts = [part for _, part in labelled_lines(path, JUNK_EXPECTED)]
    messages = tuple(
        Junk(
            id=name_in(part, "id"), language=_told(part, "language"), kind=_told(part, "kind"), text=_told(part, "text")
        )
        for part in parts
    )
    _refuse_twins(parts, (one.id for one in messages))
    return messages


def _pair(part: Part) -> Pair:
    marked = part.mapping().get("marked")
    if not isinstance(marked, bool):
        raise part.fault("'marked' is neither true nor false")
    language, key, first, second, old, ask = (
        _told(part, field) for field in ("language", "key", "first", "second", "old", "ask")
    )
    return Pair(
        id=name_in(part, "id"),
        language=language,
        key=key,
        first=first,
        second=second,
        old=old,
        new=text_in(part, "new", needed=True).strip(),
        marked=marked,
        ask=ask,
    )


def _told(part: Part, field: str) -> str:
    text = text_in(part, field, needed=True)
    if not text.strip():
        raise part.fault(f"{field!r} is blank")
    return text


def _refuse_twins(parts: Iterable[Part], names: Iterable[str]) -> None:
    known: set[str] = set()
    for part, name in zip(parts, names, strict=True):
        if name in known:
            raise part.fault(f"the id {name!r} stands in a line before it")
        known.add(name)
