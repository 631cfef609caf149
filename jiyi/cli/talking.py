"""Talking: lines from standard input, waited for without holding up the loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator


async def lines_of_input() -> AsyncIterator[str]:
    """Give what is typed or piped, a line at a time, until it ends."""
    while line := await _line():
        yield line.rstrip("\r\n")


async def _line() -> str:
    """Wait for a line without holding up the loop; on a terminal so that Ctrl-C ends the waiting at once."""
    if sys.platform != "win32" and sys.stdin.isatty():
        await _readable(sys.stdin.fileno())
        return sys.stdin.readline()
    return await asyncio.to_thread(sys.stdin.readline)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    there = asyncio.Event()
    loop.add_reader(descriptor, there.set)
    try:
        await there.wait()
    finally:
        loop.remove_reader(descriptor)
