"""Exchanges: the words around recalled episodes, fetched by id when they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.guard.guard import Guard
from memory.kinds import Episode, is_name
from memory.namespaces import SHARED_AGENT, Namespace, Owner, user_space
from memory.prompt_parts import ShownExchange
from memory.reported import Voice, reported
from store.memory_store import MemoryStore
from store.readable import episode_of, episodes_of
from store.transaction import Transaction

MAX_LINES = 6


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What was said around one or more recalled episodes of a turn, in order."""

    turn_id: str
    said_at: datetime | None
    episodes: tuple[Episode, ...]

    @property
    def shown(self) -> ShownExchange:
        """Give it as it stands in a prompt: who is told to do something is named the subject, never the order."""
        with_tools = any(episode.tools_used for episode in self.episodes)
        lines = tuple(
            (one.speaker, one.text if one.cleared else reported(one.text, voice=_voice(one.speaker, with_tools)))
            for one in self.episodes
        )
        return ShownExchange(id=self.turn_id, said_at=self.said_at, lines=lines)


def _voice(speaker: str, with_tools: bool) -> Voice:
    """Say whose voice it is; with tools the assistant may repeat what a stranger had written."""
    if is_name(speaker):
        return "people"
    return "agent" if speaker == "assistant" and not with_tools else "user"


async def exchanges_around(store: MemoryStore, owner: Owner, refs: Sequence[tuple[str, str]]) -> list[Exchange]:
    """Fetch the exchanges that recalled episodes belong to, each once, in the order of the references.

    Args:
        store: Where.
        owner: Whose memory; another agent's than theirs and the shared one is left out, since a thread's state may
            be edited by its client.
        refs: (agent, id) of each episode. One that was forgotten meanwhile is left out.
    """
    own = {agent: user_space(replace(owner, agent=agent), "episodes") for agent in (owner.agent, SHARED_AGENT)}
    mine = [(own[agent], episode_id) for agent, episode_id in refs if agent in own]
    return await store.look(lambda transaction: _exchanges(transaction, mine, store.policies.guard))


def _exchanges(transaction: Transaction, refs: Sequence[tuple[Namespace, str]], guard: Guard) -> list[Exchange]:
    found: dict[str, Exchange] = {}
    for namespace, episode_id in refs:
        row = transaction.get(namespace, episode_id)
        recalled = None if row is None else episode_of(row)
        if recalled is None or guard.withholds(recalled.text, cleared=recalled.cleared):
            continue
        if recalled.turn_id not in found:
            found[recalled.turn_id] = _exchange(transaction, namespace, recalled, guard)
    return list(found.values())


def _exchange(transaction: Transaction, namespace: Sequence[str], recalled: Episode, guard: Guard) -> Exchange:
    rows = transaction.of_turn(namespace, recalled.turn_id)
    harmless = (one for one in episodes_of(rows) if not guard.withholds(one.text, cleared=one.cleared))
    episodes = sorted(harmless, key=lambda one: (one.position, one.id))
    at = next((at for at, one in enumerate(episodes) if one.id == recalled.id), 0)
    start = max(0, at - MAX_LINES // 2)
    return Exchange(
        turn_id=recalled.turn_id, said_at=recalled.said_at, episodes=tuple(episodes[start : start + MAX_LINES])
    )
