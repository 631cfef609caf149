"""How often a model is called: once for the answer (and after each tool), once to extract, once in ten turns to summarize."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage, ToolMessage

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock, Reply, ScriptedModel, tool_call
from memory.namespaces import Owner
from memory.summary_prompt import SUMMARY_TEXTS
from store.profile import facts_of
from store.waiting import waiting_turns

TURNS = 30
NOTHING = json.dumps({"memories": []})


def chosen(tmp_path: Path) -> Settings:
    return Settings(embeddings="none", jiyi_home=tmp_path / "home")


def asks_for_a_summary(messages: list[BaseMessage]) -> bool:
    return any(messages[0].text == texts.rules.format(most=200) for texts in SUMMARY_TEXTS.values())


@pytest.mark.parametrize("writes", ["inline", "background"])
@pytest.mark.parametrize("text", ["今天聊聊第{}件事", "Let us talk about matter {}"], ids=["zh", "en"])
async def test_a_turn_costs_one_call_for_the_answer_and_one_to_extract(
    tmp_path: Path, clock: FixedClock, writes: str, text: str
) -> None:
    answers, extractions = ScriptedModel(replies=lambda _: "ok"), ScriptedModel(replies=lambda _: NOTHING)
    async with open_agent(chosen=chosen(tmp_path), clock=clock, model=answers, small_model=extractions) as agent:
        for number in range(TURNS):
            clock.advance(timedelta(minutes=3))
            await agent.say(text.format(number), user="ada", thread="t", memory_writes=writes)
        await agent.drainer.finish()
        assert await waiting_turns(agent.store) == []

    summaries = [asked for asked in extractions.seen if asks_for_a_summary(asked)]
    assert len(answers.seen) == TURNS
    assert len(extractions.seen) - len(summaries) == TURNS
    assert 1 <= len(summaries) <= TURNS / 10


async def test_a_tool_costs_one_more_call_for_the_answer(tmp_path: Path, clock: FixedClock) -> None:
    def answer(messages: list[BaseMessage]) -> Reply:
        return "done" if isinstance(messages[-1], ToolMessage) else tool_call("status", order_id="#8842")

    answers, extractions = ScriptedModel(replies=answer), ScriptedModel(replies=lambda _: NOTHING)
    async with open_agent(chosen=chosen(tmp_path), clock=clock, model=answers, small_model=extractions) as agent:
        await agent.say("Where is order #8842?", user="ada", thread="t", memory_writes="inline")

    assert (len(answers.seen), len(extractions.seen)) == (2, 1)


async def test_a_rerun_of_a_turn_that_was_extracted_asks_nobody_again(tmp_path: Path, clock: FixedClock) -> None:
    extractions = ScriptedModel(replies=lambda _: NOTHING)
    async with open_agent(
        chosen=chosen(tmp_path), clock=clock, model=ScriptedModel(replies=lambda _: "ok"), small_model=extractions
    ) as agent:
        await agent.say("I live in Leeds", user="ada", thread="t", memory_writes="inline")
        await agent.drainer.drain()
        await agent.drainer.drain()

        assert [fact.value for fact in await facts_of(agent.store, Owner(user="ada"))] == ["Leeds"]
    assert len(extractions.seen) == 1
