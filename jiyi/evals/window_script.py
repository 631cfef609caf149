"""The script of a long thread: small talk with agreements in it, which are asked for at its end.

No two pieces of small talk are alike (an opening, a subject and a request in turn), so that nothing is folded for being
said again. The agreements stand at fixed turns; a shorter thread has them in proportion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import cycle, islice, product
from typing import Any, Literal

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
FULL_TURNS = 500


@dataclass(frozen=True, kw_only=True)
class Line:
    """What the user says in a turn; `answer` is what a reply must rest on, "" where nothing is asked for."""

    text: str
    answer: str = ""


def script(language: Language, turns: int = FULL_TURNS) -> tuple[Line, ...]:
    """Give what the user says, turn by turn: the last turns ask for what was agreed, in the order in which it was.

    Args:
        language: In which it is said.
        turns: How many, at least three for each agreement.

    Raises:
        ValueError: There are too few turns for all agreements.
    """
    data = _data()[language]
    plants: Sequence[Mapping[str, Any]] = data["plants"]
    if turns < 3 * len(plants):
        raise ValueError(f"Cannot script {turns} turns: {len(plants)} agreements need at least {3 * len(plants)}.")
    talk = list(islice(cycle(_small_talk(data)), turns))
    length = turns - len(plants)
    said = dict(
        zip(_places([int(plant["at"]) for plant in plants], length), [str(one["say"]) for one in plants], strict=True)
    )
    lines = [Line(text=said.get(at, talk[at])) for at in range(length)]
    return (*lines, *(Line(text=str(plant["ask"]), answer=str(plant["answer"])) for plant in plants))


def _places(wanted: Sequence[int], length: int) -> list[int]:
    """Give places in proportion, each after the one before it."""
    places: list[int] = []
    for at in wanted:
        after = places[-1] + 1 if places else 0
        places.append(max(after, at * length // FULL_TURNS))
    return places


def _small_talk(data: Mapping[str, Any]) -> Iterator[str]:
    """Give every opening with every subject and request, neighbours as different as can be."""
    every = [f"{opener}{topic}{_joint(opener)}{request}" for request, opener, topic in product(*_parts(data))]
    step = 37  # shares no divisor with their number, so that each comes once
    yield from (every[at * step % len(every)] for at in range(len(every)))


def _parts(data: Mapping[str, Any]) -> tuple[Sequence[str], ...]:
    return tuple(data[name] for name in ("requests", "openers", "topics"))


def _joint(opener: str) -> str:
    return ": " if opener.isascii() else "，"


def _data() -> Mapping[str, Any]:
    text = (files("jiyi.evals") / "data" / "own-thread.window.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
