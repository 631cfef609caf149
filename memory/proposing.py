"""Proposing: what is worth remembering of one message, without a language model: by rules, and by a tagger's marks besides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory.drafting import merged
from memory.extraction import propose
from memory.keys import Keys
from memory.kinds import Draft, Fact
from memory.tagging.marks import Mark
from memory.tagging.proposing import tagged


def proposed(
    text: str,
    marks: Sequence[Mark],
    *,
    keys: Keys,
    said_at: datetime | None,
    timezone: str = "UTC",
    believed: Sequence[Fact] = (),
) -> tuple[Draft, ...]:
    """Propose what is worth remembering from one message of the user.

    Args:
        text: The message, already redacted; every draft's quote is a part of it.
        marks: What a tagger marked in it; of words that the rules read they have the last word.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        believed: What is believed of the user: they may say that it has ended or changed, and of whom they spoke before.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    by_rules = propose(text, said_at=said_at, timezone=timezone, believed=believed)
    if not marks:
        return tuple(by_rules)
    by_marks = tagged(text, marks, by_rules, keys=keys, said_at=said_at, timezone=timezone, believed=believed)
    return merged(by_rules, by_marks, keys=keys)
