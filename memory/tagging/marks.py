"""Mark: words of a message that say a lasting fact, or whom one is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Owner = Literal["user", "person", "pet", "thing"]
NAMES = ""
"""The attribute of words that name a person, a pet or a thing."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Words of a message, and what they say.

    `start`, `end`: where they stand. `owner`: whom the fact is about. `attribute`: which it is, as the last part of a key
    (`lives_in`); "" where the words name the owner. `ended`: it holds no more, or is denied. `confidence`: 0..1, how sure the
    tagger is.
    """

    start: int
    end: int
    owner: Owner
    attribute: str
    ended: bool
    confidence: float
