"""Signs: the data by which endings and changes of what is believed are read (memory/believed/signs.yaml).

`endings` and `renewals` are rows of `slots` (the last word of a key, or of the user's own the second: user.uses.editor is
`uses`) and `says`; `replacements` are for every slot; `measures` and `measured` are by slot. In all of them `…` stands
for a value, as MARK does in the text that they are searched in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory.plain_yaml import read_yaml

MARK = "\0"
"""Stands for the value in the text, so that no value can be taken for words around it."""
Patterns = tuple[re.Pattern[str], ...]
_PIECE = re.compile(r"\{([a-z_]+)\}")
_OWN = frozenset(["user", "pref"])


@dataclass(frozen=True, kw_only=True)
class BelievedSigns:
    """All that is known of how ends and changes are said."""

    not_yet: Patterns
    for_now: Patterns
    others: Patterns
    first_person: re.Pattern[str]
    endings: Mapping[str, Patterns]
    renewals: Mapping[str, Patterns]
    replacements: Patterns
    correcting: Patterns
    needs: Mapping[str, re.Pattern[str]]
    measures: Mapping[str, Patterns]
    measured: Mapping[str, re.Pattern[str]]
    own_measure: Mapping[str, re.Pattern[str]]
    labelled: Patterns
    labels: Mapping[str, tuple[str, ...]]
    pronouns: re.Pattern[str]
    ranks: re.Pattern[str]
    one_at_a_time: frozenset[str]
    new_one: re.Pattern[str]
    issued_anew: re.Pattern[str]
    opposites: tuple[frozenset[str], ...]
    tools: Mapping[str, re.Pattern[str]]
    new_tool: re.Pattern[str]
    for_another: re.Pattern[str]


def slot(key: str) -> str:
    """Give what kind of thing a key holds: its last word, or the second of what is the user's own."""
    first, *rest = key.split(".")
    return (rest[0] if first in _OWN else rest[-1]) if rest else ""


@cache
def signs() -> BelievedSigns:
    """Read the data, once."""
    raw = read_yaml("memory.believed", "signs.yaml")
    pieces = raw["pieces"]

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(_PIECE.sub(lambda piece: pieces[piece[1]], pattern).replace("…", MARK))

    return BelievedSigns(
        not_yet=tuple(map(compiled, raw["not_yet"].values())),
        for_now=tuple(map(compiled, raw["for_now"].values())),
        others=tuple(map(compiled, raw["others"].values())),
        first_person=compiled(raw["first_person"]),
        endings=_by_slot(raw["endings"], compiled),
        renewals=_by_slot(raw["renewals"], compiled),
        replacements=tuple(map(compiled, raw["replacements"])),
        correcting=tuple(map(compiled, raw["correcting"])),
        needs={name: compiled(row) for name, row in raw["needs"].items()},
        measures={name: tuple(map(compiled, rows)) for name, rows in raw["measures"].items()},
        measured={name: compiled(row) for name, row in raw["measured"].items()},
        own_measure={name: compiled(row) for name, row in raw["own_measure"].items()},
        labelled=tuple(map(compiled, raw["labelled"])),
        labels={name: tuple(words) for name, words in raw["labels"].items()},
        pronouns=compiled(raw["pronouns"]),
        ranks=compiled(raw["ranks"]),
        one_at_a_time=frozenset(raw["one_at_a_time"]),
        new_one=compiled(raw["new_one"]),
        issued_anew=compiled(raw["issued_anew"]),
        opposites=tuple(map(frozenset, raw["opposites"])),
        tools={name: compiled(_whole(words)) for name, words in raw["tools"].items()},
        new_tool=compiled(raw["new_tool"]),
        for_another=compiled(raw["for_another"]),
    )


def _by_slot(rows: Iterable[Mapping[str, Any]], compiled: Callable[[str], re.Pattern[str]]) -> Mapping[str, Patterns]:
    """Put the patterns of all rows that name a slot together."""
    found: dict[str, Patterns] = {}
    for row in rows:
        patterns = tuple(map(compiled, row["says"]))
        for name in row["slots"]:
            found[name] = (*found.get(name, ()), *patterns)
    return found


def _whole(words: Iterable[str]) -> str:
    """Give a pattern of words that is not found inside a longer one."""
    return rf"(?<![a-z])(?:{'|'.join(words)})(?![a-z])"
