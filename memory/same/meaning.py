"""Meaning: what words stand for in a slot, by the tables and frames that stand beside this file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory.plain_yaml import read_yaml
from memory.same.wording import PACKAGE, plain, worded

NAMES = "names"
"""The slot of whatever is neither translated nor put in the singular."""
OWN = frozenset(["user", "pref"])
"""Their first segment says what a key is about (user.uses.language); of a person's, a pet's or a thing's it is the last."""
WITHIN = "…"
"""Stands in a frame for the value within."""

_COUNT = re.compile(r"([0-9]{1,3}) ?(?:个|名|位|只|条|头|匹|杯|瓶|本|台|辆|cups? of |glasses of |bottles? of )?(\D.*)")
_JOINED = re.compile(r"\s*[,，、;；/]\s*(?:and\s+|和)?|\s+(?:and|&|plus)\s+|\s*(?:以及|还有|和|与|跟|及)\s*")

Heads = frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What is said around a value, and what it leaves of it."""

    form: str
    of: tuple[str, ...]
    said: tuple[str, ...]
    """Regular expressions; `of`: tables that must know the value within, () for any."""

    def within(self, text: str) -> Iterable[str]:
        """Give each value that the frame can be put around to make the text."""
        for pattern in self.said:
            found = _compiled(pattern).fullmatch(text)
            if found and found["within"].strip():
                yield found["within"].strip()


def slot_of(key: str) -> str:
    """Give the slot of a key, which says what its words can mean; "" where none does."""
    first, *segments = key.split(".")
    names, slots = _slots()
    telling = segments[:1] if first in OWN else segments[-1:]
    if names.intersection((first, *telling)):
        return NAMES
    return next((segment for segment in telling if segment in slots), "")


def meant(text: str, slot: str) -> str:
    """Give what plain words stand for in a slot, and the words themselves where that is not known."""
    action = slot in _actions()
    head = known(text, tables_of(slot)) or (_one(_heads(text, tables_of(slot), action=True)) if action else "")
    if head:
        return head
    for frame in _frames_of(slot):
        for inner in frame.within(text):
            left = known(inner, frame.of) if frame.of else meant(inner, slot)
            if left:
                return frame.form.replace(WITHIN, left)
    return worded(text, action=action)


def listed(value: str, slot: str) -> str:
    """Give a list of things that are all known, in an order of its own; "" for anything else."""
    parts = [plain(part) for part in _JOINED.split(value)]
    heads = [known(part, tables_of(slot)) for part in parts] if len(parts) > 1 else []
    return " & ".join(sorted(set(heads))) if heads and all(heads) else ""


def known(text: str, tables: Sequence[str]) -> str:
    """Give the one thing that words stand for in some tables, with how many of it; "" if none or several are meant."""
    head = _one(_heads(text, tables))
    counted = None if head else _COUNT.fullmatch(text)
    thing = _one(_heads(counted[2], tables)) if counted else ""
    if not counted or not thing:
        return head
    return thing if counted[1] == "1" else f"{counted[1]} {thing}"


def tables_of(slot: str) -> tuple[str, ...]:
    """Give the names of the tables whose words count in a slot."""
    return _slots()[1].get(slot, ())


def _heads(text: str, tables: Sequence[str], *, action: bool = False) -> Heads:
    form = worded(text, action=action)
    return frozenset(head for name in tables for head in table(name, action=action).get(form, ()))


def _one(heads: Heads) -> str:
    return next(iter(heads)) if len(heads) == 1 else ""


@cache
def table(name: str, *, action: bool = False) -> Mapping[str, Heads]:
    """Read one table: what each wording, in its compared form, stands for.

    Args:
        name: The file, without its ending.
        action: Whether the form is that of what is done.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for head, others in read_yaml(PACKAGE, f"{name}.yaml").items():
        form = worded(plain(head))
        for wording in (head, *others):
            found[worded(plain(wording), action=action)].add(form)
    return {form: frozenset(heads) for form, heads in found.items()}


@cache
def _actions() -> frozenset[str]:
    return frozenset(read_yaml(PACKAGE, "slots.yaml")["actions"])


@cache
def _slots() -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    read = read_yaml(PACKAGE, "slots.yaml")
    return frozenset(read["names"]), {slot: tuple(tables) for slot, tables in read["slots"].items()}


@cache
def _frames_of(slot: str) -> tuple[Frame, ...]:
    rows: list[dict[str, Any]] = read_yaml(PACKAGE, "frames.yaml")["frames"]
    return tuple(
        Frame(form=row["form"], of=tuple(row.get("of", ())), said=tuple(row["said"]))
        for row in rows
        if slot in row["slots"]
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(WITHIN, "(?P<within>.+?)"))
