"""Files of `jiyi bench facts`: messages in which what they state for good is labelled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from jiyi.evals.labelled import labelled_lines
from jiyi.reading.fields import Part, brief, mended, name_in, text_in

EXPECTED = (
    'one JSON object a line, {"text", "facts": [[entity, attribute, value], …]} and perhaps "user" and "id", in UTF-8; '
    "correct that line"
)
LABEL_PARTS = 3


class Label(NamedTuple):
    """A fact that a message states: of whom or what, which attribute, which value."""

    entity: str
    attribute: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Line:
    """A message of a user and the facts that it states; `user` and `id` are "" where the file does not give them."""

    number: int
    text: str
    labels: tuple[Label, ...]
    user: str = ""
    id: str = ""


def read_facts_file(path: Path) -> tuple[Line, ...]:
    """Read all messages of a file.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    return tuple(_line(number, part) for number, part in labelled_lines(path, EXPECTED))


def _line(number: int, part: Part) -> Line:
    text = text_in(part, "text", needed=True)
    if not text.strip():
        raise part.fault("'text' is blank")
    facts = part.below("facts", part.mapping().get("facts")).items("fact")
    user, name = (_name(part, field) for field in ("user", "id"))
    return Line(number=number, text=text, labels=tuple(map(_label, facts)), user=user, id=name)


def _name(part: Part, field: str) -> str:
    return "" if part.mapping().get(field) is None else name_in(part, field)


def _label(part: Part) -> Label:
    found = part.value
    if not isinstance(found, list) or len(found) != LABEL_PARTS:
        raise part.fault(f"{brief(found)} is no [entity, attribute, value]")
    if not all(isinstance(one, str) and one.strip() for one in found):
        raise part.fault(f"a part of {brief(found)} is no text, or blank")
    return Label(*map(mended, found))
