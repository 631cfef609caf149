"""The nouns: what a memory can be, as frozen values, and their way to JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, PlainSerializer, TypeAdapter
from pydantic.dataclasses import dataclass

from memory.media.about import Media

TOLERANT = ConfigDict(extra="ignore")

Kind = Literal[
    "episodes", "facts", "evidence", "events", "followups", "relations", "pending", "quarantine", "reviews", "sessions"
]
Outcome = Literal["success", "failure", "partial", "unknown"]
Source = Literal["user", "assistant", "tool", "web", "import", "distilled", "world"]
Act = Literal["state", "correct", "retract", "forget", "confirm", "pin", "undo", "accept", "reject"]
TAKES_AWAY: frozenset[Act] = frozenset({"retract", "forget"})
"""These take back what is held: `retract` leaves it as history, `forget` leaves nothing."""
FollowUpStatus = Literal["open", "done"]
FactStatus = Literal["active", "proposed", "superseded", "retracted"]
RunKind = Literal["user", "system"]
Sensitivity = Literal["normal", "sensitive"]
ReviewReason = Literal["conflict", "quarantine", "unconfirmed"]
Verdict = Literal["accepted", "rejected", "settled"]


def is_name(speaker: str) -> bool:
    """Tell whether a speaker is called by a name, not by the part that they have in the talk."""
    return speaker not in ("user", "assistant", "")


def stamp_of(when: datetime) -> str:
    """Write a time in UTC, always of the same width, so that texts compare as the times do."""
    return when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(stamp_of, return_type=str, when_used="json")]


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Episode:
    """What one speaker said once.

    `said_at` is None when it is not known. `pending` is True until the turn has been consolidated.
    `media` are the pictures, recordings and files that came with it. `importance` is 0..1; `uses` counts how often it was put into a prompt. `cleared` is True where the guard had held
    it back and somebody let it through.
    """

    id: str
    speaker: str
    text: str
    thread_id: str
    turn_id: str
    position: int
    said_at: Moment | None = None
    pending: bool = False
    task: str = ""
    actions: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()
    outcome: Outcome = "unknown"
    tags: tuple[str, ...] = ()
    importance: float = 0.3
    distilled: bool = False
    uses: int = 0
    last_used_at: Moment | None = None
    cleared: bool = False
    media: tuple[Media, ...] = ()


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Draft:
    """A memory proposed by extraction, not yet judged, not yet kept.

    `confidence` is what was stated, 0..1. `quote` is the user's own (redacted) words it rests on.
    `act` says what the words do: state a value, correct the one held, retract it or have it forgotten (`value` may
    then be "" for "whatever is held under this key"). `happens_at` is the day that the words name, of what is planned or
    to be done.
    """

    key: str
    value: str
    confidence: float
    quote: str
    source: Source = "user"
    act: Act = "state"
    said_at: Moment | None = None
    happens_at: Moment | None = None


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Evidence:
    """One reason to believe (or to stop believing) a fact; appended once, never changed."""

    id: str
    key: str
    value: str
    act: Act
    confidence: float
    source: Source
    quote: str
    episode_id: str
    thread_id: str
    turn_id: str
    said_at: Moment
    happens_at: Moment | None = None


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Fact:
    """What is believed under a key: a view, folded from its evidence.

    `confidence` is 0..0.99 before decay. `valid_from` is when the value was first said, `valid_to`
    when another value (or a retraction) took its place; None while it holds. `happens_at` is the day of what is planned
    or to be done, as it was last said. `cleared` is True where it was held back and somebody let it through.
    """

    id: str
    key: str
    value: str
    confidence: float
    status: FactStatus
    valid_from: Moment
    valid_to: Moment | None
    first_seen: Moment
    last_confirmed: Moment
    sensitivity: Sensitivity = "normal"
    pinned: bool = False
    cleared: bool = False
    evidence: tuple[str, ...] = ()
    happens_at: Moment | None = None


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Event:
    """Something that is to happen on a day, or happened; seen from the fact of the same id."""

    id: str
    text: str
    happens_at: Moment
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class FollowUp:
    """Something the user wants to come back to; done when they took it back; seen from the fact of the same id."""

    id: str
    text: str
    due_at: Moment | None
    status: FollowUpStatus
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Relation:
    """How two named things stand to each other, the user among them as `user`; seen from the fact of the same id."""

    id: str
    subject: str
    predicate: str
    object: str
    valid_from: Moment
    valid_to: Moment | None
    confidence: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Pending:
    """A turn not yet consolidated: who it belongs to, what was said, what was drafted from it.

    `drafts` is None until extraction has run; then at the latest `replies` are the texts that answered the message
    and `tools_used` the tools that were called for it. A replay reuses what stands here. `holder` names the
    process that is at work on it until `lease_until`. `unsaid` are values that the user asked to forget meanwhile.
    """

    turn_id: str
    user: str
    agent: str
    thread_id: str
    message_id: str
    text: str
    said_at: Moment
    run_kind: RunKind = "user"
    timezone: str = "UTC"
    position: int = 0
    drafts: tuple[Draft, ...] | None = None
    replies: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    tries: int = 0
    holder: str = ""
    lease_until: Moment | None = None


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Review:
    """Something that is not remembered before somebody has looked at it.

    `why` says more than the reason: which family of attacks, or under which key two values stand against each other.
    `episode_id` is what was said; of an episode that is itself held back it stands in kind `quarantine`, and there is
    no `draft`. Of a conflict `draft` is the value that is not believed, `fact_id` its fact and `against` the fact that
    is. `verdict` is None until somebody has judged; `settled` where what was said later decided it.
    """

    id: str
    reason: ReviewReason
    why: str
    turn_id: str
    episode_id: str
    noted_at: Moment
    draft: Draft | None = None
    fact_id: str = ""
    against: str = ""
    verdict: Verdict | None = None
    judged_at: Moment | None = None


@dataclass(frozen=True, kw_only=True, config=TOLERANT)
class Session:
    """What was worked on in a thread, kept when it came to its end: the task, what it had to keep to, what it reached.

    Its id is the turn in which the task began.
    """

    id: str
    thread_id: str
    task: str
    constraints: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    ended_at: Moment


AnyNoun = Episode | Fact | Evidence | Event | FollowUp | Relation | Pending | Draft | Review | Session
Noun = TypeVar("Noun", Episode, Fact, Evidence, Event, FollowUp, Relation, Pending, Draft, Review, Session)


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}


def _adapter(noun: type) -> TypeAdapter[Any]:
    if noun not in _ADAPTERS:
        _ADAPTERS[noun] = TypeAdapter(noun)
    return _ADAPTERS[noun]


def to_value(noun: AnyNoun) -> dict[str, Any]:
    """Give the noun as plain JSON values (times as ISO 8601 in UTC; see `stamp_of`)."""
    value: dict[str, Any] = _adapter(type(noun)).dump_python(noun, mode="json")
    return value


def from_value(noun: type[Noun], value: Mapping[str, Any]) -> Noun:
    """Read a noun back from its JSON values; fields of a newer version are ignored.

    Raises:
        pydantic.ValidationError: A field is missing or of the wrong type (it is a ValueError).
    """
    read: Noun = _adapter(noun).validate_python(dict(value))
    return read
