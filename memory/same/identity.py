"""identity: the form under which a value is told from the other values of its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from memory.keys import KeySpec
from memory.same.calendar import day_and_time
from memory.same.meaning import NAMES, listed, meant, slot_of
from memory.same.measures import age, height, weight
from memory.same.wording import plain
from memory.values import normalised

MOST_PASSES = 8

DATED = re.compile(r"(.*\S)\s*\((\d{4}-\d{2}-\d{2})\)", re.DOTALL)
"""A plan with its day, as extraction writes it."""

_MEASURES: Mapping[str, Callable[[str], str]] = {
    "age": age,
    "height": height,
    "weight": weight,
    **dict.fromkeys(("birthday", "date", "time", "deadline", "anniversary"), day_and_time),
}
"""How a value is read under keys of one kind; each gives "" for what it cannot read."""


def identity(value: str, *, key: str, spec: KeySpec | None = None) -> str:
    """Give the form of a value under a key; values with one form are one fact.

    What carries meaning stays, above all negations. Names and what must be verbatim are only compared by width, case,
    space and punctuation. Under other keys traditional and simplified characters, singular and plural, spelling and
    number words make no difference, and in the slots that have tables neither does the language.

    Args:
        value: As it was said.
        key: The key, whose last known segment decides what its words can mean.
        spec: Its family, where there is one.

    Returns:
        Never blank unless the value is; the form of a form is itself.
    """
    slot = slot_of(key)
    if spec is not None and spec.values:
        return normalised(spec.canonical(value) or value)
    if slot == NAMES or (spec is not None and spec.verbatim):
        return normalised(value)
    return _form(value, slot)


@lru_cache(maxsize=4096)
def _form(value: str, slot: str) -> str:
    """Read a value until nothing changes any more."""
    form = value
    for _ in range(MOST_PASSES):
        before, form = form, _read(form, slot)
        if form == before:
            break
    return form


def _read(value: str, slot: str) -> str:
    if dated := DATED.fullmatch(value):
        return f"{_read(dated[1], slot)} {dated[2]}"
    read = _MEASURES[slot](value) if slot in _MEASURES else ""
    return normalised(read or listed(value, slot) or meant(plain(value), slot)) or normalised(value)
