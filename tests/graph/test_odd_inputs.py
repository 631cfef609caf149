"""Odd inputs through the whole graph, under each strategy: each gets an answer, and a prompt that providers take."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from graph.context import Context, WindowStrategy
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel
from memory.prompt import without_fences
from tests.memory.chat_format import faults_of

BUDGET = 2_000
strategies = pytest.mark.parametrize("strategy", get_args(WindowStrategy))


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(replies=lambda _: "好的")


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock, model: ScriptedModel) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", memory_writes="inline", window_tokens=BUDGET, jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock, model=model) as opened:
        yield opened


async def run(agent: Agent, strategy: WindowStrategy, messages: list[BaseMessage]) -> dict[str, Any]:
    """Invoke the compiled graph itself, as an application of its own does."""
    context = Context(user_id="ada", window=strategy)
    return await agent.graph.ainvoke({"messages": messages}, {"configurable": {"thread_id": "odd"}}, context=context)


async def said_between(
    agent: Agent, model: ScriptedModel, strategy: WindowStrategy, odd: list[BaseMessage]
) -> list[BaseMessage]:
    """Say something odd in the middle of a thread; give the prompt in which it was asked."""
    await run(agent, strategy, [HumanMessage("我住在杭州")])
    answered = await run(agent, strategy, odd)
    assert answered["messages"][-1].text == "好的"
    prompt = model.seen[-1]
    after = await run(agent, strategy, [HumanMessage("谢谢，那接着说")])
    assert after["messages"][-1].text == "好的"
    assert [faults_of(one) for one in model.seen] == [[]] * 3
    return prompt


PASTED = "合同第一条，甲方付款。"
"""Compressing so many equal clauses takes half a minute for a thousand of them."""


@strategies
@pytest.mark.parametrize(
    "said",
    [PASTED * 300, pytest.param(PASTED * 1_000, marks=pytest.mark.slow), "🎉" * 10_000],
    ids=["pasted", "long-pasted", "emoji"],
)
async def test_a_message_larger_than_the_budget_is_asked_whole(
    agent: Agent, model: ScriptedModel, strategy: WindowStrategy, said: str
) -> None:
    prompt = await said_between(agent, model, strategy, [HumanMessage(said)])
    assert without_fences(prompt[-1].text).strip() == said


@strategies
@pytest.mark.parametrize("said", ["", " \n\t", "\u200b"])
async def test_an_empty_message_is_told_as_empty(
    agent: Agent, model: ScriptedModel, strategy: WindowStrategy, said: str
) -> None:
    prompt = await said_between(agent, model, strategy, [HumanMessage(said)])
    assert without_fences(prompt[-1].text).strip() == "（空消息）"


@strategies
async def test_two_hundred_results_of_a_call_are_shown_with_it(
    agent: Agent, model: ScriptedModel, strategy: WindowStrategy
) -> None:
    names = [f"call_{number}" for number in range(200)]
    calls = [{"name": "look_up", "args": {"order": name}, "id": name} for name in names]
    rows: list[BaseMessage] = [
        ToolMessage(f"{name}：已发货\n" + "明细一行\n" * 60, tool_call_id=name) for name in names
    ]
    odd = [HumanMessage("两百张订单都查一下"), AIMessage("", tool_calls=calls), *rows, HumanMessage("都到了吗？")]
    prompt = await said_between(agent, model, strategy, odd)
    shown = [message.tool_call_id for message in prompt if isinstance(message, ToolMessage)]
    assert shown in (names, [])
    assert without_fences(prompt[-1].text).strip() == "都到了吗？"


@strategies
async def test_a_system_prompt_longer_than_the_budget_stays_whole_and_first(
    agent: Agent, model: ScriptedModel, strategy: WindowStrategy
) -> None:
    rules = "Answer in the house style. " * 800
    answered = await run(agent, strategy, [SystemMessage(rules), HumanMessage("我住在杭州")])
    assert answered["messages"][-1].text == "好的"
    for number in range(12):
        await run(agent, strategy, [HumanMessage(f"第{number}件事")])
    prompt = model.seen[-1]
    assert rules.strip() in "\n".join(message.text for message in prompt if isinstance(message, SystemMessage))
    assert without_fences(prompt[-1].text).strip() == "第11件事"
    assert [faults_of(one) for one in model.seen] == [[]] * 13
