"""Screening: refuse a skill file that gives orders to the model instead of explaining how to do something.

A skill's text goes into the prompt as know-how, so whoever can drop a file into a skills folder could speak to the
model. This is a simple check of wording in Chinese and English, a first gate and not the only one: a tool's checks
and the user's consent stand whatever a skill says.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from memory.guard.guard import Guard, default_guard
from memory.guard.readings import folded_readings
from skills.screening_rules import RULES


@dataclass(frozen=True, kw_only=True)
class Smuggled:
    """What a text was found to attempt, and the words that say so."""

    attempt: str
    words: str


FORBIDDEN = frozenset({"override", "reveal", "jailbreak", "exfiltration", "mimicry", "hidden_instruction", "authority"})
"""Families of attacks that no know-how has in it."""
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
_IN_EMOJI = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")


def smuggled(text: str) -> Smuggled | None:
    """Say what a skill's text attempts that a skill must not, or None where it only explains.

    A sentence that forbids such a thing ("never reveal the password") is refused as well: telling the two apart is
    exactly where such checks are fooled, and the author can say it in other words.
    """
    hidden = next((char for char in _IN_EMOJI.sub("", text) if _is_hidden(char)), None)
    if hidden is not None:
        return Smuggled(attempt="hide characters", words=f"U+{ord(hidden):04X}")
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    readings = dict.fromkeys((plain, *(" ".join(reading.split()) for reading in folded_readings(text))))
    for attempt, pattern in RULES:
        for reading in readings:
            if found := pattern.search(reading):
                return Smuggled(attempt=attempt, words=found.group())
    attack = _guard().attack_in(text)
    return Smuggled(attempt=attack.family.replace("_", " "), words=attack.words) if attack else None


@cache
def _guard() -> Guard:
    """Give the guard without what a skill is for: it may well say what is always done."""
    whole = default_guard()
    return Guard(rules=tuple(rule for rule in whole.rules if rule.family in FORBIDDEN), frames=whole.frames)


def _is_hidden(char: str) -> bool:
    """Characters that a reader does not see and a model does: zero width, direction marks, tags."""
    return unicodedata.category(char) in {"Cf", "Co"} or (unicodedata.category(char) == "Cc" and char not in "\n\r\t")
