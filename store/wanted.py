"""Wanted: what is looked for in a memory besides the words of the query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.kinds import stamp_of
from memory.recalled import RecalledKind
from memory.tokens import TextCounter, count_tokens

DEFAULT_LIMIT = 8


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is looked for besides the words: which kind, when it was said, where, and how many.

    `max_tokens` is what all of it may take in a prompt, for those who build their own: the agent's prompt has one budget
    for all that is remembered, and cuts to it itself (`memory.prompt.within_budget`). `count` counts them.

    `history` also gives facts that no longer hold, and leaves what was said where it ranks, though the user has said otherwise
    since.

    `gated` False gives the bare ranking: also what bears on the query too little to be shown to a model, and repetitions
    where they rank. `without` names signals (`memory.recalled.SIGNALS`) that do not count, to learn what each is worth.
    """

    kind: RecalledKind = "episodes"
    limit: int = DEFAULT_LIMIT
    max_tokens: int | None = None
    count: TextCounter = count_tokens
    since: datetime | None = None
    until: datetime | None = None
    thread_id: str | None = None
    not_turn: str | None = None
    gated: bool = True
    history: bool = False
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse a number that means nothing.

        Raises:
            ValueError: `limit` or `max_tokens` is below 0.
        """
        for name, number in (("limit", self.limit), ("max_tokens", self.max_tokens)):
            if number is not None and number < 0:
                raise ValueError(f"Cannot look for memories with {name}={number!r}: give 0 or more.")

    @property
    def is_narrow(self) -> bool:
        """Tell whether only a thread or a time is looked at: "last time" is then the last time there."""
        return not (self.thread_id is None and self.since is None and self.until is None)

    @property
    def is_of_now(self) -> bool:
        """Tell whether what holds now goes before what held once: no history and no time is wanted."""
        return not (self.history or self.is_narrow or "recency" in self.without)

    def as_filter(self, *, now: datetime) -> dict[str, Any]:
        """Give it as a filter over values, applied before any limit; what will be said later is not known `now`."""
        parts: list[Mapping[str, Any]] = []
        if self.kind == "facts" and not self.history:
            parts.append({"status": "active"})
        if self.thread_id is not None:
            parts.append({"thread_id": self.thread_id})
        if self.not_turn is not None:
            parts.append({"turn_id": {"$ne": self.not_turn}})
        if self.since is not None:
            parts.append({self._time: {"$gte": stamp_of(self.since)}})
        if self.until is not None:
            parts.append({self._time: {"$lte": stamp_of(self.until)}})
        else:
            parts.append({"$or": [{self._time: None}, {self._time: {"$lte": stamp_of(now)}}]})
        return {"$and": parts} if parts else {}

    @property
    def _time(self) -> str:
        return "said_at" if self.kind == "episodes" else "last_confirmed"
