"""The words by which memory/asked_for.py tells what a text is about, in all languages (memory/rules/asked_for.yaml)."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache

from memory.plain_yaml import read_yaml

_BETWEEN = re.compile(r"\s+\|\s+")


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """For each thing that a text can be about, a pattern over folded text; the data file says what each is."""

    first_person: re.Pattern[str]
    touched: re.Pattern[str]
    people: re.Pattern[str]
    pets: re.Pattern[str]
    everyday: re.Pattern[str]
    life: re.Pattern[str]
    bills: re.Pattern[str]
    time: re.Pattern[str]
    place: re.Pattern[str]
    ruling: re.Pattern[str]
    trade: re.Pattern[str]
    paperwork: re.Pattern[str]
    praise: re.Pattern[str]
    conditions: re.Pattern[str]
    triggers: re.Pattern[str]
    duty: re.Pattern[str]
    universal: re.Pattern[str]
    own_acts: re.Pattern[str]
    due: re.Pattern[str]
    means: re.Pattern[str]


@cache
def lexicon() -> Lexicon:
    """Read the words, once."""
    raw = read_yaml("memory.rules", "asked_for.yaml")
    return Lexicon(**{each.name: _either(**raw[each.name]) for each in fields(Lexicon)})


def _either(*, en: str, zh: str) -> re.Pattern[str]:
    """Match whole English words, and Chinese ones anywhere."""
    whole, anywhere = ("|".join(_BETWEEN.split(pieces.strip())) for pieces in (en, zh))
    return re.compile(rf"(?<![\w-])(?:{whole})(?![\w-])|(?:{anywhere})", re.ASCII)
