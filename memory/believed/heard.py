"""heard: a message as it is read, with what the rules told of it, what was believed before, and what it names of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memory.believed.mentions import Gram, Mention, forms, grams, literal, things
from memory.believed.signs import signs, slot
from memory.keys import ASKED_FOR, Keys
from memory.kinds import Fact
from memory.matching import Told
from memory.same.identity import identity
from memory.same.meaning import slot_of, tables_of


@dataclass(kw_only=True)
class Heard:
    """What is known while one message is read; `found` grows.

    `text` is the message in lower case, as long as `original`.
    """

    original: str
    text: str
    facts: Sequence[Fact]
    keys: Keys
    told: list[Told]
    found: list[Told] = field(default_factory=list)
    _named: dict[str, tuple[Mention, ...]] = field(default_factory=dict)

    @cached_property
    def readable(self) -> tuple[Fact, ...]:
        """Give the facts whose values are looked for in what is said: no identifiers, nothing that was asked to be kept."""
        return tuple(fact for fact in self.facts if fact.key != ASKED_FOR and not fact.key.startswith("ref."))

    @cached_property
    def mentioned(self) -> tuple[tuple[Fact, int, int], ...]:
        """Give where the message names a believed value: word for word, or by other words that mean the same."""
        return tuple((fact, start, end) for fact in self.readable for start, end in self._mentions(fact))

    @cached_property
    def labelled(self) -> tuple[tuple[Fact, int, int], ...]:
        """Give where the message names what a believed value is, by a word for it (goal, 目标), in the order of the words."""
        return tuple(
            (fact, start, end)
            for name, words in signs().labels.items()
            for fact in self.readable
            if slot(fact.key) == name
            for word in words
            for start, end in literal(self.text, word)
        )

    @cached_property
    def how_many(self) -> Counter[str]:
        """Say how many values are believed under a key."""
        return Counter(fact.key for fact in self.facts)

    @cached_property
    def people(self) -> frozenset[str]:
        """Name whom the user spoke of before."""
        return frozenset(fact.key.split(".")[1] for fact in self.facts if fact.key.startswith(("person.", "pet.")))

    def renewals(self, fact: Fact) -> Iterator[Mention]:
        """Give what the message names that is of one kind with a believed value, and another."""
        for table in tables_of(slot_of(fact.key)):
            named = self.named(table)
            form = identity(fact.value, key=fact.key) if named else ""
            if form in forms(table):
                yield from (each for each in named if each.form != form)

    def named(self, table: str) -> tuple[Mention, ...]:
        """Give what the message names of one table."""
        if table not in self._named:
            self._named[table] = things(self._grams, table)
        return self._named[table]

    def is_single(self, fact: Fact) -> bool:
        """Say whether a fact's key holds one value."""
        spec = self.keys.spec(fact.key)
        return spec is not None and spec.single

    def is_told(self, fact: Fact) -> bool:
        """Say whether it was told of already: of a key that holds one value, or of the value itself."""
        said = [each for each in (*self.told, *self.found) if each.key == fact.key]
        if not said or self.is_single(fact):
            return bool(said)
        return any(not each.value or same(each.value, fact.value, fact.key) for each in said)

    @cached_property
    def _grams(self) -> list[Gram]:
        return grams(self.text)

    def _mentions(self, fact: Fact) -> Iterator[tuple[int, int]]:
        seen = list(literal(self.text, fact.value))
        yield from seen
        named = [each for table in tables_of(slot_of(fact.key)) for each in self.named(table)]
        form = identity(fact.value, key=fact.key) if named else ""
        yield from ((one.start, one.end) for one in named if one.form == form and (one.start, one.end) not in seen)


def same(one: str, other: str, key: str) -> bool:
    """Say whether two values under a key are one."""
    return identity(one, key=key) == identity(other, key=key)


def kind_of_tool(value: str) -> str:
    """Say what kind of tool is named (browser, shell, phone); "" where that is not known."""
    said = value.lower()
    return next((kind for kind, sign in signs().tools.items() if sign.search(said)), "")
