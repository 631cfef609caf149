"""Told: what a scenario is: what is said turn by turn, what a model would make of it, and what must hold afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

import pytest
from _pytest.mark import ParameterSet
from pydantic import BeforeValidator, ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from memory.plain_yaml import parse_yaml

Mode = Literal["rules", "model"]
Language = Literal["zh", "en"]
Fault = Literal["", "chatty", "fenced", "thinking", "truncated", "prose", "blank", "error", "nothing"]
STRICT = ConfigDict(extra="forbid")


def _listed(said: object) -> object:
    return said if isinstance(said, list) else [said]


Texts = Annotated[list[str], BeforeValidator(_listed)]
Values = Annotated[dict[str, Texts], BeforeValidator(lambda said: said or {})]


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Asked:
    """A question in a new thread: what the reply (or the prompt, or what is recalled) has and lacks.

    `first` is what is recalled before all else.
    """

    ask: str
    user: str = "ada"
    kind: Literal["episodes", "facts"] = "episodes"
    has: Texts = field(default_factory=list)
    lacks: Texts = field(default_factory=list)
    first: str = ""
    nothing: bool = False


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Holds:
    """What holds at a point of a talk; what is left out is not looked at.

    `believed` are all active facts, no more and no less; `with_model` come on top where a model extracts.
    `absent` stands in no fact, event, follow-up or relation, `gone` in nothing that is kept at all.
    `as_of` gives what was believed at the end of a day, `shown` what a prompt says, `asked` what is answered offline.
    """

    user: str = "ada"
    believed: Values | None = None
    with_model: Values = field(default_factory=dict)
    absent: Texts = field(default_factory=list)
    gone: Texts = field(default_factory=list)
    kept: Texts = field(default_factory=list)
    history: dict[str, dict[str, str]] = field(default_factory=dict)
    as_of: dict[str, Values] = field(default_factory=dict)
    first_heard: dict[str, str] = field(default_factory=dict)
    last_confirmed: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    stored_at_most: int | None = None
    longest_value: int | None = None
    reviews: Texts | None = None
    waiting: int | None = None
    tries: int | None = None
    unindexed: bool | None = None
    events: dict[str, str] | None = None
    followups: dict[str, str] | None = None
    relations: Texts | None = None
    channels_lack: Texts = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    shown: list[Asked] = field(default_factory=list)
    recalled: list[Asked] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Mark:
    """What the user says of a fact that they have before them."""

    which: str
    act: Literal["pin", "confirm", "retract", "undo", "correct"]
    value: str = ""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Step:
    """One thing that happens: something is said, done, marked or judged, or is looked at (`holds`).

    `say` may be several messages, one after the other, or `together` by all `users`. `after` has passed since the step
    before. `answered` is what the assistant says (else the offline model answers). `proposes` is what the extracting
    model makes of it, as {key: value} or with all fields of a proposal; `fault` spoils its answer until it is mended.
    `second` says it through another process's store on the same home.
    """

    say: Texts = field(default_factory=list)
    answered: str = ""
    thread: str = "one"
    user: str = "ada"
    users: list[str] = field(default_factory=list)
    together: bool = False
    second: bool = False
    after: str = "5 minutes"
    writes: Literal["inline", "background"] = "inline"
    run_kind: Literal["user", "system"] = "user"
    review: Literal["queue", "ask"] = "queue"
    proposes: list[dict[str, str | float]] = field(default_factory=list)
    fault: Fault = ""
    reply_has: Texts = field(default_factory=list)
    reply_lacks: Texts = field(default_factory=list)
    do: Literal["", "restart", "drain", "mend", "replay"] = ""
    embedder: str = ""
    mark: Mark | None = None
    judge: Literal["", "accepted", "rejected"] = ""
    holds: Holds | None = None


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Scenario:
    """One complaint or promise, acted out; `times` says the whole talk so often, each in threads of its own.

    `runs` are the rules alone and the rules beside a model; one will do where the other is no part of it. `not_yet` says
    why it does not hold yet, in the runs of `not_yet_in`.
    """

    id: str
    about: str
    language: Language
    start: str = "2026-05-04T09:00:00Z"
    timezone: str = "UTC"
    embedder: str = "none"
    times: int = 1
    runs: list[Mode] = field(default_factory=lambda: ["rules", "model"])
    talk: list[Step]
    holds: Holds | None = None
    not_yet: str = ""
    not_yet_in: list[Mode] = field(default_factory=lambda: ["rules", "model"])


_SCENARIOS = TypeAdapter(list[Scenario])


def scenarios(section: str) -> list[Scenario]:
    """Read the scenarios of one section.

    Raises:
        pydantic.ValidationError: A field is missing, unknown or of the wrong type.
    """
    text = Path(__file__).with_name(f"{section}.yaml").read_text("utf-8")
    return _SCENARIOS.validate_python(parse_yaml(text))


def runs(section: str) -> list[ParameterSet]:
    """Give each scenario in each of its runs, as parameters of a test."""
    return list(_runs(section))


def _runs(section: str) -> Iterator[ParameterSet]:
    for scenario in scenarios(section):
        for mode in scenario.runs:
            late = bool(scenario.not_yet) and mode in scenario.not_yet_in
            marks = [pytest.mark.xfail(strict=False, reason=scenario.not_yet)] if late else []
            yield pytest.param(scenario, mode, id=f"{scenario.id}-{mode}", marks=marks)
