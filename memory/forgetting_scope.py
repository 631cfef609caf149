"""What a request to forget reaches: one key or one value of it, or all about somebody under each of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory.blanking import without_value
from memory.forget_requests import EVERY
from memory.kin import canonical_key, is_kin
from memory.kinds import TAKES_AWAY, Draft, Evidence, Fact

ABOUT = ("person", "pet")
RELATION = "relation"
Form = Callable[[str, str], str]
"""Gives the form of a value under a key: equal forms are one value."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What is to be forgotten; `names` are those of somebody of whom all is, without regard to capitals."""

    key: str
    value: str
    form: Form
    names: frozenset[str] = frozenset()

    def reaches(self, key: str, value: str) -> bool:
        """Say whether a value under a key is to be forgotten; all about somebody is also what only names them."""
        if not self.names:
            return key == self.key and (not self.value.strip() or self.form(key, value) == self.form(key, self.value))
        first, _, rest = key.partition(".")
        if first in ABOUT and rest.partition(".")[0].casefold() in self.names:
            return True
        return any(self.speaks_of(value, name) for name in self.names)

    def takes(self, told: Draft | Evidence) -> bool:
        """Say whether something told is to be forgotten; what itself takes something back is not."""
        return told.act not in TAKES_AWAY and self.reaches(canonical_key(told.key), told.value)

    def speaks_of(self, text: str, name: str) -> bool:
        """Say whether a text names somebody who has a name of their own."""
        return not is_kin(name) and without_value(text, name) != text


def scope_of(key: str, value: str, facts: Iterable[Fact], form: Form) -> Scope:
    """Work out what a request to forget reaches, from what is known of whom it names."""
    key = canonical_key(key)
    if not key.endswith(EVERY):
        return Scope(key=key, value=value, form=form)
    first, _, who = key.removesuffix(EVERY).partition(".")
    names = {who.casefold(), canonical_key(f"{first}.{who}.x").split(".")[1].casefold()}
    names |= {who.rpartition(" ")[2].casefold()} if is_kin(who.partition(" ")[0]) else set()
    related = f"{ABOUT[0]}.{who}.{RELATION}"
    for fact in facts:
        person, name, *rest = [*fact.key.split("."), ""]
        if person == ABOUT[0] and rest[:1] == [RELATION] and form(related, fact.value) == form(related, who):
            names.add(name.casefold())
    return Scope(key=key, value=value, form=form, names=frozenset(names - {""}))
