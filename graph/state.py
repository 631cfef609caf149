"""State: what travels through the graph. Of memories ids only: no channel carries remembered text."""

from __future__ import annotations

from typing import Annotated

from langchain_core.messages import AnyMessage
from langgraph.channels.delta import DeltaChannel
from typing_extensions import TypedDict

from graph.messages import SNAPSHOT_EVERY_UPDATES, fold_messages


class RecalledRef(TypedDict):
    """A memory that was recalled: which agent's, and how well it fits (0..1); its text is fetched when used."""

    id: str
    agent: str
    score: float


Messages = Annotated[list[AnyMessage], DeltaChannel(fold_messages, snapshot_frequency=SNAPSHOT_EVERY_UPDATES)]


class WorkingNotes(TypedDict):
    """What a thread is at work on, redacted; `since` is the turn in which the task began. Blank where there is none."""

    task: str
    constraints: list[str]
    results: list[str]
    since: str


class Said(TypedDict):
    """What a run is given: the new messages."""

    messages: Messages


class State(TypedDict, total=False):
    """The channels of a thread.

    `messages` is the conversation; `summary` is what of it left the window, up to `summarized_upto` (a model was last
    asked for it after the message `summary_asked`); `summarized_from` names the messages that it was folded from, so that
    an edit of one is seen; `notes` are what it is at work on. The others belong to the turn in progress: the user's message (`turn_id`), what was recalled for it, which skills fit, up to which message memories
    were extracted, what was written, and which reviews the user is asked about.
    """

    messages: Messages
    turn_id: str
    recalled: list[RecalledRef]
    skills: list[str]
    extracted_upto: str
    changes: list[str]
    asking: list[str]
    summary: str
    summarized_upto: str
    summarized_from: str
    summary_asked: str
    notes: WorkingNotes
