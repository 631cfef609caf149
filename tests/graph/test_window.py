"""The window in the graph: what the model gets of a long thread under each strategy, and what is folded when."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel

from graph.agent import graph
from graph.context import Context, WindowStrategy
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, Reply, ScriptedModel, tool_call
from memory.ids import thread_id_of
from memory.prompt import without_fences
from memory.tokens import count_tokens
from memory.window import Strategy
from skills.bilingual import Text
from skills.registry import Caller, Tool, ToolOutcome
from store.checkpoint_owners import USER_KEY
from tests.memory.chat_format import faults_of

CHINESE = [
    "我喜欢喝美式咖啡",
    "我们定了：发布会放在 6 月 3 日，地点 B-210",
    *(f"随便聊聊第{n}件事情吧" for n in range(22)),
    "B-210 那场发布会是哪天？",
]
ENGLISH = [
    "I love black coffee",
    "We agreed: the launch is on June 3, in room B-210",
    *(f"let us just chat about matter {n}" for n in range(22)),
    "On which day is the launch in B-210?",
]
talks = pytest.mark.parametrize("talk", [CHINESE, ENGLISH], ids=["zh", "en"])


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(replies=lambda _: "ok")


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock, model: ScriptedModel) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", memory_writes="inline", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock, model=model) as opened:
        yield opened


async def told(agent: Agent, talk: list[str], **context: Any) -> None:
    for text in talk:
        await agent.say(text, user="ada", thread="long", layers=["summary"], **context)


async def values_of(agent: Agent, thread: str) -> dict[str, Any]:
    config: Any = {"configurable": {"thread_id": thread_id_of(thread, user="ada"), USER_KEY: "ada"}}
    state = await agent.graph.aget_state(config)
    values: dict[str, Any] = state.values
    return values


async def messages_of(agent: Agent, thread: str) -> list[BaseMessage]:
    return list((await values_of(agent, thread))["messages"])


def asked_in(prompt: list[BaseMessage]) -> list[str]:
    return [without_fences(message.text) for message in prompt if isinstance(message, HumanMessage)]


def system_of(prompt: list[BaseMessage]) -> str:
    assert isinstance(prompt[0], SystemMessage)
    return prompt[0].text


def test_the_context_offers_the_strategies_that_there_are() -> None:
    assert get_args(WindowStrategy) == get_args(Strategy)
    schema = graph.get_context_jsonschema() or {}
    shown = schema["properties"]["window"]
    assert (shown["enum"], shown["default"]) == (list(get_args(Strategy)), "summary")
    assert "notes" in Context().layers
    assert {"window", "layers"} <= {field.name for field in fields(Context)}


@talks
@pytest.mark.parametrize("strategy", get_args(Strategy))
async def test_each_prompt_is_one_that_providers_take_and_does_not_grow(
    agent: Agent, model: ScriptedModel, talk: list[str], strategy: WindowStrategy
) -> None:
    await told(agent, talk, window=strategy)
    assert [faults_of(prompt) for prompt in model.seen] == [[]] * len(talk)
    if strategy in ("fixed", "summary", "compressed"):
        assert max(len(prompt) for prompt in model.seen) <= 21
    assert asked_in(model.seen[-1])[-1] == talk[-1]


@talks
async def test_what_left_a_compressed_window_is_there_as_key_information(
    agent: Agent, model: ScriptedModel, talk: list[str]
) -> None:
    await told(agent, talk, window="compressed")
    assert talk[1] not in asked_in(model.seen[-1])
    lines = system_of(model.seen[-1])
    preferences, decisions = ("用户偏好：", "决定与约定：") if talk is CHINESE else ("Preferences: ", "Decisions: ")
    assert f"{preferences}{talk[0]}" in lines
    assert decisions in lines
    assert "B-210" in lines
    assert ("随便聊聊" if talk is CHINESE else "just chat") not in lines


@talks
async def test_the_beginning_of_a_compressed_prompt_changes_only_when_it_folds(
    agent: Agent, model: ScriptedModel, talk: list[str]
) -> None:
    await told(agent, talk, window="compressed")
    assert len({system_of(prompt) for prompt in model.seen}) <= 4


@talks
async def test_under_fixed_budget_and_attention_nothing_is_folded(agent: Agent, talk: list[str]) -> None:
    for strategy in ("fixed", "budget", "attention"):
        for text in talk:
            await agent.say(text, user="ada", thread=strategy, layers=["summary"], window=strategy)
        values = await values_of(agent, strategy)
        assert (values.get("summary"), values.get("summarized_upto")) == (None, None)


@talks
async def test_a_strategy_may_be_changed_in_the_middle_of_a_thread(
    agent: Agent, model: ScriptedModel, talk: list[str]
) -> None:
    await told(agent, talk[:12], window="summary")
    await told(agent, talk[12:], window="compressed")
    assert "B-210" in system_of(model.seen[-1])


class Asked(BaseModel):
    """What the log's tool is given."""

    name: str


LOG = "\n".join(f"line {n}: served in {n} ms" for n in range(3_000))


async def read_log(asked: Asked, caller: Caller) -> ToolOutcome:
    return ToolOutcome(ok=True, text=LOG)


READ_LOG = Tool(
    name="read_log", description=Text(zh="读日志", en="Read a log"), arguments=Asked, effect="read", run=read_log
)


@pytest.mark.parametrize(
    ("question", "words"),
    [("看看日志里有什么", "本对话中的消息 {}"), ("What is in the log?", "message {} of this thread")],
)
async def test_a_long_result_enters_short_and_stays_whole_in_the_thread(
    tmp_path: Path, clock: FixedClock, question: str, words: str
) -> None:
    def reply(messages: list[BaseMessage]) -> Reply:
        return "done" if isinstance(messages[-1], ToolMessage) else tool_call("read_log", name="web")

    model = ScriptedModel(replies=reply)
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock, model=model, tools=[READ_LOG]) as agent:
        await agent.say(question, user="ada", thread="t")
        kept = [message for message in await messages_of(agent, "t") if isinstance(message, ToolMessage)]
    given = model.seen[-1][-1]
    assert isinstance(given, ToolMessage)
    assert "line 0: served in 0 ms" in given.text
    assert "line 2999: served in 2999 ms" in given.text
    assert words.format(given.id) in given.text
    assert count_tokens(given.text) <= 1_000
    assert [(message.id, LOG in message.text) for message in kept] == [(given.id, True)]
