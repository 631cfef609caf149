"""Resting: what of a user's memory rests on turns of a thread, and how it is forgotten with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from memory.blanking import FORGOTTEN
from memory.changes import Applied, ForgetTurn
from memory.kinds import Episode, Evidence, Fact, Pending, from_value
from memory.namespaces import Owner, id_of, user_root
from store.apply import apply
from store.kept_episodes import ROOMS
from store.memory_store import MemoryStore
from store.scopes import labels_of
from store.transaction import Row, Transaction

AGENT_LABEL, KIND_LABEL = 2, 3

Told = Episode | Evidence | Pending
Meant = Callable[[Told], bool]
"""Tells whether something was said in one of the turns that are meant."""


@dataclass(frozen=True, kw_only=True)
class RestingFact:
    """A fact that is believed and rests on the turns; `alone` where it rests on nothing else."""

    agent: str
    fact: Fact
    alone: bool


@dataclass(frozen=True, kw_only=True)
class Resting:
    """What is remembered of some turns, by all agents of a user or one of them.

    `episodes` are the ids of what was said and is still recalled, `waiting` the turns that are still to be remembered.
    """

    facts: tuple[RestingFact, ...] = ()
    episodes: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is remembered of them."""
        return not (self.facts or self.episodes or self.waiting)


@dataclass(kw_only=True)
class _Found:
    """What one agent has kept."""

    episodes: list[Episode] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    @property
    def told(self) -> list[Told]:
        """Give all that belongs to a turn."""
        return [*self.episodes, *self.evidence, *self.pending]


def of_turns(turn_ids: Collection[str]) -> Meant:
    """Mean what was said in these turns."""
    return lambda one: one.turn_id in turn_ids


def of_thread(thread_id: str) -> Meant:
    """Mean all that was said in a thread, also on ways that were given up and are no longer kept."""
    return lambda one: one.thread_id == thread_id


async def resting_on(store: MemoryStore, user: str, meant: Meant, *, agent: str | None = None) -> Resting:
    """Find what is remembered of the turns that are meant.

    Args:
        store: Where.
        user: Whose.
        meant: See `of_turns` and `of_thread`.
        agent: Only what this agent remembers; None: what all do.
    """
    found = await store.look(partial(_found, user=user, agent=agent))
    facts = [one for name, kept in sorted(found.items()) for one in _facts(name, kept, meant)]
    heard = [one.id for kept in found.values() for one in kept.episodes if meant(one) and one.text != FORGOTTEN]
    waiting = [one.turn_id for kept in found.values() for one in kept.pending if meant(one)]
    return Resting(facts=tuple(facts), episodes=tuple(sorted(heard)), waiting=tuple(sorted(waiting)))


async def said_at_of(store: MemoryStore, user: str, thread_id: str) -> dict[str, datetime | None]:
    """Say when the turns of a thread were said, as far as they are remembered."""
    found = await store.look(partial(_found, user=user, agent=None))
    said = [one for kept in found.values() for one in kept.episodes if one.thread_id == thread_id]
    return {one.turn_id: one.said_at for one in said if one.speaker != "assistant"}


async def begun_at(store: MemoryStore, user: str) -> dict[str, datetime]:
    """Say of a user's threads when the first of what is remembered of them was said."""
    found = await store.look(partial(_found, user=user, agent=None))
    said = [(one.said_at, one.thread_id) for kept in found.values() for one in kept.episodes if one.said_at]
    return {thread_id: at for at, thread_id in sorted(said, reverse=True)}


async def agents_in(store: MemoryStore, user: str) -> dict[str, frozenset[str]]:
    """Say for each of a user's agents in which threads it has heard something."""
    found = await store.look(partial(_found, user=user, agent=None))
    return {name: frozenset(one.thread_id for one in kept.told) for name, kept in found.items()}


async def forget_resting(store: MemoryStore, user: str, meant: Meant, *, agent: str | None = None) -> Applied:
    """Forget what is remembered of the turns that are meant; what rests on other words too stays, less sure."""
    found = await store.look(partial(_found, user=user, agent=agent))
    done = Applied()
    for name, kept in found.items():
        turns = dict.fromkeys(one.turn_id for one in kept.told if meant(one))
        changes = [ForgetTurn(turn_id=turn_id) for turn_id in turns]
        if changes:
            done += await apply(store, Owner(user=user, agent=name), changes, actor="user")
    return done


def _facts(agent: str, kept: _Found, meant: Meant) -> list[RestingFact]:
    told = {one.id for one in kept.evidence if meant(one)}
    believed = [one for one in kept.facts if one.status == "active" and told & set(one.evidence)]
    return [RestingFact(agent=agent, fact=one, alone=set(one.evidence) <= told) for one in believed]


def _found(transaction: Transaction, *, user: str, agent: str | None) -> dict[str, _Found]:
    found: dict[str, _Found] = defaultdict(_Found)
    for row in transaction.find(user_root(user)):
        labels = labels_of(row.namespace)
        if len(labels) == KIND_LABEL + 1 and agent in (None, id_of(labels[AGENT_LABEL])):
            _sort_in(found[id_of(labels[AGENT_LABEL])], labels[KIND_LABEL], row)
    return dict(found)


def _sort_in(found: _Found, kind: str, row: Row) -> None:
    match kind:
        case _ if kind in ROOMS:
            found.episodes.append(from_value(Episode, row.value))
        case "evidence":
            found.evidence.append(from_value(Evidence, row.value))
        case "pending":
            found.pending.append(from_value(Pending, row.value))
        case "facts":
            found.facts.append(from_value(Fact, row.value))
