"""A yes is only ever a yes to what was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel, tool_call
from memory.ids import thread_id_of

CONTEXT = Context(user_id="ada")


def two_cancellations() -> AIMessage:
    calls = [tool_call("orderService_cancel", order_id=order, reason="x") for order in ("#8843", "#8845")]
    return AIMessage(content="", tool_calls=[{**call, "id": f"c{at}"} for at, call in enumerate(calls)])


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    script: list[Any] = [two_cancellations(), "done"]
    model = ScriptedModel(replies=lambda messages: _reply(messages, script))
    async with open_agent(
        tmp_path / "home", clock=clock, model=model, chosen=Settings(embeddings="none", jiyi_home=tmp_path / "home")
    ) as opened:
        yield opened


def _reply(messages: list[Any], script: list[Any]) -> Any:
    return script[1] if isinstance(messages[-1], ToolMessage) else script[0]


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id_of(name, user="ada")}}


def results(state: dict[str, Any]) -> dict[str, str]:
    return {message.tool_call_id: message.text for message in state["messages"] if isinstance(message, ToolMessage)}


async def test_of_two_changes_only_the_first_is_asked_about_and_done(agent: Agent) -> None:
    asked = await agent.ainvoke({"messages": [HumanMessage("cancel both")]}, thread("a"), context=CONTEXT)
    (question,) = asked["__interrupt__"]
    assert question.value["arguments"]["order_id"] == "#8843"
    told = results(await agent.ainvoke(Command(resume="yes"), thread("a"), context=CONTEXT))
    assert "#8843" in told["c0"]
    assert "One change at a time" in told["c1"]


async def test_a_yes_cancels_nothing_else_when_its_order_was_cancelled_meanwhile(agent: Agent) -> None:
    for name in ("a", "b"):
        await agent.ainvoke({"messages": [HumanMessage("cancel both")]}, thread(name), context=CONTEXT)
    await agent.ainvoke(Command(resume="yes"), thread("b"), context=CONTEXT)
    told = results(await agent.ainvoke(Command(resume="yes"), thread("a"), context=CONTEXT))
    assert "One change at a time" in told["c1"]
    asked = await agent.ainvoke({"messages": [HumanMessage("again")]}, thread("c"), context=CONTEXT)
    assert "__interrupt__" not in asked  # 8843 is settled, and 8845 waits for a question of its own
    assert "One change at a time" in results(asked)["c1"]
