"""Options that several commands have: whose memory, which agent's, as JSON or not, and how times are written."""

from __future__ import annotations

from datetime import datetime, time
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from graph.settings import settings
from memory.namespaces import SHARED_AGENT, BlankIdError, checked_id

LOCAL_USER = "local"
DAY_CHARS = len("2026-05-01")


def _user(value: str) -> str:
    return _checked(value, "user id")


def _agent(value: str) -> str:
    return _checked(value, "agent id")


def agent_named(value: str | None) -> str | None:
    """Check an agent's id where one may be named."""
    return None if value is None else _agent(value)


def _checked(value: str, what: str) -> str:
    try:
        return checked_id(value, what)
    except BlankIdError as error:
        raise typer.BadParameter(str(error)) from error


UserOption = Annotated[str, typer.Option("--user", callback=_user, help="Whose memory.")]
AgentOption = Annotated[
    str, typer.Option("--agent", callback=_agent, help="Which agent remembers; `_` is shared by all.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
ANY_AGENT = SHARED_AGENT


def moment(text: str | None, option: str, *, end_of_day: bool = False) -> datetime | None:
    """Read a day (`2026-05-01`) or a time (ISO 8601); without an offset it is meant in `JIYI_TIMEZONE`.

    Args:
        text: What was given; None or blank: nothing.
        option: The option it was given to, for the error.
        end_of_day: A day means its last second, not its first.

    Raises:
        typer.BadParameter: It is neither.
    """
    if text is None or not text.strip():
        return None
    zone = ZoneInfo(settings().jiyi_timezone)
    try:
        when = datetime.fromisoformat(text.strip())
        if len(text.strip()) <= DAY_CHARS and end_of_day:
            when = datetime.combine(when.date(), time(23, 59, 59))
        return when if when.tzinfo else _with_zone(when, zone)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(
            f"{text!r} is no time; give a day such as 2026-05-01 or ISO 8601 such as 2026-05-01T08:00:00+08:00.",
            param_hint=option,
        ) from error


def _with_zone(when: datetime, zone: ZoneInfo) -> datetime:
    placed = when.replace(tzinfo=zone)
    placed.utctimetuple()  # a time that cannot be told in UTC is refused here, not later
    return placed
