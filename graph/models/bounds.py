"""Bounds: how long an answer may take and be, and how often a turn may go to the tools, whatever the endpoint does."""

from __future__ import annotations

MOST_TOOL_ROUNDS = 10
"""Answers of one turn, since the user's last message, that may call tools; the one after them may not."""
MOST_CHARS = 200_000
"""Of one answer, with its thinking and the arguments of its calls."""
MOST_BYTES = 256 * MOST_CHARS
"""Of one answer as it is sent: a stream wraps each few characters in some two hundred bytes."""
MOST_TIMES_THE_TIMEOUT = 5


def most_s(timeout_s: float) -> float:
    """Say how long one call may take in all, its further tries included, where silence may last `timeout_s`."""
    return MOST_TIMES_THE_TIMEOUT * timeout_s
