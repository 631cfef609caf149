"""Redacting: what is private goes before anything is kept; the same number has the same name for one user."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from memory.ids import keyed_id
from memory.namespaces import Owner
from memory.policies import Policies
from memory.privacy import redact
from store.memory_store import MemoryStore
from store.transaction import Transaction

TAG_CHARS = 8
"""32 bits: two numbers of one user share a name once in some billions of pairs; too few to guess a number from."""


def redacted(transaction: Transaction, owner: Owner, policies: Policies, text: str) -> str:
    """Give a text without what is private; numbers are named by the user's key, made at first use."""
    return _redacted(policies, transaction.user_key(owner.user), text)


async def redactor_of(store: MemoryStore, owner: Owner) -> Callable[[str], str]:
    """Give what redacts this user's texts, for those who read them before they are kept."""
    key = await store.look(lambda transaction: transaction.user_key_or_blank(owner.user))
    if not key:
        key = await store.transact(owner.user, lambda transaction: transaction.user_key(owner.user))
    return partial(_redacted, store.policies, key)


def _redacted(policies: Policies, key: bytes, text: str) -> str:
    def tag(kind: str, number: str) -> str:
        return keyed_id(key, "private", kind, number)[:TAG_CHARS]

    return redact(text, policy=policies.privacy, tag=tag).text
