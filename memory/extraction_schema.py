"""The schema in which a model says what is worth remembering of a message; what it says is judged in memory/drafting.py."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

ProposedAct = Literal["state", "correct", "retract", "forget"]
_OTHER_WORDS = {
    "": "state",
    "add": "state",
    "new": "state",
    "set": "state",
    "update": "correct",
    "replace": "correct",
    "end": "retract",
    "delete": "forget",
    "remove": "forget",
    "erase": "forget",
}


def _plain_act(said: Any) -> Any:
    word = said.strip().casefold() if isinstance(said, str) else said
    return _OTHER_WORDS.get(word, word) if isinstance(word, str) else word


def _plain_text(said: Any) -> Any:
    return "" if said is None else said


Text = Annotated[str, BeforeValidator(_plain_text)]


class ProposedMemory(BaseModel):
    """One thing that a model would remember, or would have forgotten.

    Its key says whether it is a fact, a preference, a plan (an event), something to come back to, or how somebody stands
    to the user.
    `quote` is what the user said, word for word; `value` is cut from it. `when` are the words in it that name a day.
    `source` is `other` for what is not the user's own: pasted, reported, said by the assistant.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True, allow_inf_nan=False)

    key: str
    value: Text
    quote: str
    confidence: Annotated[float, Field(allow_inf_nan=False)]
    act: Annotated[ProposedAct, BeforeValidator(_plain_act)] = "state"
    source: Literal["user", "other"] = "user"
    when: Text = ""


class Extraction(BaseModel):
    """All that a model would remember of one message; nothing is an empty list."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    memories: list[ProposedMemory]


class TaskNotes(BaseModel):
    """What a model reads of a thread's work in one message, in words copied from it; blank where there is nothing.

    `task` is one that the message begins, `done` says that it ends the task at hand.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    task: Text = ""
    constraints: list[str] = []
    results: list[str] = []
    done: bool = False


class ExtractionWithNotes(Extraction):
    """All that a model would remember of one message, and what it reads of the thread's work."""

    notes: TaskNotes = TaskNotes()
