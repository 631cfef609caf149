"""One name: what a message tells of "my cat" is told of Momo where it says besides that Momo is the cat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memory.kin import canonical_key
from memory.matching import Told

_SAYS_WHAT = {"person": "relation", "pet": "kind"}


def by_name(told: Sequence[Told]) -> list[Told]:
    """Put what is told of a relative or a pet under the name that the same message gives them."""
    names = _names(told)
    return [replace(each, key=_renamed(each.key, names)) for each in told]


def _names(told: Iterable[Told]) -> Mapping[str, str]:
    """Give under which name each is known who is called by a word for them; of two sisters neither."""
    found: dict[str, set[str]] = {}
    for each in told:
        owner, _, what = each.key.partition(".")
        name, _, attribute = what.rpartition(".")
        if attribute == _SAYS_WHAT.get(owner) and each.act == "state":
            found.setdefault(canonical_key(f"{owner}.{each.value}."), set()).add(f"{owner}.{name}.")
    return {word: next(iter(names)) for word, names in found.items() if len(names) == 1}


def _renamed(key: str, names: Mapping[str, str]) -> str:
    owner, name, attribute = (*key.split(".", 2), "", "")[:3]
    other = names.get(canonical_key(f"{owner}.{name}."), "")
    return f"{other}{attribute}" if other and attribute else key
