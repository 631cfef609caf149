"""Long threads: hundreds of turns of small talk with agreements between them, and what of these a prompt tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from langchain_core.messages import BaseMessage

from memory.summary_signs import is_revoked
from tests.graph.agreements import CHATTER, Planted

LAST_PLANT = 0.6
"""All agreements are made in this part of the thread, so that each has left the window at its end."""


def said_in_a_thread(language: str, plants: Sequence[Planted], *, turns: int) -> list[str]:
    """Give what a user says, turn by turn; a revocation that only points back comes at once, others much later."""
    step = int(turns * LAST_PLANT) // len(plants)
    placed: dict[int, str] = {}
    for number, plant in enumerate(plants):
        at = 3 + number * step
        placed[at] = plant.said
        if plant.revoked:
            back = at + (1 if plant.points_back else step * 6 + number % 7)
            while back in placed or (back - 3) % step == 0:
                back += 1
            placed[back] = plant.revoked
    random = Random(7)  # noqa: S311  (the same thread each time)
    return [placed.get(turn) or random.choice(CHATTER[language]) for turn in range(turns)]


def answered_wrong(prompt: Sequence[BaseMessage], plants: Sequence[Planted]) -> list[str]:
    """Give the agreements of which a prompt tells the wrong thing: a held one not as held, a revoked one as held."""
    holding = [line for message in prompt for line in _statements(message.text) if not is_revoked(line)]
    return [plant.said for plant in plants if not _is_right(plant, holding)]


def _is_right(plant: Planted, holding: Sequence[str]) -> bool:
    told = any(plant.sign in line for line in holding)
    if not plant.revoked:
        return told
    return not told and (not plant.instead or any(plant.instead in line for line in holding))


def _statements(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[；\n]|; ", text) if part.strip()]
