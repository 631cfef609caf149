"""What happens when: each row of the table in docs/models.md, lived through with the whole graph."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.models.sentences import SENTENCES
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel
from memory.ids import thread_id_of
from memory.namespaces import Owner, user_space
from memory.notices import reason_of
from store.profile import facts_of
from store.waiting import waiting_turns
from tests.endpoint.answers import Call, Fails, Says, limited
from tests.endpoint.choosing import KEY, chosen
from tests.endpoint.dialects import DIALECTS, Dialect
from tests.endpoint.endpoint import Endpoint
from tests.endpoint.failing import BEGUN, Case, Row, cases, rows

TOLD = {"zh": "我对花生过敏", "en": "I am allergic to peanuts"}
FACT = {"zh": "花生", "en": "peanuts"}
KINDS = {
    "wrong_key": "wrong_key",
    "no_money": "no_money",
    "no_model": "no_model",
    "too_long": "too_long",
    "refused": "refused",
    "limited": "limited",
    "broken": "broken",
    "overloaded": "broken",
}


@asynccontextmanager
async def opened(home: Path, endpoint: Endpoint, clock: FixedClock, **changed: Any) -> AsyncIterator[Agent]:
    async with open_agent(home, chosen=chosen(endpoint, **changed), clock=clock) as agent:
        yield agent


async def thread_of(agent: Agent, user: str, thread: str = "t") -> list[Any]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user=user)}}
    return list((await agent.graph.aget_state(config)).values["messages"])


async def episodes(agent: Agent, user: str) -> dict[str, list[str]]:
    found = await agent.store.asearch(user_space(Owner(user=user), "episodes"), limit=50)
    said: dict[str, list[str]] = {"user": [], "assistant": []}
    for item in found:
        said[item.value["speaker"]].append(item.value["text"])
    return said


def filled(sentence: str, case: Case, endpoint: Endpoint) -> str:
    gaps: Mapping[str, object] = {"host": endpoint.url.split("/")[2], "model": "m", **case.gaps}
    return sentence.format(**gaps)


def test_the_page_prints_each_sentence_as_it_is_told() -> None:
    assert {reason: (row.zh, row.en) for reason, row in rows().items()} == {
        reason: (text.zh, text.en) for reason, text in SENTENCES.items()
    }
    assert cases().keys() == rows().keys()


@pytest.mark.parametrize("row", rows().values(), ids=lambda row: row.reason)
async def test_a_failed_call_is_told_and_the_turn_is_kept(
    row: Row, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    case = cases()[row.reason]
    async with opened(tmp_path / "home", endpoint, clock, **case.settings) as agent:
        for language, sentence in (("zh", row.zh), ("en", row.en)):
            endpoint.start_anew(*case.answers)
            reply = await agent.say(TOLD[language], user=language, thread="t")
            expected = filled(sentence, case, endpoint)
            begun = BEGUN if row.keeps_what_came else ""
            assert reply == (f"{begun}\n\n{expected}" if begun else expected)
            assert len(endpoint.chats) == case.before + (row.tries if case.reached else 0)
            human, *_, answer = await thread_of(agent, language)
            assert (human.text, answer.text, reason_of(answer)) == (TOLD[language], reply, row.reason)
            assert await episodes(agent, language) == {"user": [TOLD[language]], "assistant": [begun] if begun else []}
            assert [fact.value for fact in await facts_of(agent.store, Owner(user=language))] == [FACT[language]]
        assert await waiting_turns(agent.store) == []


@pytest.mark.parametrize("row", rows().values(), ids=lambda row: row.reason)
async def test_what_is_streamed_is_what_is_kept_and_interfaces_are_told_why(
    row: Row, tmp_path: Path, endpoint: Endpoint, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    case = cases()[row.reason]
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    endpoint.start_anew(*case.answers)
    spoken, events = "", []
    async with opened(tmp_path / "home", endpoint, clock, **case.settings) as agent:
        given = {"messages": [HumanMessage(TOLD["zh"])]}
        context = Context(user_id="ada")
        run: Any = agent.graph.astream(given, config, context=context, stream_mode=["messages", "custom"])
        async for mode, part in run:
            if mode == "messages":
                spoken += part[0].text if part[1]["langgraph_node"] == "llm" else ""
            else:
                events.append(part)
        *_, answer = await thread_of(agent, "ada")
    assert spoken == answer.text
    failed = [event for event in events if event["event"] == "model_failed"]
    assert failed == [{"event": "model_failed", "reason": row.reason, "retry_after_s": case.gaps.get("seconds", 0)}]
    logged = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    assert [text for text in logged if row.reason in text]
    assert not [text for text in caplog.messages if KEY in text or TOLD["zh"] in text]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
async def test_every_dialect_is_understood(
    dialect: Dialect, tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.dialect = dialect
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        for kind, reason in KINDS.items():
            soon = Fails(kind=kind, headers={"Retry-After": "0.01"})  # type: ignore[arg-type]
            endpoint.start_anew(soon, soon, soon)
            await agent.say("你好", user="ada", thread=kind)
            assert (kind, reason_of((await thread_of(agent, "ada", kind))[-1])) == (kind, reason)


async def test_a_short_wait_that_is_asked_for_is_waited(tmp_path: Path, endpoint: Endpoint, clock: FixedClock) -> None:
    endpoint.will(limited(0.1), Fails(kind="overloaded"), Says(text="在的"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        assert await agent.say("在吗", user="ada", thread="t") == "在的"
    assert len(endpoint.chats) == 3


async def test_the_next_turn_goes_on_as_if_nothing_had_been(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.will(Fails(kind="wrong_key"), Says(text="记得，您对花生过敏。"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        await agent.say(TOLD["zh"], user="ada", thread="t")
        assert await agent.say("我对什么过敏？", user="ada", thread="t") == "记得，您对花生过敏。"
        assert (await episodes(agent, "ada"))["assistant"] == ["记得，您对花生过敏。"]
    asked = endpoint.chats[-1]["messages"]
    assert [one["role"] for one in asked] == ["system", "user", "assistant", "user"]


async def test_a_call_whose_answer_broke_off_is_not_carried_out(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    half = Call(tool="orderService_status", args='{"order_id": "#88')
    for number, answer in enumerate(
        (Says(calls=(half,), then="cut"), Says(calls=(half,)), Says(calls=(half,), finish="length"))
    ):
        endpoint.start_anew(answer)
        async with opened(tmp_path / f"home-{number}", endpoint, clock) as agent:
            await agent.say("#8842 到哪了", user="ada", thread="t")
            _, reply = await thread_of(agent, "ada")
        assert isinstance(reply, AIMessage)
        assert (reply.tool_calls, reason_of(reply)) == ([], "broke_off" if number == 0 else "empty")


async def test_a_failure_after_a_tool_was_used_keeps_what_was_done(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    call = Call(tool="orderService_status", args={"order_id": "#8842"})
    endpoint.will(Says(text="我查一下。", calls=(call,)), Fails(kind="wrong_key"))
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        pieces = [piece async for piece in agent.stream("#8842 到哪了", user="ada", thread="t")]
        messages = await thread_of(agent, "ada")
        assert (await episodes(agent, "ada"))["assistant"] == ["我查一下。"]
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    assert "".join(pieces).split("\n") == [messages[1].text, messages[3].text]


async def test_a_bug_is_raised_and_the_turn_is_let_go(tmp_path: Path, clock: FixedClock) -> None:
    offline = Settings(embeddings="none", model="offline")
    model = ScriptedModel(replies=[ZeroDivisionError("a bug")])
    async with open_agent(tmp_path / "home", model=model, chosen=offline, clock=clock) as agent:
        with pytest.raises(ZeroDivisionError):
            await agent.say(TOLD["zh"], user="ada", thread="t")
        assert await agent.drainer.drain() in (0, 1)
        assert (await episodes(agent, "ada"))["user"] == [TOLD["zh"]]


async def test_in_the_background_the_notice_is_not_remembered_either(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock
) -> None:
    endpoint.will(Fails(kind="wrong_key"))
    async with opened(tmp_path / "home", endpoint, clock, memory_writes="background") as agent:
        await agent.say(TOLD["zh"], user="ada", thread="t")
        while await waiting_turns(agent.store):
            await agent.drainer.drain()
        assert await episodes(agent, "ada") == {"user": [TOLD["zh"]], "assistant": []}
        assert [fact.value for fact in await facts_of(agent.store, Owner(user="ada"))] == ["花生"]


async def test_the_notice_of_the_offline_mode_is_shown_and_not_remembered(tmp_path: Path, clock: FixedClock) -> None:
    offline = Settings(embeddings="none", model="offline")
    async with open_agent(tmp_path / "home", chosen=offline, clock=clock) as agent:
        for user, text, notice in (("zh", "你好", "未配置模型"), ("en", "Hello", "no model configured")):
            assert notice in await agent.say(text, user=user, thread="t")
            (remembered,) = (await episodes(agent, user))["assistant"]
            assert remembered
            assert notice not in remembered
            assert "offline" not in remembered


async def test_a_notice_is_never_summarized_as_a_promise(tmp_path: Path, endpoint: Endpoint, clock: FixedClock) -> None:
    endpoint.otherwise = Fails(kind="broken", status=400, message="no")
    async with opened(tmp_path / "home", endpoint, clock) as agent:
        for number in range(24):
            await agent.say(f"我的第 {number} 个计划是去杭州", user="ada", thread="t")
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
        summary = (await agent.graph.aget_state(config)).values["summary"]
    assert "计划" in summary
    assert "模型没有回答" not in summary
    assert "127.0.0.1" not in summary
