"""Output: answers go to standard output, everything else to standard error; never colours, never control codes."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import typer

UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
JOINERS = frozenset("\u200c\u200d")


def say(text: str, *, end: str = "\n") -> None:
    """Write an answer to standard output, at once."""
    typer.echo(text + end, nl=False)


def tell(text: str) -> None:
    """Write anything that is not the answer to standard error."""
    typer.echo(text, err=True)


def say_json(value: Mapping[str, Any]) -> None:
    """Write one JSON document to standard output."""
    say(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def one_line(text: str) -> str:
    """Give a text for one line of a terminal: no line breaks, nothing that moves the cursor or turns the writing."""
    return " ".join(plain(text).split())


def plain(text: str) -> str:
    """Give a text without control codes; line breaks and tabs stay."""
    return "".join(char for char in text if char in "\n\t" or char in JOINERS or _is_shown(char))


def well_formed(text: str) -> str:
    """Give a text that can be written as UTF-8: halves of characters become question marks."""
    return text.encode("utf-8", "replace").decode()


def iso(when: datetime | None) -> str | None:
    """Give a time as ISO 8601 in UTC, as it is kept; None where it is not known."""
    return None if when is None else when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def day_and_time(when: datetime | None) -> str:
    """Give a time for people, in UTC to the minute."""
    return "(time unknown)" if when is None else when.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def _is_shown(char: str) -> bool:
    return unicodedata.category(char) not in UNSHOWN
