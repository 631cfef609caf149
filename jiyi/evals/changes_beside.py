"""Facts beside a change: much else that is known of the same user, made up by chance, and the memory that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from random import Random

from jiyi.testing import FixedClock
from memory.changes import KeepTurn
from memory.keys import ANY, ASKED_FOR, Keys, KeySpec
from memory.kinds import Draft, Episode
from memory.namespaces import Owner
from store.apply import apply
from store.memory_store import MemoryStore

SEED = 20260504
SYLLABLES = tuple(first + second for first in "bdfklmnprstvz" for second in ("a", "e", "i", "o", "u"))
CHARACTERS = "岚屿棠溪岳澜桐樾漪芷沐珩朔煦霁苒砚笙翎槿"
MOST_OF_A_FAMILY = 60
"""Of what a user has many: hobbies, likes; so that no family is most of a memory."""
CONFIDENCE = 0.75

Known = tuple[str, str]
"""A key and its value."""


def made_up(number: int, *, keys: Keys, seed: int = SEED) -> list[Known]:
    """Make up facts of all families, in turn, but for what must be asked to be remembered; the same seed gives the same.

    A key that holds one value is given one; names and values are words without a meaning, in both scripts, but where
    the family has a vocabulary.
    """
    return list(islice(_endless(keys, Random(seed)), number))  # noqa: S311  (the same each time, not secret)


def _endless(keys: Keys, chance: Random) -> Iterator[Known]:
    told: dict[str, set[str]] = {}
    specs = sorted((spec for spec in keys.specs if spec.pattern != ASKED_FOR), key=lambda spec: spec.pattern)
    for spec in cycle(specs):
        key = ".".join(_segment(at, segment, keys, chance) for at, segment in enumerate(spec.pattern.split(".")))
        value = chance.choice(sorted(spec.values)) if spec.values else _words(chance)
        held = told.setdefault(key, set())
        if keys.spec(key) == spec and value not in held and len(held) < _most(spec):
            held.add(value)
            yield key, value


def _most(spec: KeySpec) -> int:
    return 1 if spec.single else MOST_OF_A_FAMILY


def _segment(at: int, segment: str, keys: Keys, chance: Random) -> str:
    """Fill an open place: first a name, then an attribute that has a label."""
    if segment != ANY:
        return segment
    return _word(chance) if at == 1 else chance.choice(sorted(keys.words))


def _words(chance: Random) -> str:
    first, second = _word(chance), _word(chance)
    return f"{first} {second}" if (first + second).isascii() else first + second


def _word(chance: Random) -> str:
    if chance.random() < 1 / 2:
        return "".join(chance.choices(CHARACTERS, k=3))
    return "".join(chance.choices(SYLLABLES, k=3)).capitalize()


async def write_beside(path: Path, owner: Owner, known: list[Known], *, said_at: datetime) -> None:
    """Make a memory in which all this is known, each from a message of its own."""
    store = MemoryStore(path, clock=FixedClock(said_at))
    async with store.opened(keeps_up=False):
        await apply(store, owner, [_turn(at, one, said_at) for at, one in enumerate(known)], actor="bench")


def _turn(at: int, known: Known, said_at: datetime) -> KeepTurn:
    key, value = known
    name = f"beside-{at}"
    episode = Episode(
        id=f"{name}-0", speaker="user", text=value, thread_id=name, turn_id=name, position=0, said_at=said_at
    )
    draft = Draft(key=key, value=value, confidence=CONFIDENCE, quote=value, said_at=said_at)
    return KeepTurn(episodes=(episode,), drafts=(draft,))
