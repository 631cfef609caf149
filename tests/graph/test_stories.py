"""Stories: what users live through with the whole graph, in process, offline."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.agent import graph
from graph.context import Context
from graph.identity import NoStoreError
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock
from memory.ids import thread_id_of
from memory.namespaces import BlankIdError, Owner
from memory.words import has_cjk
from store.checkpoint_owners import IdentityError
from store.embed.local import LocalEmbedder
from store.profile import facts_of
from store.waiting import waiting_turns

NOTE_ZH, NOTE_EN = "未配置模型", "no model"


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    """Give one embedder to all stories: it remembers the texts that come with the product."""
    return LocalEmbedder()


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock, embedder: LocalEmbedder) -> AsyncIterator[Agent]:
    async with open_agent(tmp_path / "home", clock=clock, embedder=embedder) as opened:
        yield opened


async def facts(agent: Agent, user: str) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for fact in await facts_of(agent.store, Owner(user=user)):
        held.setdefault(fact.key, []).append(fact.value)
    return held


def brief(reply: str) -> bool:
    """Say whether a reply is short: at most 50 Chinese characters or 20 words, the notice of the offline mode apart."""
    said = re.sub(r"\s*[（(](?:离线|offline)[^）)]*[）)]\s*$", "", reply)
    return len(said) <= 50 if has_cjk(said) else len(said.split()) <= 20


async def test_what_is_said_in_one_thread_is_known_in_the_next(agent: Agent) -> None:
    await agent.say("请简短回答，叫我小王。我的订单号是 #8842，帮我查物流", thread="monday", user="ada")
    progress = await agent.say("进度怎么样了？", thread="tuesday", user="ada")
    assert "#8842" in progress
    assert "小王" in progress
    assert brief(progress)
    for question, thread in (("还在吗", "wednesday"), ("你好", "thursday")):
        reply = await agent.say(question, thread=thread, user="ada")
        assert "小王" in reply
        assert brief(reply)


async def test_the_same_in_english(agent: Agent) -> None:
    await agent.say(
        "Keep your answers short and call me Kim. My order number is #8842, please track it.", thread="1", user="ada"
    )
    for number, question in enumerate(("How's the progress?", "Any progress?", "What's the status?")):
        asked = await agent.say(question, thread=f"again-{number}", user="ada")
        assert "#8842" in asked
        assert "shipped" in asked
        assert brief(asked)
    progress = await agent.say("How is it going?", thread="2", user="ada")
    assert "#8842" in progress
    assert "Kim" in progress
    assert brief(progress)
    for number, greeting in enumerate(("Are you still there?", "You still there?", "Anybody there?", "Hello")):
        reply = await agent.say(greeting, thread=f"hello-{number}", user="ada")
        assert "Kim" in reply
        assert brief(reply)


async def test_nobody_gets_anything_of_another_user(agent: Agent) -> None:
    await agent.say("请简短回答，叫我小王。我的订单号是 #8842，帮我查物流", thread="monday", user="ada")
    for question in ("进度怎么样了？", "还在吗", "我叫什么？", "我的订单号是多少？"):
        reply = await agent.say(question, thread="monday", user="bob")
        assert "小王" not in reply
        assert "8842" not in reply
    assert await facts(agent, "bob") == {}


async def test_a_run_on_somebody_elses_thread_is_refused(agent: Agent) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("monday", user="ada")}}
    await agent.say("我对花生过敏", thread="monday", user="ada")
    with pytest.raises(IdentityError, match="another user"):
        await agent.graph.ainvoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id="bob"))
    state = await agent.graph.aget_state(config)
    assert [message.type for message in state.values["messages"]] == ["human", "ai"]


@pytest.mark.parametrize("user", ["", "  "])
async def test_nobody_is_not_everybody(agent: Agent, user: str) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="x")}}
    with pytest.raises(BlankIdError):
        await agent.graph.ainvoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id=user))


async def test_no_model_is_mentioned_once_in_a_thread(agent: Agent) -> None:
    replies = [await agent.say(text, thread="t", user="ada") for text in ("你好", "我住在杭州", "谢谢")]
    assert [NOTE_ZH in reply for reply in replies] == [True, False, False]


async def test_an_order_is_looked_up_live_and_its_state_is_never_remembered(agent: Agent) -> None:
    reply = await agent.say("#8842 发货了吗", thread="t", user="ada")
    assert "8842" in reply
    assert "发货" in reply or "运输" in reply
    held = await facts(agent, "ada")
    assert not any("发货" in value or "SHIPPED" in value for values in held.values() for value in values)


async def test_a_side_effect_waits_for_consent(agent: Agent) -> None:
    asked = await agent.say("取消订单 #8843", thread="t", user="ada")
    assert "8843" in asked
    assert "？" in asked or "吗" in asked
    done = await agent.say("好的", thread="t", user="ada")
    assert "取消" in done
    again = await agent.say("查一下订单 #8843 现在什么状态", thread="u", user="ada")
    assert "取消" in again


async def test_a_refused_consent_changes_nothing(agent: Agent) -> None:
    await agent.say("取消订单 #8843", thread="t", user="ada")
    await agent.say("不要", thread="t", user="ada")
    again = await agent.say("查一下订单 #8843 现在什么状态", thread="u", user="ada")
    assert "已取消" not in again


async def test_thanks_and_sums_recall_nothing(agent: Agent) -> None:
    await agent.say("我养了一只叫豆豆的猫", thread="t", user="ada")
    for text in ("谢谢", "2+2", "ok", "thank you"):
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(text, user="ada")}}
        result = await agent.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=Context(user_id="ada"))
        assert result["recalled"] == []
        assert result["skills"] == []


async def test_private_numbers_reach_nothing_derived(agent: Agent) -> None:
    await agent.say("我的手机号是 13800138000，邮箱 someone@example.com，请记住", thread="t", user="ada")
    episodes = await agent.store.asearch(("users", "ada"), limit=100)
    assert episodes
    assert not any("13800138000" in str(item.value) or "someone@example.com" in str(item.value) for item in episodes)


async def test_no_channel_but_the_messages_carries_remembered_text(agent: Agent) -> None:
    await agent.say("我养了一只叫豆豆的猫", thread="t", user="ada")
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("u", user="ada")}}
    result = await agent.graph.ainvoke(
        {"messages": [HumanMessage("我的猫叫什么")]}, config, context=Context(user_id="ada")
    )
    assert result["recalled"]
    assert "豆豆" not in str({name: value for name, value in result.items() if name != "messages"})
    assert "豆豆" in result["messages"][-1].content


async def test_every_turn_is_settled_and_kept_once(agent: Agent) -> None:
    for text in ("我叫李雷", "我住在杭州", "我对花生过敏"):
        await agent.say(text, thread="t", user="ada")
    assert await waiting_turns(agent.store) == []
    assert await facts(agent, "ada") == {"user.name": ["李雷"], "user.lives_in": ["杭州"], "user.allergy": ["花生"]}
    episodes = await agent.store.asearch(("users", "ada", "_", "episodes"), limit=100)
    assert [item.value["speaker"] for item in episodes].count("user") == 3
    assert not any(item.value["pending"] for item in episodes)


async def test_a_replayed_turn_writes_nothing_twice(agent: Agent) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    message = HumanMessage("我对花生过敏", id="m1")
    context = Context(user_id="ada")
    await agent.graph.ainvoke({"messages": [message]}, config, context=context)
    before = await agent.store.asearch(("users", "ada"), limit=100)
    first = [state async for state in agent.graph.aget_state_history(config)][-2]
    await agent.graph.ainvoke(None, first.config, context=context)
    await agent.graph.ainvoke({"messages": [message]}, config, context=context)
    after = await agent.store.asearch(("users", "ada"), limit=100)
    assert {item.key for item in after} == {item.key for item in before}


async def test_a_changed_fact_replaces_the_old_one_and_keeps_its_history(agent: Agent, clock: FixedClock) -> None:
    await agent.say("我住在北京", thread="t", user="ada")
    clock.advance(timedelta(days=2))
    await agent.say("我住在上海", thread="u", user="ada")
    assert (await facts(agent, "ada"))["user.lives_in"] == ["上海"]
    held = await facts_of(agent.store, Owner(user="ada"), active_only=False)
    assert [(fact.value, fact.status) for fact in held] == [("北京", "superseded"), ("上海", "active")]


async def test_memory_can_be_read_only_or_off(agent: Agent) -> None:
    await agent.say("叫我小王", thread="a", user="ada")
    assert "小王" in await agent.say("你好", thread="b", user="ada", memory="read_only")
    assert "小王" not in await agent.say("你好", thread="c", user="ada", memory="off")
    await agent.say("我住在杭州", thread="d", user="ada", memory="read_only")
    assert "user.lives_in" not in await facts(agent, "ada")


async def test_a_second_message_in_the_thread_knows_the_first(agent: Agent) -> None:
    await agent.say("我的订单号是 #8844", thread="t", user="ada")
    assert "#8844" in await agent.say("它到哪了？", thread="t", user="ada")


async def test_background_writes_are_finished_by_the_drainer(agent: Agent) -> None:
    await agent.say("我对花生过敏", thread="t", user="ada", memory_writes="background")
    assert await agent.drainer.drain() + len(await waiting_turns(agent.store)) >= 0
    while await waiting_turns(agent.store):
        await agent.drainer.drain()
    assert (await facts(agent, "ada"))["user.allergy"] == ["花生"]
    episodes = await agent.store.asearch(("users", "ada", "_", "episodes"), limit=10)
    assert sorted(item.value["speaker"] for item in episodes) == ["assistant", "user"]


async def test_the_bare_graph_says_what_it_lacks() -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    with pytest.raises(NoStoreError, match="open_agent"):
        await graph.ainvoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id="ada"))


async def test_the_answer_comes_token_by_token(agent: Agent) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    pieces = [
        chunk.content
        async for chunk, about in agent.graph.astream(
            {"messages": [HumanMessage("你好，我住在杭州")]},
            config,
            context=Context(user_id="ada"),
            stream_mode="messages",
        )
        if isinstance(chunk, AIMessage)
    ]
    assert len(pieces) > 3
