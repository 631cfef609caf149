"""A facts run: each message is remembered as the product does it, and the facts that are believed then are what it proposes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graph.settings import STORE_FILE
from jiyi.evals.facts_file import Line
from jiyi.testing import FixedClock
from memory.kinds import Fact
from memory.namespaces import Owner
from memory.seams import Tagger
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.remember import remember

SAID_AT = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
"""When each message is said: what "tomorrow" is must not depend on the day of the run."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What came of a message: the facts that are active, and for what reasons drafts were refused."""

    line: Line
    facts: tuple[Fact, ...]
    refused: tuple[str, ...] = ()


async def take_all(
    lines: Iterable[Line],
    *,
    timezone: str = "UTC",
    folder: Path | None = None,
    tagger: Tagger | None = None,
    on_done: Callable[[int], None] = lambda lines: None,
) -> list[Taken]:
    """Remember each message in a fresh store, and leave nothing behind.

    Each has a user of its own: what one message says must not take the place of what another said.

    Args:
        lines: The messages.
        timezone: In which "tomorrow" is meant (IANA name).
        folder: Where the store is for the while; None: where temporary files are.
        tagger: Marks facts besides the rules; None: the rules read alone.
        on_done: Is told how many more messages are done.
    """
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=folder) as home:
        store = MemoryStore(Path(home) / STORE_FILE, clock=FixedClock(SAID_AT))
        async with store.opened(keeps_up=False):
            return [await _taken(store, line, timezone, tagger, on_done) for line in lines]


async def _taken(
    store: MemoryStore, line: Line, timezone: str, tagger: Tagger | None, on_done: Callable[[int], None]
) -> Taken:
    owner = Owner(user=f"line-{line.number}")
    applied = await remember(store, owner, line.text, said_at=SAID_AT, timezone=timezone, tagger=tagger)
    facts = await facts_of(store, owner)
    on_done(1)
    return Taken(line=line, facts=facts, refused=applied.refused)
