"""The clock: it must not run behind what was written, and it is told in the user's time zone too."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from jiyi.cli.checks.check import Check

BUILT = datetime(2025, 1, 1, tzinfo=UTC)
SHOWN = "%Y-%m-%d %H:%M:%S"


def check_clock(newest: datetime | None, now: datetime, *, timezone: str = "UTC") -> Check:
    """Compare the time with that of the last write (or with when this was built)."""
    local = now.astimezone(ZoneInfo(timezone))
    shown = f"{now:{SHOWN}} UTC" + ("" if timezone == "UTC" else f", {local:{SHOWN}} in {timezone}")
    measured = {"utc": now.isoformat(), "local": local.isoformat(), "timezone": timezone}
    latest = newest or BUILT
    if latest > now:
        found = f"it is {shown}, but something was written at {latest:{SHOWN}} UTC"
        advice = "Set this machine's clock, and let it be kept by a time server (NTP)."
        return Check(name="clock", status="warn", found=found, advice=advice, measured=measured)
    return Check(name="clock", status="ok", found=shown, measured=measured)
