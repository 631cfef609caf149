"""Waiting turns: which are pending, who is at work on them, and how one process takes them over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from memory.kinds import Pending, from_value, to_value
from memory.namespaces import Owner, user_space
from store.memory_store import MemoryStore
from store.transaction import Row, Transaction, row_of
from store.waiting_rows import ALL_WAITING, Waiting, waiting_of

LEASE = timedelta(minutes=2)
LONGER = 4
MAX_TRIES = 3


async def waiting_turns(store: MemoryStore) -> list[Waiting]:
    """List all turns that have not been consolidated, oldest first."""
    return await store.look(lambda transaction: [one for _, one in _all(transaction)])


async def waiting_in(store: MemoryStore, owner: Owner, thread_id: str) -> list[Pending]:
    """List one thread's turns that have not been consolidated, oldest first."""
    place = user_space(owner, "pending")
    rows = await store.look(lambda transaction: transaction.find(place, {"thread_id": thread_id}))
    return [one.pending for row in rows if (one := waiting_of(row))]


async def claim_turns(store: MemoryStore, *, limit: int = 20, users: Container[str] | None = None) -> list[Waiting]:
    """Take over turns that nobody is at work on: their lease is over or their holder has died.

    Each try waits longer for the next (2, 8, 32 minutes), so that an outage does not use them up. A turn that was
    tried three times is set aside: it stays, and `jiyi doctor` shows it.

    Args:
        store: Where.
        limit: How many at most.
        users: Only theirs; None: everybody's.
    """
    names = {one.pending.holder for one in await waiting_turns(store)} - {"", store.holder}
    dead = await asyncio.to_thread(lambda: {name for name in names if store.holders.dead(name)})
    return await store.transact("", lambda transaction: _claim(transaction, store.holder, dead, limit, users))


async def leave_turn(store: MemoryStore, owner: Owner, turn_id: str) -> None:
    """Leave a claimed turn for later: it was only looked at, which is no try, and is looked at again after a lease."""

    def left(transaction: Transaction) -> None:
        row = transaction.get(user_space(owner, "pending"), turn_id)
        if row is not None:
            pending = from_value(Pending, row.value)
            later = replace(pending, holder="", lease_until=transaction.now + LEASE, tries=pending.tries - 1)
            transaction.change(row, to_value(later))

    await store.transact(owner.user, left)


async def put_off(store: MemoryStore, owner: Owner, turn_id: str) -> None:
    """Let a turn that was tried in vain wait until its lease is over, also where this process ends before that."""

    def rests(transaction: Transaction) -> None:
        row = transaction.get(user_space(owner, "pending"), turn_id)
        if row is not None:
            transaction.change(row, to_value(replace(from_value(Pending, row.value), holder="")))

    await store.transact(owner.user, rests)


@asynccontextmanager
async def let_go_if_it_fails(store: MemoryStore, owner: Owner, turn_id: str) -> AsyncIterator[None]:
    """Let go of a turn when the work of the block fails or is cancelled, so that it need not wait for its lease."""
    done = False
    try:
        yield
        done = True
    finally:
        if not done:
            await asyncio.shield(store.transact(owner.user, partial(_let_go, owner=owner, turn_id=turn_id)))


def _let_go(transaction: Transaction, *, owner: Owner, turn_id: str) -> None:
    row = transaction.get(user_space(owner, "pending"), turn_id)
    if row is not None:
        pending = from_value(Pending, row.value)
        transaction.change(row, to_value(replace(pending, holder="", lease_until=None)))


def _claim(
    transaction: Transaction, holder: str, dead: set[str], limit: int, users: Container[str] | None
) -> list[Waiting]:
    theirs = ((row, one) for row, one in _all(transaction) if users is None or one.owner.user in users)
    free = [(row, one) for row, one in theirs if _is_free(one.pending, transaction.now, dead)]
    return [_claimed(transaction, row, one, holder) for row, one in free[:limit]]


def _claimed(transaction: Transaction, row: Row, one: Waiting, holder: str) -> Waiting:
    until = transaction.now + LEASE * LONGER**one.pending.tries
    taken = replace(one.pending, holder=holder, lease_until=until, tries=one.pending.tries + 1)
    transaction.change(row, to_value(taken))
    return Waiting(owner=one.owner, pending=taken)


def _is_free(pending: Pending, now: datetime, dead: set[str]) -> bool:
    if pending.tries >= MAX_TRIES:
        return False
    lapsed = pending.lease_until is None or pending.lease_until <= now
    return lapsed or pending.holder in dead


def _all(transaction: Transaction) -> list[tuple[Row, Waiting]]:
    rows = (row_of(row) for row in transaction.connection.execute(ALL_WAITING))
    return [(row, one) for row in rows if (one := waiting_of(row))]
