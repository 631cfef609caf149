"""A remote model in the whole graph: its answers, its tools and its thinking, what is sent to it and what is not."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.models.choice import MissingKeyError, UnknownModelError, model_named
from graph.models.sentences import SENTENCES, host_of
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock
from memory.ids import thread_id_of
from memory.namespaces import Owner, user_space
from tests.endpoint.answers import Call, Fails, Says
from tests.endpoint.choosing import chosen
from tests.endpoint.dialects import DEEPSEEK, DIALECTS, OLLAMA, OPENAI, Dialect
from tests.endpoint.endpoint import Endpoint
from tests.jiyi.command_line import jiyi

THOUGHT = "嗯，用户在问候我"
STATUS = "orderService_status"
STRANGE = {
    "OPENAI_ORG_ID": "org-strange",
    "OPENAI_ORGANIZATION": "org-strange",
    "OPENAI_PROJECT_ID": "proj-strange",
    "OPENAI_CUSTOM_HEADERS": "X-Strange: strange",
    "OPENAI_ADMIN_KEY": "strange",
    "OPENAI_API_BASE": "http://127.0.0.1:9/strange",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/strange",
    "OPENAI_API_KEY": "strange",
    "LANGSMITH_GATEWAY_API_KEY": "strange",
}
every_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)


@asynccontextmanager
async def opened(home: Path, endpoint: Endpoint, clock: FixedClock, **changed: Any) -> AsyncIterator[Agent]:
    async with open_agent(home, chosen=chosen(endpoint, **changed), clock=clock) as agent:
        yield agent


async def thread_of(agent: Agent, user: str = "ada") -> list[Any]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user=user)}}
    return list((await agent.graph.aget_state(config)).values["messages"])


async def remembered(agent: Agent) -> str:
    found = await agent.store.asearch(user_space(Owner(user="ada"), "episodes"), limit=50)
    return json.dumps([item.value for item in found], ensure_ascii=False)


@every_dialect
async def test_it_answers_and_its_thinking_is_neither_shown_nor_kept_nor_remembered(
    dialect: Dialect, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(text="你好！", thinking=THOUGHT), Says(text="在的。", thinking=THOUGHT))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        assert await agent.say("你好", user="ada", thread="t") == "你好！"
        assert [piece async for piece in agent.stream("在吗", user="ada", thread="t")][-1].endswith("。")
        messages = await thread_of(agent)
        kept = await remembered(agent)
    assert [message.text for message in messages] == ["你好", "你好！", "在吗", "在的。"]
    assert THOUGHT not in str(messages) + kept + json.dumps(endpoint.chats, ensure_ascii=False)
    assert "在的。" in kept


@every_dialect
async def test_it_calls_a_tool_and_answers_from_what_came_of_it(
    dialect: Dialect, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.dialect = dialect
    call = Call(tool=STATUS, args={"order_id": "#8842"})
    endpoint.will(Says(thinking=THOUGHT, calls=(call,)), Says(text="已发货。"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        assert await agent.say("#8842 到哪了", user="ada", thread="t") == "已发货。"
    asked, result = endpoint.chats[-1]["messages"][-2:]
    assert STATUS in endpoint.asked[0].tools
    assert json.loads(asked["tool_calls"][0]["function"]["arguments"]) == {"order_id": "#8842"}
    assert (result["role"], result["tool_call_id"]) == ("tool", asked["tool_calls"][0]["id"])
    assert "8842" in result["content"]


@pytest.mark.parametrize("call_id", [None, "", "call_0"])
async def test_calls_without_an_id_of_their_own_get_one(
    call_id: str | None, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    call = Call(tool=STATUS, args={"order_id": "#8842"}, id=call_id)
    endpoint.dialect = OLLAMA
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        for _ in range(2):
            endpoint.will(Says(calls=(call, call)), Says(text="已发货。"))
            assert await agent.say("#8842 到哪了", user="ada", thread="t") == "已发货。"
        messages = await thread_of(agent)
    asked = [one["id"] for message in messages if message.type == "ai" for one in message.tool_calls]
    assert len(asked) == len(set(asked)) == 4
    assert [message.tool_call_id for message in messages if message.type == "tool"] == asked


async def test_of_the_environment_only_the_settings_reach_the_endpoint(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in STRANGE.items():
        monkeypatch.setenv(name, value)
    endpoint.will(Says(text="你好"))
    async with opened(tmp_path / "home", endpoint, clock, openai_api_key="mine") as agent:
        await agent.say("你好", user="user-of-mine", thread="thread-of-mine", agent="agent-of-mine")
    (asked,) = endpoint.asked
    assert asked.key == "mine"
    assert not [name for name, value in asked.headers.items() if "strange" in f"{name}{value}".casefold()]
    sent = json.dumps([dict(asked.headers), asked.body], ensure_ascii=False)
    assert not [name for name in ("user-of-mine", "thread-of-mine", "agent-of-mine", str(tmp_path)) if name in sent]
    assert asked.body.keys() == {"messages", "model", "stream", "tools"}


async def test_an_endpoint_of_ones_own_needs_no_key(tmp_path: Path, endpoint: Endpoint, clock: FixedClock) -> None:
    endpoint.will(Says(text="你好"))
    async with opened(tmp_path / "home", endpoint, clock, openai_api_key=None) as agent:
        assert await agent.say("你好", user="ada", thread="t") == "你好"
    assert endpoint.asked[0].key == "no-key"


def test_openais_own_endpoint_needs_one() -> None:
    with pytest.raises(MissingKeyError, match="OPENAI_API_KEY"):
        model_named("openai:m", chosen=Settings())
    with pytest.raises(UnknownModelError):
        model_named("openai:", chosen=Settings())


def test_a_password_in_an_address_is_not_told() -> None:
    assert host_of(Settings(openai_base_url="https://me:secret@models.example:8443/v1")) == "models.example:8443"
    assert host_of(Settings()) == "api.openai.com"


async def test_what_a_stream_holds_and_is_no_answer_is_told(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        for then, reason in (("garbage", "unreadable"), ("error", "broke_off")):
            endpoint.will(Says(text="好的", then=then))  # type: ignore[arg-type]
            reply = await agent.say("你好", user=then, thread="t")
            told = SENTENCES[reason].zh.format(host=host_of(agent.parts.settings))  # type: ignore[index]
            assert reply == f"好的\n\n{told}"


async def test_a_silence_in_the_middle_keeps_what_had_come(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.will(Says(text="好的", then="silence"))
    async with opened(tmp_path / "home", endpoint, clock, model_timeout_s=0.3) as agent:
        reply = await agent.say("你好", user="ada", thread="t")
        assert "好的" in await remembered(agent)
    assert reply.startswith("好的\n\n模型没有回答")


async def test_a_tag_that_is_cut_is_not_shown(tmp_path: Path, endpoint: Endpoint, clock: FixedClock) -> None:
    pieces = ("<th", "in", "k>秘", "密</t", "hink", ">\n", "\n你", "好 <", "3")
    endpoint.will(Says(text="".join(pieces), pieces=pieces))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        shown = [piece async for piece in agent.stream("你好", user="ada", thread="t")]
        _, answer = await thread_of(agent)
    assert "".join(shown) == answer.text == "你好 <3"


async def test_the_answer_is_streamed_as_it_comes(tmp_path: Path, endpoint: Endpoint, clock: FixedClock) -> None:
    endpoint.dialect = DEEPSEEK
    endpoint.will(Says(text="你好，有什么事？", pieces=("你好", "，有", "什么事？")))
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        given, context = {"messages": [HumanMessage("你好")]}, Context(user_id="ada")
        run: Any = agent.graph.astream(given, config, context=context, stream_mode="messages")
        parts = [part async for part in run]
    assert [part[0].text for part in parts if part[0].text] == ["你好", "，有", "什么事？"]
    assert {part[1]["langgraph_node"] for part in parts} == {"llm"}


def test_chat_prints_the_sentence(endpoint: Endpoint) -> None:
    endpoint.dialect = OPENAI
    endpoint.otherwise = Fails(kind="wrong_key")
    env = {"MODEL": "openai:m", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": endpoint.url, "EMBEDDINGS": "none"}
    told = SENTENCES["wrong_key"].zh.format(host=endpoint.url.split("/")[2])
    assert jiyi("chat", "--user", "ada", "--message", "你好", env=env).out.strip() == told
    assert jiyi("chat", "--user", "bob", env=env, given="你好\n").out.strip() == told
