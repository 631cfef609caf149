"""Harmless: what may be summed up of messages: without what is private, and without what gives orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.messages import BaseMessage

from memory.context_query import text_of
from memory.namespaces import Owner
from memory.notices import said_in
from store.memory_store import MemoryStore
from store.redacting import redactor_of


async def harmless_for(store: MemoryStore, owner: Owner) -> Callable[[Sequence[BaseMessage]], list[BaseMessage]]:
    """Give what leaves of messages only what may be summed up: redacted, without notices and what the guard holds back."""
    redacted = await redactor_of(store, owner)

    def harmless(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        clean = [message.model_copy(update={"content": redacted(said_in(message))}) for message in messages]
        return [message for message in clean if not store.policies.guard.attack_in(text_of(message))]

    return harmless
