"""A server that is killed in the middle of a turn: nothing is lost, nothing is there twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from langgraph_sdk import get_client

from tests.server.client import AGENT, Client, becomes_true, context, message
from tests.server.dev_server import DevServer
from tests.server.held_model import NAME, HeldModel

pytestmark = pytest.mark.slow

TOLD = "我住在杭州，我对花生过敏"
FACTS = {"user.lives_in": ["杭州"], "user.allergy": ["花生"]}
SETTINGS = {"EMBEDDINGS": "none"}
FLUSHED_S = 11.0
"""The server writes its own record of runs to its file every ten seconds; what it knows then, it takes up again."""


@pytest.fixture
def held(held_model: HeldModel) -> HeldModel:
    held_model.hold()
    return held_model


@asynccontextmanager
async def client_of(server: DevServer) -> AsyncIterator[Client]:
    async with get_client(url=server.url) as sdk:
        yield Client(sdk)


async def held_in_mid_answer(client: Client, held: HeldModel, user: str) -> str:
    thread = await client.thread()
    told = message(TOLD, id="m1")
    run = client.sdk.runs.stream(thread, AGENT, input=told, stream_mode="messages-tuple", **context(user, model=NAME))
    async for part in run:
        if part.event == "messages":
            break
    assert await held.has_begun()
    return thread


async def restarted(server: DevServer) -> None:
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)


async def all_is_kept_once(client: Client, user: str) -> None:
    async def kept() -> bool:
        return await client.facts(user) == FACTS and not await client.items(user, "pending")

    assert await becomes_true(kept)
    assert await client.texts(user) == [TOLD]
    assert len(await client.items(user, "evidence")) == len(FACTS)


async def test_a_turn_killed_while_it_is_answered_is_kept_once(server: DevServer, held: HeldModel) -> None:
    async with client_of(server) as client:
        thread = await held_in_mid_answer(client, held, "ada")
    await restarted(server)
    held.let_go()
    async with client_of(server) as client:
        await all_is_kept_once(client, "ada")
        await client.say(TOLD, id="m1", user="ada", thread=thread, if_not_exists="create")
        await all_is_kept_once(client, "ada")
        assert "花生" in (await client.say("我对什么过敏？", user="ada")).reply


async def test_a_run_that_the_server_takes_up_again_writes_nothing_twice(server: DevServer, held: HeldModel) -> None:
    async with client_of(server) as client:
        thread = await held_in_mid_answer(client, held, "bea")
        await asyncio.sleep(FLUSHED_S)
    await restarted(server)
    held.let_go()
    async with client_of(server) as client:
        await all_is_kept_once(client, "bea")
        (run,) = await client.sdk.runs.list(thread)
        await client.sdk.runs.join(thread, run["run_id"])
        await all_is_kept_once(client, "bea")
        state = await client.sdk.threads.get_state(thread)
        assert isinstance(state["values"], dict)
        assert [one["type"] for one in state["values"]["messages"]] == ["human", "ai"]


async def test_a_run_killed_before_it_began_is_sent_again_without_harm(server: DevServer) -> None:
    async with client_of(server) as client:
        thread = await client.thread()
        await client.sdk.runs.create(thread, AGENT, input=message(TOLD, id="m1"), **context("cid"))
    await restarted(server)
    async with client_of(server) as client:
        kept = await client.texts("cid")
        assert kept in ([], [TOLD])
        await client.say(TOLD, id="m1", user="cid", thread=thread, if_not_exists="create")
        await all_is_kept_once(client, "cid")


async def test_what_was_answered_is_there_after_a_kill(server: DevServer) -> None:
    async with client_of(server) as client:
        thread = (await client.say(TOLD, user="dot")).thread
    await restarted(server)
    async with client_of(server) as client:
        await all_is_kept_once(client, "dot")
        said = await client.say("我对什么过敏？", user="dot", thread=thread, if_not_exists="create")
        humans = [one["content"] for one in said.values["messages"] if one["type"] == "human"]
        assert humans == [TOLD, "我对什么过敏？"]
        assert "花生" in said.reply
