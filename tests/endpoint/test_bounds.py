"""Bounds: whatever an endpoint does, a turn comes to its end, in its own words or in ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from pydantic import SecretStr

from graph.models.asking import ask
from graph.models.bounds import MOST_CHARS, MOST_TOOL_ROUNDS, most_s
from graph.models.choice import model_named, small_model_named
from graph.models.failures import EndlessAnswerError, UnsendableKeyError, failure_of_error
from graph.models.rounds import ANSWER_NOW
from graph.models.sentences import SENTENCES
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, Reply, ScriptedModel, tool_call
from memory.ids import thread_id_of
from memory.notices import reason_of
from tests.endpoint.answers import Answer, Call, Raw, Says
from tests.endpoint.choosing import KEY, chosen
from tests.endpoint.dialects import OLLAMA
from tests.endpoint.endpoint import Endpoint

STATUS = Call(tool="orderService_status", args={"order_id": "#8842"})
DEEP = '{"order_id": ' + "[" * 50_000 + "]" * 50_000 + "}"

NESTED = '{"order_id": ' + "[" * 900 + "]" * 900 + "}"


@asynccontextmanager
async def opened(home: Path, endpoint: Endpoint, clock: FixedClock, **changed: Any) -> AsyncIterator[Agent]:
    async with open_agent(home, chosen=chosen(endpoint, **changed), clock=clock) as agent:
        yield agent


async def thread_of(agent: Agent) -> list[Any]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    return list((await agent.graph.aget_state(config)).values["messages"])


def unanswered(messages: Sequence[BaseMessage]) -> set[str | None]:
    asked = {call["id"] for one in messages if isinstance(one, AIMessage) for call in one.tool_calls}
    return asked - {getattr(one, "tool_call_id", None) for one in messages}


async def test_a_model_that_only_calls_tools_is_asked_once_more_without_them(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.will(*[Says(calls=(STATUS,))] * MOST_TOOL_ROUNDS, Says(text="已发货。"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        assert await agent.say("#8842 到哪了", user="ada", thread="t") == "已发货。"
        endpoint.will(Says(calls=(STATUS,)), Says(text="还是已发货。"))
        assert await agent.say("#8842 现在到哪了", user="ada", thread="t") == "还是已发货。"
        assert unanswered(await thread_of(agent)) == set()
    *before, last = endpoint.asked[: MOST_TOOL_ROUNDS + 1]
    assert all(one.tools for one in before)
    assert last.tools == []
    assert ANSWER_NOW.zh in last.body["messages"][0]["content"]
    assert [one["role"] for one in last.body["messages"]].count("system") == 1
    assert endpoint.asked[-1].tools


async def test_what_it_says_besides_further_calls_is_its_answer(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.otherwise = Says(text="我查一下。", calls=(STATUS,))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        assert await agent.say("#8842 到哪了", user="ada", thread="t") == "我查一下。"
        messages = await thread_of(agent)
    assert len(endpoint.chats) == MOST_TOOL_ROUNDS + 1
    assert (unanswered(messages), reason_of(messages[-1])) == (set(), "")


@pytest.mark.parametrize(("asked", "language"), [("#8842 到哪了", "zh"), ("Where is #8842?", "en")])
async def test_a_model_without_an_endpoint_is_bounded_too(
    asked: str, language: Any, tmp_path: Path, clock: FixedClock
) -> None:
    def always(messages: list[BaseMessage]) -> Reply:
        return tool_call("orderService_status", order_id="#8842", call_id=f"call{len(messages)}")

    model, offline = ScriptedModel(replies=always), Settings(embeddings="none", model="offline")
    async with open_agent(tmp_path / "home", model=model, chosen=offline, clock=clock) as agent:
        reply = await agent.say(asked, user="ada", thread="t")
        messages = await thread_of(agent)
    told = SENTENCES["only_tools"].in_language(language)
    assert reply == told.format(model="offline", most_rounds=MOST_TOOL_ROUNDS)
    assert (len(model.seen), model.tools_seen[-1], unanswered(messages)) == (MOST_TOOL_ROUNDS + 1, [], set())


@pytest.mark.parametrize(
    "says",
    [
        Says(text="好的", then="endless", forever={"content": "好 "}, pause_s=0.01),
        Says(text="好的", then="endless", forever={"reasoning_content": "嗯"}, pause_s=0.01),
        Says(text="好的\n<think>", then="endless", forever={"content": "嗯"}, pause_s=0.01),
    ],
    ids=["words", "thoughts", "tags"],
)
async def test_a_slow_answer_without_an_end_is_broken_off_and_what_came_is_kept(
    says: Says, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.will(says)
    async with opened(tmp_path / "home", endpoint, clock, model_timeout_s=0.2) as agent:
        reply = await agent.say("你好", user="ada", thread="t")
        assert reason_of((await thread_of(agent))[-1]) == "endless"
    assert reply.startswith("好的")
    assert "嗯" not in reply
    assert f"{most_s(0.2):g} 秒" in reply


async def test_a_fast_answer_without_an_end_is_cut_and_lets_others_run(endpoint: Endpoint) -> None:
    endpoint.will(Says(then="endless", forever={"content": "word " * 20}))
    model = model_named("openai:m", chosen=chosen(endpoint))
    asking = asyncio.create_task(ask(model, "hello"))
    turns = 0
    while not asking.done():
        turns += 1
        await asyncio.sleep(0)
    message, failure = asking.result()
    assert (len(message.text), failure and failure.reason) == (MOST_CHARS, "endless")
    assert turns > MOST_CHARS // 100


async def test_a_side_call_without_an_end_is_broken_off_too(endpoint: Endpoint) -> None:
    small = small_model_named("openai:m", chosen=chosen(endpoint, model_timeout_s=0.1))
    endpoint.will(Says(text="{}", then="endless", forever={"content": " "}, pause_s=0.01))
    with pytest.raises(EndlessAnswerError):
        await small.ainvoke("give json")
    assert len(endpoint.chats) == 1


def event(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def stream(*events: bytes) -> Raw:
    return Raw(body=b"".join([*events, b"data: [DONE]\n\n"]), content_type="text/event-stream")


def choice(delta: str) -> bytes:
    return event(f'{{"id": "c", "choices": [{{"index": 0, "delta": {delta}, "finish_reason": null}}]}}')


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize(
    "answer",
    [
        Says(calls=(Call(tool="orderService_status", args=DEEP),)),
        Says(calls=(Call(tool="orderService_status", args=NESTED),)),
        stream(choice('{"content": {"a": 1}}')),
        stream(choice('{"tool_calls": [{"index": 0, "function": null}]}')),
        stream(event('{"id": "c", "choices": null, "usage": {"prompt_tokens": "x"}}')),
        stream(event('{"id": "c", "choices": [null]}')),
        stream(event("null")),
        stream(event("5")),
        stream(event("[" * 200_000)),
        stream(choice('{"content": "' + "x" * 10 + "\\udc")),
    ],
    ids=["deep", "nested", "content", "function", "usage", "choice", "null", "number", "brackets", "escape"],
)
async def test_what_cannot_be_read_is_told_and_the_next_turn_goes_on(
    answer: Answer, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    if isinstance(answer, Says):
        endpoint.dialect = OLLAMA  # which sends a call whole
    endpoint.will(answer, Says(text="在的"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        await agent.say("我对花生过敏", user="ada", thread="t")
        assert reason_of((await thread_of(agent))[-1]) == "unreadable"
        assert await agent.say("在吗", user="ada", thread="t") == "在的"


async def test_what_is_wrong_with_the_question_is_no_fault_of_the_answer(endpoint: Endpoint) -> None:
    asked = AIMessage("", tool_calls=[{"name": "status", "args": {"what": object()}, "id": "1"}])
    with pytest.raises(TypeError, match="JSON"):
        await ask(model_named("openai:m", chosen=chosen(endpoint)), [asked])
    assert endpoint.asked == []


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "streamed"])
async def test_a_redirect_is_not_followed(whole: bool, endpoint: Endpoint) -> None:
    with Endpoint(otherwise=Says(text="stolen")).serving() as other:
        endpoint.otherwise = Raw(body=b"", status=307, headers={"Location": f"{other.url}/chat/completions"})
        model = (small_model_named if whole else model_named)("openai:m", chosen=chosen(endpoint))
        message, failure = await ask(model, "a secret")
        assert (message.text, failure and failure.reason) == ("", "moved")
        assert not [word for word in (KEY, "secret", "stolen") if word in repr(failure)]
        assert (len(endpoint.asked), other.asked) == (1, [])


@pytest.mark.parametrize("key", ["sk-密钥", "sk-“quoted”", "sk-two\nlines"])
async def test_a_key_that_cannot_be_sent_is_the_wrong_key(
    key: str, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    settings = chosen(endpoint).model_copy(update={"openai_api_key": SecretStr(key)})
    async with open_agent(tmp_path / "home", chosen=settings, clock=clock) as agent:
        await agent.say("你好", user="ada", thread="t")
        assert reason_of((await thread_of(agent))[-1]) == "wrong_key"
    with pytest.raises(UnsendableKeyError) as raised:
        await small_model_named("openai:m", chosen=settings).ainvoke("hello")
    assert failure_of_error(raised.value).reason == "wrong_key"
    assert (endpoint.asked, key in json.dumps(str(raised.value), ensure_ascii=False)) == ([], False)
