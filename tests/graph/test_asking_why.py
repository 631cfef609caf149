"""Asking why: "why do you think so?" is answered with the user's own words, offline and by a model."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock, ScriptedModel
from memory.asking_why import asks_why

TALKS = {
    "zh": ("我对花生过敏", "我对什么过敏？", "你为什么这么认为？", "我对花生过敏"),
    "zh-when": ("我住在杭州", "我住在哪里？", "我什么时候跟你说过我住哪？", "我住在杭州"),
    "en": ("I'm allergic to peanuts", "What am I allergic to?", "Why do you think so?", "I'm allergic to peanuts"),
    "en-how": ("I live in Leeds", "Where do I live?", "How do you know where I live?", "I live in Leeds"),
}


@pytest.mark.parametrize(("told", "asked", "why", "words"), TALKS.values(), ids=TALKS)
async def test_the_reply_gives_the_words_and_the_day(
    tmp_path: Path, clock: FixedClock, told: str, asked: str, why: str, words: str
) -> None:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock) as agent:
        await agent.say(told, user="ada", thread="one")
        day = f"{clock():%Y-%m-%d}"
        clock.advance(timedelta(days=9))
        await agent.say(asked, user="ada", thread="two")
        reply = await agent.say(why, user="ada", thread="two")

    assert f"{day} “{words}”" in reply


@pytest.mark.parametrize(("told", "asked", "why", "words"), TALKS.values(), ids=TALKS)
async def test_a_model_is_shown_the_words_only_when_they_are_asked_for(
    tmp_path: Path, clock: FixedClock, told: str, asked: str, why: str, words: str
) -> None:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    model = ScriptedModel(replies=lambda _: "ok")
    async with open_agent(chosen=chosen, clock=clock, model=model) as agent:
        await agent.say(told, user="ada", thread="one")
        day = f"{clock():%Y-%m-%d}"
        clock.advance(timedelta(days=9))
        await agent.say(asked, user="ada", thread="two")
        await agent.say(why, user="ada", thread="two")

    before, after = ("\n".join(message.text for message in messages) for messages in model.seen[-2:])
    assert f"> {day} “{words}”" not in before
    assert f"> {day} “{words}”" in after


@pytest.mark.parametrize(
    "text", ["为什么天是蓝的？", "Why is the sky blue?", "你怎么看？", "How do you do?", "我为什么要起床"]
)
def test_other_questions_do_not_ask_for_grounds(text: str) -> None:
    assert not asks_why(text)
