"""Deadlines: a piece of work that must be done by a certain time of the event loop's clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.models.failures import EndlessAnswerError


@asynccontextmanager
async def ending_at(until: float) -> AsyncIterator[None]:
    """Break off what is not done by then, also where it never waits.

    Raises:
        EndlessAnswerError: It was not.
    """
    limit = asyncio.timeout_at(until)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if limit.expired():
            raise EndlessAnswerError("it took too long") from error
        raise
    if now() > until:
        raise EndlessAnswerError("it took too long")


def now() -> float:
    """Give the time of the event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()
