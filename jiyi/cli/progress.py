"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from jiyi.cli.output import tell

MOST_LINES = 10

Advance = Callable[[int], None]


@contextmanager
def progress(doing: str, *, total: int, what: str) -> Iterator[Advance]:
    """Show how far it is; the block calls what it is given with how many more were done.

    Args:
        doing: What goes on, such as "ingesting".
        total: How many there are.
        what: What is counted, such as "turns".
    """
    if sys.stderr.isatty():
        with _bar(doing, total, what) as advance:
            yield advance
    else:
        yield _Lines(doing, total, what)


class _Lines:
    """Writes a line whenever another tenth is done."""

    def __init__(self, doing: str, total: int, what: str) -> None:
        self._doing, self._total, self._what = doing, total, what
        self._done = self._shown = 0

    def __call__(self, more: int) -> None:
        self._done += more
        if self._done == self._total or self._done - self._shown >= self._total / MOST_LINES:
            self._shown = self._done
            tell(f"{self._doing}: {self._done}/{self._total} {self._what}")


@contextmanager
def _bar(doing: str, total: int, what: str) -> Iterator[Advance]:
    from rich.console import Console  # noqa: PLC0415  (only a terminal needs it)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=total)
        yield lambda more: shown.advance(task, more)
