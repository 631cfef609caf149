"""What is kept of a planted text, told apart by the way it came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from langgraph.store.base import Item

from jiyi.evals.guard_carriers import Way
from jiyi.evals.guard_standing import holds
from memory.guard.guard import Guard
from memory.kinds import Episode, Evidence, Fact, Review, from_value
from memory.namespaces import user_root
from store.memory_store import MemoryStore

NOT_DERIVED = frozenset({"episodes", "evidence", "pending", "quarantine", "reviews"})
MOST_ITEMS = 10_000

Ways = frozenset[Way]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """By which ways something is kept.

    Attributes:
        threads: Of each episode, held back or not, the thread in which it was said.
        written: An episode that is not held back holds the text.
        active: A fact that is active rests on what was said.
        held: Something is held back: an episode in quarantine, a review for that reason, or what is left out when read.
        derived: Something derived is active, whatever the way: an active fact, or an item of a kind that is neither said nor
            held back.
    """

    threads: Mapping[str, str]
    written: Ways
    active: Ways
    held: Ways
    derived: bool


async def kept_of(store: MemoryStore, user: str, text: str, *, threads: Mapping[str, Way], guard: Guard) -> Kept:
    """Look through all that is kept of a user.

    Args:
        store: Where.
        user: Whose.
        text: What was planted.
        threads: By which way it came in each thread.
        guard: By which memories are left out when they are read.
    """
    items = await store.asearch(user_root(user), limit=MOST_ITEMS)
    return _Found(items, threads).kept(text, guard)


class _Found:
    """All that is kept of one user, by kind."""

    def __init__(self, items: Iterable[Item], threads: Mapping[str, Way]) -> None:
        self._items = list(items)
        self._threads = threads
        self._episodes = [from_value(Episode, value) for value in self._of("episodes")]
        self._quarantined = [from_value(Episode, value) for value in self._of("quarantine")]
        self._facts = [fact for value in self._of("facts") if (fact := from_value(Fact, value)).status == "active"]
        self._evidence = {one.id: one for one in (from_value(Evidence, value) for value in self._of("evidence"))}

    def kept(self, text: str, guard: Guard) -> Kept:
        said = [*self._episodes, *self._quarantined]
        return Kept(
            threads={one.id: one.thread_id for one in said},
            written=self._ways(one.thread_id for one in self._episodes if holds(one.text, text)),
            active=self._ways(thread for fact in self._facts for thread in self._rests_on(fact)),
            held=self._ways([*self._held_back(), *self._left_out(guard)]),
            derived=bool(self._facts) or any(_kind(item) not in NOT_DERIVED | {"facts"} for item in self._items),
        )

    def _held_back(self) -> Iterator[str]:
        thread_of = {one.turn_id: one.thread_id for one in [*self._episodes, *self._quarantined]}
        yield from (one.thread_id for one in self._quarantined)
        reviews = (from_value(Review, value) for value in self._of("reviews"))
        yield from (thread_of.get(one.turn_id, "") for one in reviews if one.reason == "quarantine")

    def _left_out(self, guard: Guard) -> Iterator[str]:
        """Give where was said what is kept and yet not shown: the rule of `store.exchanges` and `nodes.llm`."""
        yield from (one.thread_id for one in self._episodes if guard.withholds(one.text, cleared=one.cleared))
        poison = (fact for fact in self._facts if guard.withholds(fact.value, cleared=fact.cleared))
        yield from (thread for fact in poison for thread in self._rests_on(fact))

    def _rests_on(self, fact: Fact) -> Iterator[str]:
        return (self._evidence[one].thread_id for one in fact.evidence if one in self._evidence)

    def _of(self, kind: str) -> Iterator[dict[str, object]]:
        return (item.value for item in self._items if _kind(item) == kind)

    def _ways(self, threads: Iterable[str]) -> Ways:
        return frozenset(self._threads[thread] for thread in threads if thread in self._threads)


def _kind(item: Item) -> str:
    return item.namespace[-1]
