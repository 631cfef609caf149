"""Names: who was spoken of before is known by name in the next conversation."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock
from memory.extraction import propose
from memory.namespaces import Owner
from store.profile import facts_of
from tests.jiyi.evals.facts_made import fact

LATER = {
    "zh-person": ("我的同事小雨在广州上班", "小雨住在珠海", "person.小雨.lives_in", "珠海"),
    "en-person": ("My sister Anna is a nurse", "Anna lives in York", "person.Anna.lives_in", "York"),
    "en-lower-case": ("My sister Anna is a nurse", "anna lives in York", "person.Anna.lives_in", "York"),
}


@pytest.mark.parametrize(("first", "second", "key", "value"), LATER.values(), ids=LATER)
async def test_what_is_said_of_them_later_is_theirs(
    tmp_path: Path, clock: FixedClock, first: str, second: str, key: str, value: str
) -> None:
    async with open_agent(chosen=Settings(embeddings="none", jiyi_home=tmp_path / "home"), clock=clock) as agent:
        await agent.say(first, user="ada", thread="one")
        clock.advance(timedelta(days=1))
        await agent.say(second, user="ada", thread="two")
        held = {fact.key: fact.value for fact in await facts_of(agent.store, Owner(user="ada"))}

    assert held[key] == value


def test_a_longer_name_is_not_taken_for_a_shorter_one() -> None:
    found = propose("Annabel lives in York", said_at=None, believed=[fact("person.Anna.occupation", "nurse")])

    assert not [draft for draft in found if draft.key.startswith("person.Anna.")]
