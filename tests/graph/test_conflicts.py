"""Conflicts: two values where only one can be wait for the user's verdict, in a queue or as a question in the run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock
from memory.namespaces import Owner
from store.profile import facts_of
from store.reviewing import Waiting, judge_review, reviews_of

ADA = Owner(user="ada")
HOMES = {
    "zh": ("我住在杭州", "我住在苏州", "杭州", "苏州"),
    "en": ("I live in Leeds", "I live in York", "Leeds", "York"),
}
homes = pytest.mark.parametrize(("first", "second", "held", "told"), HOMES.values(), ids=HOMES)


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock) as opened:
        yield opened


async def say(agent: Agent, text: str, **chosen: Any) -> str:
    """Say something a minute after what was said before."""
    clock = agent.parts.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(minutes=1))
    return await agent.say(text, user="ada", thread="t", **chosen)


async def lives_in(agent: Agent) -> list[tuple[str, str]]:
    facts = await facts_of(agent.store, ADA, active_only=False)
    return [(fact.value, fact.status) for fact in facts if fact.key == "user.lives_in"]


async def waiting(agent: Agent) -> list[Waiting]:
    return list(await reviews_of(agent.store, ADA))


@homes
async def test_a_second_value_in_the_same_hour_waits_beside_the_first(
    agent: Agent, first: str, second: str, held: str, told: str
) -> None:
    await say(agent, first)
    await say(agent, second)
    await say(agent, second)

    (one,) = await waiting(agent)
    assert (one.review.reason, one.review.why) == ("conflict", "user.lives_in")
    assert one.review.draft
    assert one.against
    assert one.said
    assert (one.review.draft.value, one.against.value, one.said.text) == (told, held, second)
    assert await lives_in(agent) == [(held, "active"), (told, "proposed")]


@homes
@pytest.mark.parametrize("accepted", [True, False])
async def test_a_verdict_decides_what_is_believed(
    agent: Agent, clock: FixedClock, first: str, second: str, held: str, told: str, accepted: bool
) -> None:
    await say(agent, first)
    await say(agent, second)
    (one,) = await waiting(agent)
    clock.advance(timedelta(days=1))

    await judge_review(agent.store, ADA, one.review.id, "accepted" if accepted else "rejected")

    believed = {(told, "active"), (held, "superseded")} if accepted else {(held, "active"), (told, "retracted")}
    assert set(await lives_in(agent)) == believed
    assert await waiting(agent) == []


@homes
@pytest.mark.parametrize("again", ["first", "second"])
async def test_what_is_said_later_settles_it(
    agent: Agent, clock: FixedClock, first: str, second: str, held: str, told: str, again: str
) -> None:
    await say(agent, first)
    await say(agent, second)
    clock.advance(timedelta(days=1))

    await say(agent, first if again == "first" else second)

    assert await waiting(agent) == []
    assert (held if again == "first" else told, "active") in await lives_in(agent)
    (judged,) = await reviews_of(agent.store, ADA, judged_too=True)
    assert judged.review.verdict == "settled"


@homes
@pytest.mark.parametrize(
    ("answer", "changed", "left"),
    [("好的", True, 0), ("yes", True, 0), ("不用", False, 0), ("no", False, 0), ("maybe later", False, 1)],
)
async def test_a_run_that_asks_is_answered_with_yes_or_no(
    agent: Agent, first: str, second: str, held: str, told: str, answer: str, changed: bool, left: int
) -> None:
    await say(agent, first, review="ask")
    asked = await say(agent, second, review="ask")
    assert asked.count(told) >= 2
    assert held in asked

    await say(agent, answer, review="ask")

    assert ((told if changed else held), "active") in await lives_in(agent)
    assert len(await waiting(agent)) == left


async def test_a_question_is_streamed_after_the_reply_and_a_yes_is_acknowledged(
    agent: Agent, clock: FixedClock
) -> None:
    await say(agent, "I live in Leeds")
    clock.advance(timedelta(minutes=1))
    asked = "".join([piece async for piece in agent.stream("I live in York", user="ada", thread="t", review="ask")])
    done = "".join([piece async for piece in agent.stream("yes", user="ada", thread="t", review="ask")])

    assert "York" in asked.splitlines()[-1]
    assert len(asked.splitlines()) > 1
    assert done
    assert ("York", "active") in await lives_in(agent)


async def test_where_nobody_asks_the_run_ends_and_the_queue_keeps_it(agent: Agent) -> None:
    await say(agent, "I live in Leeds")
    reply = await say(agent, "I live in York")

    assert "Change it to" not in reply
    assert len(await waiting(agent)) == 1


async def test_several_conflicts_of_one_turn_are_asked_one_after_the_other(agent: Agent) -> None:
    await say(agent, "My name is Ada and I live in Leeds", review="ask")
    first = await say(agent, "My name is Eva and I live in York", review="ask")
    second = await say(agent, "no", review="ask")
    await say(agent, "yes", review="ask")

    assert {"Eva" in first, "York" in first} == {True, False} or first != second
    assert await waiting(agent) == []
    names = [fact.value for fact in await facts_of(agent.store, ADA) if fact.key in ("user.name", "user.lives_in")]
    assert len(names) == 2
    assert set(names) in ({"Ada", "York"}, {"Eva", "Leeds"})
