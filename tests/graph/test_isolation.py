"""Nobody ever gets anything of another user, however their ids look and whatever is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, HashEmbedder
from memory.ids import thread_id_of
from memory.namespaces import BlankIdError, Owner, user_root
from store.checkpoint_owners import IdentityError
from store.exchanges import exchanges_around
from store.profile import facts_of
from store.scopes import path_of

USERS = (
    "acme",
    "acme-corp",
    "u_1",
    "uA1",
    "u%",
    "张三",
    "张三丰",
    "a.b@c.com",
    "../x",
    "0",
    "~",
    "😀",
    "x" * 200,
    "langgraph",
    "users",
    "'; DROP TABLE items; --",
    "ada ",
    " ada",
    "Ada",
    "a\nda",
    "\u202eאדא",
    "acme.pending",
    "*",
)
QUESTIONS = (
    "我的小船是什么？",
    "Where is my boat? 小船",
    "你知道我的什么？",
    "acme 和 张三 的小船是什么",
    "users . % * ~ ../ _ pending episodes",
)


@asynccontextmanager
async def opened(home: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", jiyi_home=home)
    async with open_agent(chosen=chosen, clock=clock, embedder=HashEmbedder()) as agent:
        yield agent


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    async with opened(tmp_path / "home", clock) as one:
        yield one


def secret_of(user: str) -> str:
    return f"kingfisher{USERS.index(user):02d}"


def secrets_in(text: object) -> set[str]:
    return {secret_of(user) for user in USERS if secret_of(user) in str(text)}


async def tell(agent: Agent, user: str) -> str:
    return await agent.say(f"记住我的小船停在 {secret_of(user)}", user=user, thread="same")


async def everything_read(agent: Agent, user: str, question: str) -> list[object]:
    """Give what the reply, recall, the facts, the prompts' exchanges and the store's own interface show a user."""
    reply = await agent.say(question, user=user, thread="asking")
    found = await agent.recall(question, user=user, gated=False, limit=50)
    facts = await facts_of(agent.store, Owner(user=user), active_only=False)
    exchanges = await exchanges_around(agent.store, Owner(user=user), [(one.agent, one.id) for one in found])
    items = await agent.store.asearch(user_root(user), query=question, limit=500)
    listed = await agent.store.asearch(user_root(user), limit=500)
    return [reply, found, facts, exchanges, items, listed]


@pytest.mark.parametrize("question", QUESTIONS)
async def test_of_many_users_each_gets_their_own_word_and_nobody_elses(agent: Agent, question: str) -> None:
    for user in USERS:
        await tell(agent, user)
    for user in USERS:
        seen = await everything_read(agent, user, question)
        assert secrets_in(seen) == {secret_of(user)}, user


async def test_users_who_speak_at_the_same_time_are_kept_apart(agent: Agent) -> None:
    await asyncio.gather(*(tell(agent, user) for user in USERS))
    replies = await asyncio.gather(*(agent.say(QUESTIONS[0], user=user, thread="same") for user in USERS))
    for user, reply in zip(USERS, replies, strict=True):
        assert secrets_in(reply) == {secret_of(user)}, user
        facts = await facts_of(agent.store, Owner(user=user))
        assert [fact.value for fact in facts] == [f"我的小船停在 {secret_of(user)}"], user


async def test_users_may_use_the_same_thread_name(agent: Agent) -> None:
    for user in USERS:
        await tell(agent, user)
    threads = {thread_id_of("same", user=user) for user in USERS}
    assert len(threads) == len(USERS)
    for user in USERS:
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("same", user=user)}}
        state = await agent.graph.aget_state(config)
        assert secrets_in(state.values["messages"]) == {secret_of(user)}


async def test_the_places_of_different_users_never_overlap(agent: Agent) -> None:
    for user in USERS:
        await tell(agent, user)
    held = {path for namespace in await agent.store.alist_namespaces(limit=1000) for path in [path_of(namespace)]}
    for user in USERS:
        mine = {path for path in held if path.startswith(path_of(user_root(user)))}
        items = await agent.store.asearch(user_root(user), limit=1000)
        assert {path_of(item.namespace) for item in items} == mine, user


@pytest.mark.parametrize("user", ["", "   ", "\n", "\u3000", None, 0, 1, b"ada", ["ada"], "\ud800", "ada\udfff"])
async def test_nobody_in_particular_is_refused_everywhere(agent: Agent, user: Any) -> None:
    await tell(agent, "acme")
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="x")}}
    with pytest.raises(BlankIdError):
        await agent.say(QUESTIONS[0], user=user, thread="t")
    with pytest.raises(BlankIdError):
        await agent.graph.ainvoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id=user))
    with pytest.raises(BlankIdError):
        await agent.remember("记住我的小船停在 x", user=user)
    with pytest.raises(BlankIdError):
        await agent.recall("小船", user=user)
    with pytest.raises(BlankIdError):
        user_root(user)
    assert (await agent.graph.aget_state(config)).values == {}


async def test_a_run_without_any_context_is_refused_too(agent: Agent) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="x")}}
    with pytest.raises(BlankIdError):
        await agent.graph.ainvoke({"messages": [HumanMessage("hi")]}, config)


@pytest.mark.parametrize("agent_said", ["_", "acme", "../acme/_", "users.acme._", "%", ""])
async def test_anothers_memory_named_in_ones_own_threads_state_is_not_shown(agent: Agent, agent_said: str) -> None:
    """The state of one's own thread can be edited; that must not open another user's memory."""
    await tell(agent, "acme")
    (hers,) = [one for one in await agent.recall("小船", user="acme") if one.speaker == "user"]
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("mine", user="uA1"), "jiyi_user": "uA1"}}
    await agent.say("今天有点累", user="uA1", thread="mine")
    edited = {
        "messages": [HumanMessage("我的小船是什么？")],
        "recalled": [{"id": hers.id, "agent": agent_said, "score": 1.0}],
    }
    moved = await agent.graph.aupdate_state(config, edited, as_node="inject_skills")
    assert (await agent.graph.aget_state(moved)).next == ("llm",)
    result = await agent.graph.ainvoke(None, moved, context=Context(user_id="uA1"))
    assert secrets_in(result["messages"]) == set()
    assert await exchanges_around(agent.store, Owner(user="uA1"), [(agent_said, hers.id)]) == []
    assert len(await exchanges_around(agent.store, Owner(user="acme"), [(hers.agent, hers.id)])) == 1


async def test_another_agents_memory_named_in_a_threads_state_is_not_shown_either(agent: Agent) -> None:
    await agent.say("记住我的小船停在 kingfisher00", user="acme", thread="t", agent="butler")
    (hers, *_) = await agent.recall("小船", user="acme", agent="butler")
    assert await exchanges_around(agent.store, Owner(user="acme", agent="coach"), [("butler", hers.id)]) == []


async def test_anothers_thread_can_be_neither_continued_nor_resumed(agent: Agent) -> None:
    await agent.say("取消订单 #8843", user="acme", thread="t")
    thread = thread_id_of("t", user="acme")
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    before = await agent.graph.aget_state(config)
    for text in ("好的", "我的小船是什么？"):
        with pytest.raises(IdentityError):
            await agent.say(text, user="uA1", thread=thread)
    after = await agent.graph.aget_state(config)
    assert after.interrupts
    assert after == before


async def test_an_agents_own_memories_are_not_another_agents(agent: Agent) -> None:
    await agent.say("记住我的小船停在 kingfisher00", user="acme", thread="t", agent="butler")
    assert await facts_of(agent.store, Owner(user="acme", agent="coach")) == ()
    assert await agent.recall("小船", user="acme", agent="coach") == ()
    assert secrets_in(await agent.recall("小船", user="acme", agent="butler")) == {"kingfisher00"}


async def test_the_same_words_of_two_users_leave_no_common_id(agent: Agent) -> None:
    for user in ("acme", "uA1"):
        await agent.say("我对花生过敏", user=user, thread="t")
        await agent.remember("我对花生过敏", user=user)
    kept = {
        user: {
            item.key
            for kind in ("facts", "evidence")
            for item in await agent.store.asearch(("users", user, "_", kind), limit=50)
        }
        for user in ("acme", "uA1")
    }
    assert kept["acme"]
    assert kept["acme"] & kept["uA1"] == set()
