"""Fields of what others wrote: read with care, refused with the place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from jiyi.reading.said import FormatError

MILLISECONDS_FROM = 1e11
"""A number of seconds as great as this would lie in the year 5138: it counts milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A JSON value, where it stands (for people), and what is expected there."""

    value: Any
    where: str
    expected: str

    def fault(self, found: str) -> FormatError:
        """Give the error that says what was found here instead."""
        return FormatError(self.where, found, self.expected)

    def below(self, where: str, value: Any) -> Part:
        """Give a value that stands within this one."""
        return Part(value=value, where=f"{self.where}, {where}", expected=self.expected)

    def mapping(self) -> Mapping[str, Any]:
        """Give it as an object."""
        if not isinstance(self.value, dict):
            raise self.fault(f"{brief(self.value)} is no object")
        return self.value

    def items(self, what: str) -> list[Part]:
        """Give the members of a list, each with its number, counted from 1."""
        if not isinstance(self.value, list):
            raise self.fault(f"{brief(self.value)} is no list")
        return [self.below(f"{what} {number}", value) for number, value in enumerate(self.value, start=1)]


def name_in(part: Part, field: str) -> str:
    """Read an id: a text that is not blank, or a whole number."""
    found = part.mapping().get(field)
    name = given_name(found)
    if name is None:
        raise part.fault(f"{field!r} is {brief(found)}, no id")
    return name


def given_name(found: object) -> str | None:
    """Give an id as a text; None where it is none."""
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    return mended(found) if isinstance(found, str) and found.strip() else None


def text_in(part: Part, field: str, *, needed: bool) -> str:
    """Read a text; one that is not needed may be missing or null, which counts as blank."""
    found = part.mapping().get(field)
    if found is None and not needed:
        return ""
    if not isinstance(found, str):
        raise part.fault(f"{field!r} is {brief(found)}, no text")
    return mended(found)


def moment_in(part: Part, field: str, zone: tzinfo) -> datetime | None:
    """Read a time, in UTC: ISO 8601 (without an offset it is meant in `zone`) or seconds since 1970; None where blank."""
    found = part.mapping().get(field)
    if found is None or found == "":
        return None
    try:
        when = _moment(found)
        return (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise part.fault(f"{field!r} is {brief(found)}, no time") from error


def mended(text: str) -> str:
    """Give a text that can be kept: pairs of half characters are joined, lone halves replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def brief(found: object) -> str:
    """Show a value in an error, not more than a little of it."""
    shown = repr(found)
    most = 60
    return shown if len(shown) <= most else f"{shown[:most]}…"


def _moment(found: object) -> datetime:
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        raise TypeError(found)
    if isinstance(found, str):
        return datetime.fromisoformat(found.strip())
    seconds = found / 1000 if found >= MILLISECONDS_FROM else found
    return datetime.fromtimestamp(seconds, tz=UTC)
