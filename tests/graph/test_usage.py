"""Usage: each call of the model tells what its prompt took, by part and of the budgets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import ScriptedModel, tool_call
from memory.tokens import count_messages
from memory.usage import CONVERSATION, PARTS, REMEMBERED

SAID = {
    "zh": ("我叫林岚，对花生过敏", "我能吃花生糖吗？", "说说你记得我什么" * 20),
    "en": ("My name is Maren and I'm allergic to peanuts", "May I eat peanut brittle?", "Tell me what you know. " * 40),
}


def offline(home: Path, **given: Any) -> Settings:
    return Settings(jiyi_home=home, embeddings="none", **given)


def usages(events: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in events if one["event"] == "usage"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_turn_tells_what_its_prompt_took(tmp_path: Path, language: str) -> None:
    model = ScriptedModel(replies=["ok", "ok"])
    events: list[Mapping[str, Any]] = []
    async with open_agent(model=model, chosen=offline(tmp_path)) as agent:
        for text in SAID[language][:2]:
            await agent.say(text, user="ada", thread="t", on_event=events.append)

    first, second = usages(events)
    for told, prompt in zip((first, second), model.seen, strict=True):
        assert tuple(told["parts"]) == PARTS
        assert told["counted_by"] == "estimate"
        assert sum(told["parts"].values()) - told["parts"]["tools"] == count_messages(prompt)
        assert told["current"] == sum(told["parts"].values()) == told["max"] - told["remaining"]
        assert told["window"]["current"] == sum(told["parts"][part] for part in CONVERSATION)
        assert told["memory"]["current"] == sum(told["parts"][part] for part in REMEMBERED)
        assert (told["window"]["max"], told["memory"]["max"], told["took"]) == (8_000, 2_000, None)
    assert first["parts"]["window"] == 0
    assert second["parts"]["window"] > 0
    assert second["parts"]["facts"] > 0


async def test_each_round_of_tools_tells_what_it_took_and_what_the_model_says_of_it(tmp_path: Path) -> None:
    took = UsageMetadata(input_tokens=300, output_tokens=9, total_tokens=309)

    def replies(messages: list[BaseMessage]) -> Any:
        if isinstance(messages[-1], ToolMessage):
            return AIMessage("It is on its way.", usage_metadata=took)
        return tool_call("orderService.status", order_id="#8842")

    events: list[Mapping[str, Any]] = []
    async with open_agent(model=ScriptedModel(replies=replies), chosen=offline(tmp_path)) as agent:
        await agent.say("Where is my order #8842?", user="ada", thread="t", on_event=events.append)

    asked, answered = usages(events)
    assert (asked["took"], answered["took"]) == (None, dict(took))
    assert answered["parts"]["question"] == asked["parts"]["question"]
    assert answered["parts"]["window"] > asked["parts"]["window"] == 0


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_settings_bound_the_window_and_what_is_remembered(tmp_path: Path, language: str) -> None:
    model = ScriptedModel(replies=lambda _: "ok " * 40)
    events: list[Mapping[str, Any]] = []
    chosen = offline(tmp_path, window_tokens=300, memory_tokens=60)
    async with open_agent(model=model, chosen=chosen) as agent:
        for turn in range(12):
            await agent.say(SAID[language][turn % 2], user="ada", thread="t", on_event=events.append)

    for told in usages(events):
        assert (told["window"]["max"], told["memory"]["max"]) == (300, 60)
        assert told["window"]["current"] <= 300
        assert told["memory"]["current"] <= 60 + len(REMEMBERED)  # each part is rounded up by itself
    assert usages(events)[-1]["window"]["current"] > 150


async def test_where_no_key_is_nothing_was_asked_and_nothing_is_told(tmp_path: Path) -> None:
    events: list[Mapping[str, Any]] = []
    async with open_agent(chosen=offline(tmp_path, model="openai:gpt-4.1-mini")) as agent:
        await agent.say("hello", user="ada", thread="t", on_event=events.append)

    assert usages(events) == []


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_question_over_the_budget_is_told_as_over_it(tmp_path: Path, language: str) -> None:
    events: list[Mapping[str, Any]] = []
    async with open_agent(model=ScriptedModel(replies=["ok"]), chosen=offline(tmp_path, window_tokens=100)) as agent:
        await agent.say(SAID[language][2], user="ada", thread="t", on_event=events.append)

    (told,) = usages(events)
    assert told["window"]["remaining"] < 0
    assert told["window"]["usage_percent"] > 100
