"""Exchanges: the words around recalled episodes, fetched by id when they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.kinds import Episode, from_value
from store.memory_store import MemoryStore
from store.scopes import labels_of
from store.transaction import Transaction

MAX_LINES = 6


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What was said around one or more recalled episodes of a turn, in order."""

    turn_id: str
    said_at: datetime | None
    episodes: tuple[Episode, ...]


async def exchanges_around(store: MemoryStore, refs: Sequence[tuple[str, str]]) -> list[Exchange]:
    """Fetch the exchanges that recalled episodes belong to, each once, in the order of the references.

    Args:
        store: Where.
        refs: (place, id) of each episode. One that was forgotten meanwhile is left out.
    """
    return await store.look(lambda transaction: _exchanges(transaction, refs))


def _exchanges(transaction: Transaction, refs: Sequence[tuple[str, str]]) -> list[Exchange]:
    found: dict[str, Exchange] = {}
    for place, episode_id in refs:
        namespace = labels_of(place)
        row = transaction.get(namespace, episode_id)
        if row is None:
            continue
        recalled = from_value(Episode, row.value)
        if recalled.turn_id not in found:
            found[recalled.turn_id] = _exchange(transaction, namespace, recalled)
    return list(found.values())


def _exchange(transaction: Transaction, namespace: Sequence[str], recalled: Episode) -> Exchange:
    rows = transaction.of_turn(namespace, recalled.turn_id)
    episodes = sorted((from_value(Episode, row.value) for row in rows), key=lambda one: (one.position, one.id))
    at = next((at for at, one in enumerate(episodes) if one.id == recalled.id), 0)
    start = max(0, at - MAX_LINES // 2)
    return Exchange(
        turn_id=recalled.turn_id, said_at=recalled.said_at, episodes=tuple(episodes[start : start + MAX_LINES])
    )
