"""Keeping conversations that were held elsewhere: exchange by exchange, each whole, each once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Protocol

from jiyi.reading.exchanges import Exchange, exchanges_of, is_thread_of, possible_ids
from jiyi.reading.said import USER, Conversation, Said
from memory.changes import Applied, KeepTurn
from memory.importance import importance
from memory.keys import default_keys
from memory.kinds import Draft, Episode
from memory.namespaces import Owner
from memory.proposing import proposed
from memory.seams import Tagger
from store.apply import apply
from store.kept_episodes import kept_row
from store.memory_store import MemoryStore
from store.redacting import redactor_of
from store.tag.marking import marks_in
from store.transaction import Transaction

ACTOR = "ingest"
BATCH_TURNS = 64
"""So many turns are written before their vectors are made: an interruption leaves no more than these to be made."""


class TakenIdError(ValueError):
    """All that a memory could be called is taken by others."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(
            f"Cannot keep the turn {ids[0]!r}: {', '.join(map(repr, ids))} are all taken by other conversations "
            "of this user. Give the corpus another id."
        )


class _Read(Protocol):
    """Reads what the user said: gives what is worth remembering of it."""

    def __call__(self, text: str, *, said_at: datetime | None) -> tuple[Draft, ...]: ...


@dataclass(kw_only=True)
class Tally:
    """What has come of keeping so far."""

    new: int = 0
    known: int = 0
    facts: set[str] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)
    without_vectors: int = 0


@dataclass(frozen=True, kw_only=True)
class _Named:
    """An utterance under its id, and whether it is kept already."""

    id: str
    said: Said
    known: bool


async def keep_conversations(
    store: MemoryStore,
    owner: Owner,
    conversations: Iterable[Conversation],
    *,
    timezone: str = "UTC",
    tagger: Tagger | None = None,
    on_kept: Callable[[int], None] = lambda turns: None,
) -> Tally:
    """Keep conversations with the facts that the user tells in them; what is kept already is left as it is.

    Each exchange is one transaction and vectors are made as it goes, so that an interruption loses nothing and a
    repetition goes on where it stopped.

    Args:
        store: Where.
        owner: Whose memory.
        conversations: What was said; the speaker `user` is the owner.
        timezone: In which "tomorrow" is meant (IANA name).
        tagger: Marks facts besides the rules; None: the rules read alone.
        on_kept: Is told after each exchange how many turns that were.
    """
    tally = Tally()
    for conversation in conversations:
        for exchange in exchanges_of(conversation):
            await _keep(store, owner, conversation, exchange, tally, partial(_drafts, timezone=timezone, tagger=tagger))
            on_kept(len(exchange.said))
            if tally.without_vectors >= BATCH_TURNS:
                tally.without_vectors = 0
                await store.indexer.catch_up()
    await store.indexer.catch_up()
    return tally


async def _keep(
    store: MemoryStore, owner: Owner, conversation: Conversation, exchange: Exchange, tally: Tally, read: _Read
) -> None:
    """Keep one exchange; what another process gave one of its ids meanwhile makes it try the next."""
    written, redacted = 0, await redactor_of(store, owner)
    named = await _named(store, owner, conversation, exchange)
    while not all(one.known for one in named):
        applied = await apply(
            store,
            owner,
            [await asyncio.to_thread(_turn, exchange, named, redacted, read)],
            actor=ACTOR,
            index_now=False,
        )
        _count(tally, applied)
        written += len(applied.episodes)
        named = await _named(store, owner, conversation, exchange)
    tally.known += len(exchange.said) - written


def _count(tally: Tally, applied: Applied) -> None:
    tally.new += len(applied.episodes)
    tally.without_vectors += len(applied.episodes)
    tally.facts.update(applied.facts)
    tally.refused.update(applied.refused)


async def _named(
    store: MemoryStore, owner: Owner, conversation: Conversation, exchange: Exchange
) -> tuple[_Named, ...]:
    def look(transaction: Transaction) -> tuple[_Named, ...]:
        threads = {
            one: str(row.value["thread_id"])
            for ids in possible_ids(conversation, exchange)
            for one in ids
            if (row := kept_row(transaction, owner, one)) is not None
        }
        return tuple(
            _name(said, ids, threads, conversation)
            for said, ids in zip(exchange.said, possible_ids(conversation, exchange), strict=True)
        )

    return await store.look(look)


def _name(said: Said, ids: Sequence[str], threads: dict[str, str], conversation: Conversation) -> _Named:
    """Choose the id under which it is kept, else the first that is free."""
    own = next((one for one in ids if one in threads and is_thread_of(conversation, threads[one])), None)
    if own is not None:
        return _Named(id=own, said=said, known=True)
    free = next((one for one in ids if one not in threads), None)
    if free is None:
        raise TakenIdError(ids)
    return _Named(id=free, said=said, known=False)


def _turn(exchange: Exchange, named: Sequence[_Named], redacted: Callable[[str], str], read: _Read) -> KeepTurn:
    heard = next((one.said for one in named if one.said.speaker == USER and not one.known), None)
    drafts = read(redacted(heard.text), said_at=heard.said_at) if heard else ()
    episodes = tuple(
        _episode(exchange, one, redacted(one.said.text), fruitful=bool(drafts) and one.said is heard) for one in named
    )
    return KeepTurn(episodes=episodes, drafts=drafts)


def _drafts(text: str, *, said_at: datetime | None, timezone: str, tagger: Tagger | None) -> tuple[Draft, ...]:
    found = proposed(text, marks_in(text, tagger), keys=default_keys(), said_at=said_at, timezone=timezone)
    return tuple(replace(draft, source="import") for draft in found)


def _episode(exchange: Exchange, one: _Named, text: str, *, fruitful: bool) -> Episode:
    return Episode(
        id=one.id,
        speaker=one.said.speaker,
        text=text,
        thread_id=exchange.thread_id,
        turn_id=exchange.turn_id,
        position=one.said.position,
        said_at=one.said.said_at,
        importance=importance(text, fruitful=fruitful),
    )
