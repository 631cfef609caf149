"""Forget that: what a user asks to have forgotten in a conversation is gone, with its words, and nothing else is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock
from memory.changes import MarkFact
from memory.namespaces import Owner
from store.apply import apply
from store.profile import facts_of

ADA = Owner(user="ada")


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock) as opened:
        yield opened


async def talk(agent: Agent, clock: FixedClock, *texts: str) -> str:
    """Say one after the other in one thread; give the last reply."""
    reply = ""
    for text in texts:
        clock.advance(timedelta(minutes=5))
        reply = await agent.say(text, user="ada", thread="t")
    return reply


async def kept(agent: Agent) -> str:
    return "\n".join(str(item.value) for item in await agent.store.asearch(("users", "ada"), limit=1000))


async def known(agent: Agent) -> set[tuple[str, str]]:
    return {(fact.key, fact.value) for fact in await facts_of(agent.store, ADA, active_only=False)}


HOME = {("user.lives_in", "杭州")}
HOME_EN = {("user.lives_in", "Leeds")}


@pytest.mark.parametrize(
    ("said", "asked", "gone", "left"),
    [
        (["我住在杭州", "我对花生过敏"], "忘掉刚才说的", "花生", HOME),
        (["我住在杭州", "我对花生过敏"], "把刚才那句话忘了吧", "花生", HOME),
        (["我住在杭州", "我对花生过敏"], "忘掉我对花生过敏这件事", "花生", HOME),
        (["我住在杭州", "我的生日是3月5日"], "忘掉我的生日", "3月5日", HOME),
        (["我住在杭州", "我的同事王芳是护士", "王芳住在成都"], "忘掉关于王芳的一切", "成都", HOME),
        (["我住在杭州"], "我对花生过敏，这句别记", "花生", HOME),
        (["I live in Leeds", "I'm allergic to peanuts"], "Forget that.", "peanuts", HOME_EN),
        (["I live in Leeds", "I'm allergic to peanuts"], "Please forget what I just said", "peanuts", HOME_EN),
        (
            ["I live in Leeds", "I'm allergic to peanuts"],
            "Can you forget that I'm allergic to peanuts?",
            "peanuts",
            HOME_EN,
        ),
        (["I live in Leeds", "My birthday is March 5"], "Forget my birthday", "March 5", HOME_EN),
        (["I live in Leeds", "My sister Anna is a nurse."], "Forget everything you know about Anna", "nurse", HOME_EN),
        (["I live in Leeds"], "I'm allergic to peanuts. Forget that.", "peanuts", HOME_EN),
    ],
)
async def test_what_is_to_be_forgotten_goes_and_nothing_else(
    agent: Agent, clock: FixedClock, said: list[str], asked: str, gone: str, left: set[tuple[str, str]]
) -> None:
    await talk(agent, clock, *said)
    await talk(agent, clock, asked)

    assert await known(agent) == left
    assert gone not in await kept(agent)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我对花生过敏", "别忘了我对花生过敏"),
        ("我对花生过敏", "我忘了带伞"),
        ("我对花生过敏", "忘了吧，没事"),
        ("I'm allergic to peanuts", "Don't forget that I'm allergic to peanuts"),
        ("I'm allergic to peanuts", "Forget it, never mind"),
        ("I'm allergic to peanuts", "I forgot what I just said"),
        ("I'm allergic to peanuts", "My boss said: forget everything about the project"),
        ("我对花生过敏", "你忘了我对花生过敏？"),
        ("我对花生过敏", "但你忘了我刚才说的"),
        ("我对花生过敏", "我刚才说的都忘了"),
        ("I'm allergic to peanuts", "Hey, forget that I'm allergic to peanuts? No way!"),
        ("I'm allergic to peanuts", "Forget that I'm not allergic to peanuts"),
        ("I'm allergic to peanuts", "You can forget that!"),
    ],
)
async def test_what_only_speaks_of_forgetting_takes_nothing_away(
    agent: Agent, clock: FixedClock, said: str, asked: str
) -> None:
    await talk(agent, clock, said)
    before = await known(agent)
    await talk(agent, clock, asked)

    assert before == await known(agent) != set()


@pytest.mark.parametrize(
    ("said", "asked", "scope"),
    [
        ("我的生日是3月5日", "忘掉我的生日", "生日"),
        ("我对花生过敏", "忘掉刚才说的", "花生"),
        ("我的同事王芳是护士", "忘掉关于王芳的一切", "王芳"),
        ("My birthday is March 5", "Forget my birthday", "birthday"),
        ("I'm allergic to peanuts", "Forget that.", "peanuts"),
        ("My sister Anna is a nurse.", "Forget everything you know about Anna", "Anna"),
    ],
)
async def test_the_reply_repeats_what_is_forgotten(
    agent: Agent, clock: FixedClock, said: str, asked: str, scope: str
) -> None:
    assert scope in await talk(agent, clock, said, asked)


async def test_a_replay_brings_nothing_back(agent: Agent, clock: FixedClock) -> None:
    await talk(agent, clock, "我对花生过敏", "忘掉刚才说的")
    await agent.drainer.drain()
    await talk(agent, clock, "你好")

    assert "花生" not in await kept(agent)


async def test_what_is_said_again_after_it_is_remembered_again(agent: Agent, clock: FixedClock) -> None:
    await talk(agent, clock, "我对花生过敏", "忘掉刚才说的", "我对花生过敏")

    assert await known(agent) == {("user.allergy", "花生")}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I live in Leeds. Forget that I live in Leeds.", set()),
        ("我住在杭州。忘掉我住在杭州。", set()),
        ("I live in Leeds. Forget that. I like tea.", {("pref.likes", "tea")}),
    ],
)
async def test_what_is_told_and_taken_back_in_one_breath_is_not_kept(
    agent: Agent, clock: FixedClock, text: str, left: set[tuple[str, str]]
) -> None:
    await talk(agent, clock, text)

    everything = await kept(agent)
    assert await known(agent) == left
    assert "Leeds" not in everything
    assert "杭州" not in everything


@pytest.mark.parametrize(
    ("said", "asked", "why"),
    [
        ("I like tea and coffee.", "forget that I like tea", "Why do you think I like coffee?"),
        ("我喜欢茶和咖啡", "忘掉我喜欢茶", "你怎么知道我喜欢咖啡？"),
    ],
)
async def test_the_words_of_other_facts_do_not_give_it_back(
    agent: Agent, clock: FixedClock, said: str, asked: str, why: str
) -> None:
    await talk(agent, clock, said, asked)

    await agent.say(why, user="ada", thread="another")

    assert len(await known(agent)) == 1
    assert "茶" not in await kept(agent)
    assert "tea" not in await kept(agent)


@pytest.mark.parametrize(
    ("said", "asked", "gone"),
    [
        ("I live in Leeds. I like tea.", "forget that I live in Leeds", "Leeds"),
        ("My sister Anna is a nurse. I like tea.", "forget everything about Anna", "nurse"),
        ("我住在杭州。我喜欢咖啡。", "忘掉我住在杭州", "杭州"),
    ],
)
async def test_what_still_waits_to_be_extracted_is_forgotten_too(
    agent: Agent, clock: FixedClock, said: str, asked: str, gone: str
) -> None:
    await agent.say(said, user="ada", thread="waits", memory_writes="background")
    await agent.say(asked, user="ada", thread="asks", memory_writes="inline")
    await agent.drainer.finish()

    assert gone not in await kept(agent)
    assert [key for key, _ in await known(agent)] == ["pref.likes"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("My sister Anna is a nurse.", "forget everything about anna"),
        ("My sister Anna is a nurse.", "forget everything you know about my sister"),
        ("My sister Anna is a nurse.", "forget everything about my sister Anna"),
        ("我妈住在成都", "忘掉关于我妈妈的一切"),
    ],
)
async def test_somebody_is_meant_by_whatever_they_are_called(
    agent: Agent, clock: FixedClock, said: str, asked: str
) -> None:
    await talk(agent, clock, said)
    assert await known(agent)

    await talk(agent, clock, asked)

    assert await known(agent) == set()


async def test_somebody_whose_name_is_longer_is_not_meant(agent: Agent, clock: FixedClock) -> None:
    await talk(agent, clock, "My sister Ann is a nurse.", "My friend Anna is a teacher.", "forget everything about Ann")

    assert {key.split(".")[1] for key, _ in await known(agent)} == {"Anna"}


async def test_what_all_agents_share_is_forgotten_by_any_of_them(agent: Agent, clock: FixedClock) -> None:
    await talk(agent, clock, "I live in Leeds")
    await agent.say("forget that I live in Leeds", user="ada", thread="smith", agent="smith")

    assert await known(agent) == set()


async def test_what_was_taken_back_before_stays_so_when_something_else_is_forgotten(
    agent: Agent, clock: FixedClock
) -> None:
    await talk(agent, clock, "I am allergic to peanuts.")
    clock.advance(timedelta(minutes=1))
    await apply(agent.store, ADA, [MarkFact(which="user.allergy", act="retract")])
    await talk(agent, clock, "I am allergic to milk.", "forget that")

    assert await facts_of(agent.store, ADA) == ()


async def test_what_is_ingested_again_after_it_was_forgotten_does_not_come_back(
    agent: Agent, clock: FixedClock
) -> None:
    await agent.remember("I live in Leeds", user="ada", message_id="m", said_at=clock())
    await talk(agent, clock, "forget that I live in Leeds")
    await agent.remember("I live in Leeds", user="ada", message_id="m", said_at=clock())

    assert await known(agent) == set()
    assert "Leeds" not in await kept(agent)
