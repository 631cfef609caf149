"""Breaker: after a failure that will not pass at once an endpoint is let be, so that nobody waits for it in vain."""

from __future__ import annotations

import math
from collections.abc import Callable

FIRST_REST_S = 5.0
LONGEST_REST_S = 60.0

Seconds = Callable[[], float]
"""Gives the seconds since some moment; never goes back."""


class Breaker:
    """Says for how long an endpoint is let be: 5 s after the first failure, then 10, … up to 60; 0 after a success.

    Calls that were under way together when it failed count as one failure.

    Args:
        seconds: The time.
    """

    def __init__(self, seconds: Seconds) -> None:
        self._seconds = seconds
        self._rest_s = 0.0
        self._failed_at = -math.inf
        self._failure: Exception | None = None

    def now(self) -> float:
        """Say when it is, for `failed`."""
        return self._seconds()

    @property
    def left_s(self) -> float:
        """Say for how many more seconds the endpoint is let be; 0 where it may be asked."""
        return max(0.0, self._rest_s - (self._seconds() - self._failed_at)) if self._failure else 0.0

    @property
    def failure(self) -> Exception | None:
        """Give the last failure; None since a success."""
        return self._failure

    def failed(self, failure: Exception, *, began_at: float) -> None:
        """Note a failure of a call that began at a time."""
        if began_at - self._failed_at >= self._rest_s:
            self._rest_s = min(self._rest_s * 2 or FIRST_REST_S, LONGEST_REST_S)
        self._failed_at, self._failure = self._seconds(), failure

    def worked(self) -> None:
        """Note a success."""
        self._failure, self._rest_s, self._failed_at = None, 0.0, -math.inf
