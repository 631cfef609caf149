"""Pending turns: how many wait to be consolidated, since when, and which were set aside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from jiyi.cli.checks.check import Check, Measured
from memory.kinds import Pending
from store.waiting import MAX_TRIES

LONG = timedelta(hours=1)
MOST_NAMED = 5


def check_pending(waiting: Sequence[Pending], now: datetime) -> Check:
    """Judge the turns that wait, oldest first."""
    stuck = [turn for turn in waiting if turn.tries >= MAX_TRIES]
    left = [turn for turn in waiting if turn.tries < MAX_TRIES]
    found, measured = _told(waiting), _measured(waiting, stuck)
    if stuck:
        advice = (
            "What was said is kept, but nothing was learned from it. The log says what failed, often the model (see its "
            "check)."
        )
        return Check(
            name="pending turns", status="warn", found=f"{found}; {_named(stuck)}", advice=advice, measured=measured
        )
    if left and now - left[0].said_at > LONG:
        advice = "They are finished while Jiyi runs: start it (`make dev`, `jiyi chat`), or see its log if it does."
        return Check(name="pending turns", status="warn", found=found, advice=advice, measured=measured)
    advice = f"{_whose(left)} tried again while Jiyi runs (`make dev`, `jiyi chat`)." if left else ""
    return Check(name="pending turns", status="ok", found=found, advice=advice, measured=measured)


def _told(waiting: Sequence[Pending]) -> str:
    if not waiting:
        return "none waits to be consolidated"
    oldest, tries = waiting[0].said_at, max(turn.tries for turn in waiting)
    return (
        f"{len(waiting)} wait to be consolidated, the oldest since {oldest:%Y-%m-%d %H:%M} UTC; at most {tries} tries"
    )


def _whose(left: Sequence[Pending]) -> str:
    users = sorted({turn.user for turn in left})
    more = f" and {len(users) - MOST_NAMED} more" if len(users) > MOST_NAMED else ""
    return f"Those of {', '.join(map(repr, users[:MOST_NAMED]))}{more} are"


def _named(stuck: Sequence[Pending]) -> str:
    named = ", ".join(f"{turn.turn_id} (user {turn.user!r}, {turn.tries} tries)" for turn in stuck[:MOST_NAMED])
    more = f" and {len(stuck) - MOST_NAMED} more" if len(stuck) > MOST_NAMED else ""
    return f"{len(stuck)} were set aside: {named}{more}"


def _measured(waiting: Sequence[Pending], stuck: Sequence[Pending]) -> Measured:
    return {
        "count": len(waiting),
        "set_aside": len(stuck),
        "tries": max((turn.tries for turn in waiting), default=0),
        "oldest": waiting[0].said_at.isoformat() if waiting else None,
    }
