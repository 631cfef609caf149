"""Runs that do not come to their end by themselves: the user goes on, takes back, or is asked first."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from langgraph_sdk.errors import ConflictError
from langgraph_sdk.schema import MultitaskStrategy, Run

from tests.server.client import AGENT, Client, context, message
from tests.server.held_model import BEGINNING, END, NAME, HeldModel

pytestmark = pytest.mark.slow

TOLD = "我住在杭州，我对花生过敏"
FACTS = {"user.lives_in": ["杭州"], "user.allergy": ["花生"]}
SETTINGS = {"EMBEDDINGS": "none"}


@pytest.fixture
def held(held_model: HeldModel) -> HeldModel:
    held_model.hold()
    return held_model


async def begun(client: Client, held: HeldModel, thread: str, user: str) -> Run:
    """Start a run and come back when its answer has begun and is held."""
    run = await client.sdk.runs.create(thread, AGENT, input=message(TOLD), **context(user, model=NAME))
    assert await held.has_begun()
    return run


async def status(client: Client, thread: str, run: Run) -> str:
    return str((await client.sdk.runs.get(thread, run["run_id"]))["status"])


async def humans(client: Client, thread: str) -> list[str]:
    state = await client.sdk.threads.get_state(thread)
    assert isinstance(state["values"], dict)
    return [one["content"] for one in state["values"]["messages"] if one["type"] == "human"]


async def test_a_remote_model_answers_through_the_same_graph(client: Client, held: HeldModel) -> None:
    held.let_go()
    said = await client.say(TOLD, user="remote", **context("remote", model=NAME))
    assert said.reply == BEGINNING + END
    assert await client.facts("remote") == FACTS


async def test_what_was_said_before_the_user_interrupted_is_kept(client: Client, held: HeldModel) -> None:
    thread = await client.thread()
    first = await begun(client, held, thread, "ada")
    said = await client.say("你好", user="ada", thread=thread, multitask_strategy="interrupt")
    assert said.reply
    assert await status(client, thread, first) == "interrupted"
    assert await humans(client, thread) == [TOLD, "你好"]
    assert await client.settled("ada")
    assert await client.facts("ada") == FACTS
    assert await client.texts("ada") == sorted([TOLD, "你好"])


async def test_what_was_said_to_a_cancelled_run_waits_and_is_kept_with_the_next_message(
    client: Client, held: HeldModel
) -> None:
    thread = await client.thread()
    run = await begun(client, held, thread, "bea")
    await client.sdk.runs.cancel(thread, run["run_id"], wait=True)
    assert [one["text"] for one in await client.items("bea", "pending")] == [TOLD]
    await client.say("你好", user="bea", thread=thread)
    assert await client.facts("bea") == FACTS
    assert await client.settled("bea")


async def test_a_run_that_is_rolled_back_is_gone_and_the_next_is_answered(client: Client, held: HeldModel) -> None:
    thread = await client.thread()
    await begun(client, held, thread, "cid")
    said = await client.say("你好", user="cid", thread=thread, multitask_strategy="rollback")
    assert said.reply
    assert await humans(client, thread) == ["你好"]
    assert await client.settled("cid")
    again = await client.say("在吗", user="cid", thread=thread)
    assert again.reply


@pytest.mark.parametrize("strategy", ["enqueue", "reject"])
async def test_a_second_message_waits_or_is_refused(
    client: Client, held: HeldModel, strategy: MultitaskStrategy
) -> None:
    user, thread = f"dot-{strategy}", await client.thread()
    first = await begun(client, held, thread, user)
    options: dict[str, Any] = {"input": message("你好"), "multitask_strategy": strategy, **context(user)}
    if strategy == "reject":
        with pytest.raises(ConflictError):
            await client.sdk.runs.create(thread, AGENT, **options)
        held.let_go()
        await client.sdk.runs.join(thread, first["run_id"])
    else:
        second = await client.sdk.runs.create(thread, AGENT, **options)
        held.let_go()
        await client.sdk.runs.join(thread, second["run_id"])
        assert await humans(client, thread) == [TOLD, "你好"]
    assert await client.facts(user) == FACTS
    assert max(Counter(await client.texts(user)).values()) == 1


async def test_a_side_effect_waits_for_the_users_word(client: Client) -> None:
    thread = await client.thread()
    await client.sdk.runs.wait(thread, AGENT, input=message("取消订单 #8843"), **context("eva"))
    (asked,) = (await client.sdk.threads.get_state(thread))["interrupts"]
    assert asked["value"]["kind"] == "consent"
    assert "8843" in asked["value"]["zh"]
    assert "8843" in asked["value"]["en"]
    assert "已取消" not in (await client.say("#8843 发货了吗", user="eva")).reply
    done = await client.sdk.runs.wait(thread, AGENT, command={"resume": "好的"}, **context("eva"))
    assert isinstance(done, dict)
    assert "取消" in done["messages"][-1]["content"]
    assert (await client.sdk.threads.get_state(thread))["interrupts"] == []
    assert "已取消" in (await client.say("#8843 发货了吗", user="eva")).reply


async def test_a_no_changes_nothing(client: Client) -> None:
    thread = await client.thread()
    await client.sdk.runs.wait(thread, AGENT, input=message("取消订单 #8843"), **context("fay"))
    await client.sdk.runs.wait(thread, AGENT, command={"resume": "不要"}, **context("fay"))
    assert "已取消" not in (await client.say("#8843 发货了吗", user="fay")).reply


async def test_nobody_else_can_give_the_users_word(client: Client) -> None:
    thread = await client.thread()
    await client.sdk.runs.wait(thread, AGENT, input=message("取消订单 #8843"), **context("gus"))
    with pytest.raises(Exception, match="belongs to another user"):
        await client.sdk.runs.wait(thread, AGENT, command={"resume": "好的"}, **context("bob"))
    assert "已取消" not in (await client.say("#8843 发货了吗", user="gus")).reply


async def test_what_was_said_with_a_question_that_waits_is_kept_once_it_is_answered(client: Client) -> None:
    thread = await client.thread()
    await client.sdk.runs.wait(thread, AGENT, input=message("我对花生过敏。取消订单 #8843"), **context("hal"))
    await client.sdk.runs.wait(thread, AGENT, command={"resume": True}, **context("hal"))
    assert (await client.facts("hal"))["user.allergy"] == ["花生"]
    assert await client.settled("hal")
    assert await client.texts("hal") == ["我对花生过敏。取消订单 #8843"]
