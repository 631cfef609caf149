"""Changes: everything that can happen to a memory, as values; `store.apply` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory.kinds import Act, Draft, Episode, Pending, Session


@dataclass(frozen=True, kw_only=True)
class AwaitTurn:
    """A user has said something: keep it as an episode and note that the turn waits to be consolidated.

    A turn that is known already (a retry, a replay, a fork) is left as it is.
    """

    pending: Pending
    episode: Episode


@dataclass(frozen=True, kw_only=True)
class AnswerTurn:
    """A waiting turn was answered and is left for later: keep the answer with it, and let anybody take it over."""

    turn_id: str
    replies: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CaptionTurn:
    """A model has said what the pictures and recordings of a turn show, each by its place; what has a caption keeps it."""

    turn_id: str
    captions: Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class DraftTurn:
    """Keep what extraction proposed, and what was answered, with the waiting turn; what is there already stays."""

    turn_id: str
    drafts: tuple[Draft, ...]
    replies: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SettleTurn:
    """Judge and write a turn's drafts with the answer to it, and clear its pending record.

    Without a pending record nothing is drawn from it: that was done before, or it was forgotten meanwhile. Only
    `replies` that came after it was settled (its process was killed, the run went on elsewhere) are kept then, if
    what they answer still is.
    """

    turn_id: str
    at: datetime
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class KeepTurn:
    """Keep a turn that is over (imported, or told by other code), with what was drafted from it.

    Episodes that are there already are left as they are, so that it can be repeated.
    """

    episodes: tuple[Episode, ...]
    drafts: tuple[Draft, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CountUses:
    """Episodes were put into a prompt."""

    episode_ids: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class MarkFact:
    """The user has looked at what is believed and says something about it, outside a conversation.

    `which` is a fact's id or a key. `act` is `pin`, `confirm`, `retract`, `undo` (the last thing said about it), or
    `correct`, which needs a `value` and a key.
    """

    which: str
    act: Act
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class ForgetFacts:
    """Nothing is to be left of what is known under a key (`person.sister.*`: under all that begin so).

    `value` narrows it to one value. The user's words it rests on are blanked in what was said.
    """

    key: str
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class ForgetTurn:
    """Nothing is to be left of one turn: what was said, what was answered, what was drawn from it."""

    turn_id: str


@dataclass(frozen=True, kw_only=True)
class ArchiveNotes:
    """A thread's task came to its end: keep its notes; those of a task that is kept already are written anew."""

    session: Session


Change = (
    AwaitTurn
    | AnswerTurn
    | CaptionTurn
    | DraftTurn
    | SettleTurn
    | KeepTurn
    | CountUses
    | MarkFact
    | ForgetFacts
    | ForgetTurn
    | ArchiveNotes
)


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What came of changes: ids of what was written, why something was not, and ids of what was forgotten.

    `media` names the bytes, by thread and SHA-256, that nothing refers to any more since its turn was forgotten.
    """

    episodes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    media: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Applied) -> Applied:
        """Join what came of two changes."""
        return Applied(
            episodes=self.episodes + other.episodes,
            facts=self.facts + other.facts,
            refused=self.refused + other.refused,
            settled=self.settled + other.settled,
            forgotten=self.forgotten + other.forgotten,
            media=self.media + other.media,
        )
