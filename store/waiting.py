"""Waiting turns: which are pending, who is at work on them, and how one process takes them over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.kinds import Pending, from_value, to_value
from memory.namespaces import Owner, user_space
from store.memory_store import MemoryStore
from store.transaction import Row, Transaction, row_of

LEASE = timedelta(minutes=2)
MAX_TRIES = 3


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A pending turn and whose it is."""

    owner: Owner
    pending: Pending


async def waiting_turns(store: MemoryStore) -> list[Waiting]:
    """List all turns that have not been consolidated, oldest first."""
    return await store.look(lambda transaction: [_waiting(row) for row in _rows(transaction)])


async def waiting_in(store: MemoryStore, owner: Owner, thread_id: str) -> list[Pending]:
    """List one thread's turns that have not been consolidated, oldest first."""
    place = user_space(owner, "pending")
    rows = await store.look(lambda transaction: transaction.find(place, {"thread_id": thread_id}))
    return [from_value(Pending, row.value) for row in rows]


async def claim_turns(store: MemoryStore, *, limit: int = 20) -> list[Waiting]:
    """Take over turns that nobody is at work on: their lease is over or their holder has died.

    A turn that was tried three times is set aside: it stays, and `jiyi doctor` shows it.
    """
    names = {one.pending.holder for one in await waiting_turns(store)} - {"", store.holder}
    dead = await asyncio.to_thread(lambda: {name for name in names if store.holders.dead(name)})
    return await store.transact("", lambda transaction: _claim(transaction, store.holder, dead, limit))


async def release_turn(store: MemoryStore, owner: Owner, turn_id: str, *, untried: bool) -> None:
    """Let go of a turn that is left for later, so that anybody may take it at once.

    Args:
        store: Where.
        owner: Whose turn it is.
        turn_id: Which.
        untried: It was only looked at: that does not count as a try.
    """

    def let_go(transaction: Transaction) -> None:
        row = transaction.get(user_space(owner, "pending"), turn_id)
        if row is not None:
            pending = from_value(Pending, row.value)
            tries = pending.tries - 1 if untried else pending.tries
            transaction.change(row, to_value(replace(pending, holder="", lease_until=None, tries=tries)))

    await store.transact(owner.user, let_go)


def _claim(transaction: Transaction, holder: str, dead: set[str], limit: int) -> list[Waiting]:
    free = [(row, _waiting(row)) for row in _rows(transaction) if _is_free(row, transaction.now, dead)][:limit]
    return [_claimed(transaction, row, one, holder) for row, one in free]


def _claimed(transaction: Transaction, row: Row, one: Waiting, holder: str) -> Waiting:
    taken = replace(one.pending, holder=holder, lease_until=transaction.now + LEASE, tries=one.pending.tries + 1)
    transaction.change(row, to_value(taken))
    return Waiting(owner=one.owner, pending=taken)


def _is_free(row: Row, now: datetime, dead: set[str]) -> bool:
    pending = from_value(Pending, row.value)
    if pending.tries >= MAX_TRIES:
        return False
    lapsed = pending.lease_until is None or pending.lease_until <= now
    return lapsed or pending.holder in dead


def _waiting(row: Row) -> Waiting:
    pending = from_value(Pending, row.value)
    return Waiting(owner=Owner(user=pending.user, agent=pending.agent), pending=pending)


def _rows(transaction: Transaction) -> Sequence[Row]:
    rows = transaction.connection.execute("SELECT * FROM items WHERE namespace GLOB '*.pending.' ORDER BY id")
    return [row_of(row) for row in rows]
