"""profile: the facts held about a user, as they stand now or stood at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby

from memory.fold import as_of as said_until
from memory.fold import fold
from memory.ids import keyed_id
from memory.keys import Keys
from memory.kinds import Evidence, Fact, from_value
from memory.namespaces import Namespace, Owner, in_reach, user_space
from store.memory_store import MemoryStore
from store.transaction import Transaction


async def facts_of(store: MemoryStore, owner: Owner, *, active_only: bool = True) -> tuple[Fact, ...]:
    """List the facts held about a user, by key, what all agents share included.

    Args:
        store: Where.
        owner: Whose.
        active_only: Leave out what was superseded, retracted or not yet believed.
    """
    facts = await store.look(lambda transaction: list(_held(transaction, owner)))
    shown = [fact for fact in facts if fact.status == "active" or not active_only]
    return tuple(sorted(shown, key=lambda fact: (fact.key, fact.valid_from, fact.value)))


async def facts_as_of(store: MemoryStore, owner: Owner, when: datetime, *, keys: Keys) -> tuple[Fact, ...]:
    """Fold the facts from what had been said until a time: what would have been believed then."""
    return await store.look(lambda transaction: tuple(_believed_at(transaction, owner, when, keys)))


async def evidence_of(store: MemoryStore, owner: Owner, facts: Iterable[Fact]) -> dict[str, tuple[Evidence, ...]]:
    """Give what each fact rests on, oldest first, by the fact's id."""
    places = [user_space(place, "evidence") for place in in_reach(owner)]

    def read(transaction: Transaction) -> dict[str, tuple[Evidence, ...]]:
        return {fact.id: _pieces(transaction, places, fact.evidence) for fact in facts}

    return await store.look(read)


def _pieces(transaction: Transaction, places: Sequence[Namespace], ids: Iterable[str]) -> tuple[Evidence, ...]:
    rows = [transaction.get(place, one) for one in ids for place in places]
    found = [from_value(Evidence, row.value) for row in rows if row is not None]
    return tuple(sorted(found, key=lambda piece: (piece.said_at, piece.id)))


def _held(transaction: Transaction, owner: Owner) -> Iterator[Fact]:
    for place in in_reach(owner):
        for row in transaction.find(user_space(place, "facts")):
            yield from_value(Fact, row.value)


def _believed_at(transaction: Transaction, owner: Owner, when: datetime, keys: Keys) -> Iterator[Fact]:
    for place in in_reach(owner):
        pieces = [from_value(Evidence, row.value) for row in transaction.find(user_space(place, "evidence"))]
        naming = partial(keyed_id, transaction.user_key_or_blank(owner.user), "fact")
        for key, under in groupby(sorted(pieces, key=lambda piece: piece.key), key=lambda piece: piece.key):
            spec = keys.spec(key)
            if spec is not None:
                yield from fold(key, said_until(under, when), spec=spec, name=naming)
