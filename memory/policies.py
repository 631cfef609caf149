"""Policies: what may be kept of what is said: which facts, which private things, and nothing that gives orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from memory.guard.guard import Guard, default_guard
from memory.keys import Keys, default_keys
from memory.privacy import Policy, default_policy


@dataclass(frozen=True, kw_only=True)
class Policies:
    """What a memory keeps to, whoever writes into it.

    Attributes:
        keys: Which facts may be kept.
        privacy: What becomes of each kind of private thing.
        guard: Knows a text that would give orders when it is remembered.
    """

    keys: Keys = field(default_factory=default_keys)
    privacy: Policy = field(default_factory=default_policy)
    guard: Guard = field(default_factory=default_guard)


@cache
def default_policies() -> Policies:
    """Give those that come with Jiyi."""
    return Policies()
