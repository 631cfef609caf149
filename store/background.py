"""Background work: a failure there is logged, and the task that does the work goes on to the next piece."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def logged(work: Coroutine[Any, Any, Result], what: str, *, log: logging.Logger) -> Result | None:
    """Do one piece of work; when it fails, log that and give None.

    Nobody awaits a background task, so what one piece raises would end the task unseen and all later pieces with it.
    Being cancelled is no failure: it ends the caller as well.
    """
    outcome: Result | BaseException = (await asyncio.gather(work, return_exceptions=True))[0]
    if isinstance(outcome, BaseException):
        log.error("Could not %s; it will be tried again: %r", what, outcome, exc_info=outcome)
        return None
    return outcome
