"""The clock: the time now, for those to whom no other clock is given."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Give the time now, aware, in UTC; the one clock that is not given."""
    return datetime.now(UTC)  # noqa: TID251  (it is the clock)
