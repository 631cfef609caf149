"""Waiting rows: reading what stands where pending turns are kept, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass

from memory.kinds import Pending, from_value
from memory.namespaces import Owner, user_space
from store.scopes import path_of
from store.transaction import Row

ALL_WAITING = "SELECT * FROM items WHERE namespace GLOB '*.pending.' ORDER BY id"


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A pending turn and whose it is."""

    owner: Owner
    pending: Pending


def waiting_of(row: Row) -> Waiting | None:
    """Read a pending turn; None for what is none, or stands in another user's place than it says.

    Anything can be written there through the store's own interface, and must not stop what waits for others.
    """
    try:
        pending = from_value(Pending, row.value)
        owner = Owner(user=pending.user, agent=pending.agent)
    except ValueError:
        return None
    stands_right = row.namespace == path_of(user_space(owner, "pending")) and row.key == pending.turn_id
    return Waiting(owner=owner, pending=pending) if stands_right else None
