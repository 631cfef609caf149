"""What was said elsewhere, as values, before anything of it is kept.

ValueError
└── FormatError             a file cannot be understood; the text says where and what is expected
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

USER = "user"


class FormatError(ValueError):
    """A file, or a part of it, cannot be understood."""

    def __init__(self, where: str, found: str, expected: str) -> None:
        super().__init__(f"Cannot read {where}: {found}. Expected {expected}. Nothing of this file was kept.")


@dataclass(frozen=True, kw_only=True)
class Said:
    """One utterance.

    `name` is what it is called within its conversation, unlike any other there; `position` counts from 0 and leaves
    a gap where something was skipped.
    """

    name: str
    speaker: str
    text: str
    position: int
    session: str = ""
    said_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """What was said in one corpus or one thread, in order.

    Attributes:
        name: The corpus's or the thread's id.
        said: Its utterances; each has a text.
        keeps_names: The utterances' names become the memories' ids.
        skipped: How many had no text, or were not said by anybody (instructions, tools' results).
    """

    name: str
    said: tuple[Said, ...]
    keeps_names: bool = False
    skipped: int = 0

    @property
    def speakers(self) -> tuple[str, ...]:
        """Give who speaks, in the order of their first words."""
        return tuple(dict.fromkeys(one.speaker for one in self.said))

    def as_heard_by(self, speaker: str) -> Conversation:
        """Let one speaker be the user."""
        said = (replace(one, speaker=USER) if one.speaker == speaker else one for one in self.said)
        return replace(self, said=tuple(said))
