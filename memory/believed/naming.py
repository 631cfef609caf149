"""naming: who and what is believed of by name."""

from __future__ import annotations

from collections.abc import Iterable

from memory.kinds import Fact

NAMED = frozenset({"person", "pet"})
KEY_AND_NAME = 2


def names_in(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Give who and what is known of by name, as the beginnings of their keys ("person.小李", "pet.Rufus"), longest first."""
    keys = [fact.key.split(".") for fact in facts]
    named = {".".join(segments[:2]) for segments in keys if segments[0] in NAMED and len(segments) > KEY_AND_NAME}
    return tuple(sorted(named, key=lambda label: (-len(label), label)))
