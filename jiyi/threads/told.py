"""What is told of threads, as values, and why something cannot be done with one.

StoreError
└── ThreadError             the text says which threads or turns there are, or what to wait for
    ├── UnknownThreadError  the user has no such thread
    ├── UnknownTurnError    the thread has no such turn, or none that can be gone back to
    ├── BusyThreadError     something is being answered in it
    └── NothingToResumeError
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from store.errors import StoreError
from store.resting import Resting

SHORT_ID = 8
"""So many characters of a turn's id are shown; that many name it too."""


@dataclass(frozen=True, kw_only=True)
class ThreadLine:
    """A thread in a line, redacted.

    `name` is "" where it was only ever called by its id; `first` is what was said first, `task` what it is at work on, and
    `summary` what it keeps of what left its window. `begun_at` is None where nothing of it is remembered.
    """

    thread_id: str
    name: str
    turns: int
    first: str
    task: str
    summary: str
    begun_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class ShownTurn:
    """What the user said and what was answered.

    `number` counts from 1 on its own way; a turn that was taken back has the number that it had. `can_rewind`: the
    thread can be taken back to its end. `said_at` is None where it was not remembered.
    """

    number: int
    turn_id: str
    said: str
    replies: tuple[str, ...]
    tools: tuple[str, ...]
    said_at: datetime | None = None
    taken_back: bool = False
    can_rewind: bool = False


@dataclass(frozen=True, kw_only=True)
class ShownThread:
    """A whole conversation; a turn that was taken back stands before the one that took its place.

    `before` is what stands in it before the first thing that the user said. `unfinished`: the last turn was cut off, or
    waits for the user's word.
    """

    thread_id: str
    name: str
    before: tuple[str, ...]
    turns: tuple[ShownTurn, ...]
    unfinished: bool


@dataclass(frozen=True, kw_only=True)
class Rewound:
    """A thread was taken back to the end of a turn.

    `resting` is what was remembered of the turns that were taken back, as it was before; `forgotten` tells whether it
    was forgotten then. `restored` are turns that stand again.
    """

    thread_id: str
    name: str
    to: ShownTurn
    taken_back: tuple[ShownTurn, ...]
    restored: tuple[ShownTurn, ...]
    resting: Resting
    forgotten: bool


@dataclass(frozen=True, kw_only=True)
class Branched:
    """A thread was begun from the end of a turn of another."""

    thread_id: str
    name: str
    source_id: str
    source_name: str
    at: ShownTurn


@dataclass(frozen=True, kw_only=True)
class Deleted:
    """A thread is gone; the fields are as in `Rewound`. `scrubbed`: it is gone from the write-ahead log too."""

    thread_id: str
    name: str
    turns: int
    resting: Resting
    forgotten: bool
    scrubbed: bool


class ThreadError(StoreError):
    """Something cannot be done with a thread."""


class UnknownThreadError(ThreadError):
    """The user has no such thread; whether somebody else has is not told."""

    def __init__(self, thread: str, *, user: str) -> None:
        super().__init__(
            f"There is no thread {thread!r} of {user!r}. `jiyi threads list --user {user}` shows which there are."
        )


class UnknownTurnError(ThreadError):
    """A thread has no such turn, or none that can be gone back to."""

    def __init__(self, thread: str, turn: str, *, why: str, can: str) -> None:
        able = f"It can go back to the end of turn {can}." if can else "There is no turn that it can go back to."
        super().__init__(f"Cannot go back to turn {turn} of thread {thread!r}: {why}. {able}")


class BusyThreadError(ThreadError):
    """Something is being answered in a thread."""

    def __init__(self, thread: str, *, until: datetime) -> None:
        super().__init__(
            f"Cannot change thread {thread!r}: what was said in it is being answered just now. Try again when it is; "
            f"should nobody be at work on it any more, after {until:%H:%M:%S} UTC."
        )


class NothingToResumeError(ThreadError):
    """No run was cut off in a thread."""

    def __init__(self, thread: str, *, waits: bool) -> None:
        found = "it waits for the user's yes or no; say it" if waits else "its last run came to its end; say something"
        super().__init__(f"Cannot resume thread {thread!r}: {found}.")
