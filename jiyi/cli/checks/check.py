"""Check: what was looked at, what was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["ok", "warn", "fail"]
Measured = Mapping[str, int | float | str | None]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One line of the doctor's report.

    Attributes:
        name: What was looked at.
        status: `fail` where Jiyi cannot work, `warn` where somebody should act.
        found: In words.
        advice: What to do; never blank where the status is not `ok`.
        measured: The numbers behind `found`, for programs; sizes are in bytes.
    """

    name: str
    status: Status
    found: str
    advice: str = ""
    measured: Measured = field(default_factory=dict)


def looked(name: str, look: Callable[[], Check]) -> Check:
    """Look; where the system does not let us, that is what was found."""
    try:
        return look()
    except OSError as error:
        advice = "See that the user who runs this may read it, or run as the one who keeps it."
        return Check(name=name, status="fail", found=f"it cannot be looked at: {error}", advice=advice)


def size(number: int) -> str:
    """Give a size for people."""
    if number < MIB:
        return f"{number / KIB:,.0f} KiB"
    return f"{number / MIB:,.1f} MiB" if number < GIB else f"{number / GIB:,.1f} GiB"


KIB, MIB, GIB = 1024, 1024**2, 1024**3
