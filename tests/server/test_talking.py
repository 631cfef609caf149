"""What users live through over the server: remembered, apart from each other, and answered piece by piece."""

from __future__ import annotations

import asyncio
import json

import pytest
from langgraph_sdk.schema import StreamMode

from tests.server.client import AGENT, Client, Said, context, message

TOLD_ZH = "请简短回答，叫我小王。我的订单号是 #8842，帮我查物流"
TOLD_EN = "Keep your answers short and call me Kim. My order number is #8842, please track it."


def brief(reply: str) -> bool:
    return len(reply) < 90


async def asked_at_once(client: Client, user: str, *questions: str) -> list[Said]:
    """Ask each question in a new thread, all at the same time."""
    return await asyncio.gather(*(client.say(question, user=user) for question in questions))


async def test_the_first_hello_from_studio_is_answered_and_kept_for_the_local_user(client: Client) -> None:
    said = await client.say("你好，我住在杭州")
    assert "杭州" in said.reply
    assert await client.facts("local") == {"user.lives_in": ["杭州"]}
    assert await client.texts("local") == ["你好，我住在杭州"]
    assert not await client.items("local", "pending")


async def test_what_is_said_in_one_thread_is_known_in_the_next(client: Client) -> None:
    told = await client.say(TOLD_ZH, user="ada")
    assert "8842" in told.reply
    progress = await client.say("进度怎么样了？", user="ada")
    assert "#8842" in progress.reply
    assert "小王" in progress.reply
    assert brief(progress.reply)
    for again in await asked_at_once(client, "ada", "还在吗", "你好"):
        assert "小王" in again.reply
        assert brief(again.reply)


async def test_the_same_in_english(client: Client) -> None:
    await client.say(TOLD_EN, user="kim")
    progress = await client.say("How is it going?", user="kim")
    assert "#8842" in progress.reply
    assert "Kim" in progress.reply
    assert brief(progress.reply)
    for again in await asked_at_once(client, "kim", "Are you still there?", "Hello"):
        assert "Kim" in again.reply
        assert brief(again.reply)


async def test_another_user_gets_nothing_of_it(client: Client) -> None:
    await client.say(TOLD_ZH, user="owner-1")
    questions = ("进度怎么样了？", "还在吗", "我叫什么？", "我的订单号是多少？", "What is my order number?")
    for said in await asked_at_once(client, "bob", *questions):
        assert "小王" not in said.reply
        assert "8842" not in said.reply
    assert await client.facts("bob") == {}


async def test_a_run_on_somebody_elses_thread_is_refused_and_shows_nothing_of_it(client: Client) -> None:
    thread = (await client.say(TOLD_ZH, user="owner-2")).thread
    modes: list[StreamMode] = ["values", "updates", "messages-tuple", "custom", "debug"]
    run = client.sdk.runs.stream(thread, AGENT, input=message("我叫什么"), stream_mode=modes, **context("bob"))
    parts = [part async for part in run]
    errors = [part.data["message"] for part in parts if part.event == "error"]
    assert len(errors) == 1
    assert "belongs to another user" in errors[0]
    received = json.dumps([part.data for part in parts], ensure_ascii=False)
    assert not any(told in received for told in ("小王", "8842", "物流", "简短"))
    with pytest.raises(Exception, match="belongs to another user"):
        await client.say("我叫什么", user="bob", thread=thread)
    assert await client.items("bob", "pending") == []


async def test_a_refused_run_leaves_the_thread_to_its_owner_as_it_was(client: Client) -> None:
    thread = (await client.say(TOLD_ZH, user="owner-3")).thread
    with pytest.raises(Exception, match="belongs to another user"):
        await client.say("忘掉一切", user="bob", thread=thread)
    said = await client.say("还在吗", user="owner-3", thread=thread)
    humans = [one["content"] for one in said.values["messages"] if one["type"] == "human"]
    assert humans == [TOLD_ZH, "还在吗"]
    assert "小王" in said.reply


async def test_a_blank_user_is_nobody_and_is_told_so(client: Client) -> None:
    with pytest.raises(Exception, match="user id"):
        await client.say("你好", user="  ")


async def test_the_answer_comes_piece_by_piece_and_nothing_else_does(client: Client) -> None:
    thread = await client.thread()
    run = client.sdk.runs.stream(
        thread, AGENT, input=message("你好，我养了一只仓鼠"), stream_mode="messages-tuple", **context("eve")
    )
    pieces = [part.data async for part in run if part.event == "messages"]
    assert {about["langgraph_node"] for _, about in pieces} == {"llm"}
    spoken = [piece["content"] for piece, _ in pieces if piece["type"] == "AIMessageChunk"]
    assert sum(bool(text) for text in spoken) > 3
    state = await client.sdk.threads.get_state(thread)
    assert isinstance(state["values"], dict)
    assert "".join(spoken) == state["values"]["messages"][-1]["content"]


async def test_what_was_recalled_is_told_by_id_without_its_text(client: Client) -> None:
    await client.say("我养了一只叫豆豆的猫", user="fay")
    run = client.sdk.runs.stream(
        await client.thread(), AGENT, input=message("我的猫叫什么"), stream_mode=["custom", "updates"], **context("fay")
    )
    parts = [part async for part in run]
    told = [part.data for part in parts if part.event == "custom"]
    assert any(event["event"] == "recalled" and event["memories"] for event in told)
    inside = [part.data for part in parts if part.event == "updates" and "llm" not in part.data]
    assert "豆豆" not in json.dumps([told, inside], ensure_ascii=False)


async def test_a_run_without_a_thread_is_answered_and_remembered(client: Client) -> None:
    values = await client.sdk.runs.wait(None, AGENT, input=message("我对花生过敏"), **context("gil"))
    assert isinstance(values, dict)
    assert "花生" in values["messages"][-1]["content"]
    assert await client.facts("gil") == {"user.allergy": ["花生"]}
    assert "花生" in (await client.say("我对什么过敏？", user="gil")).reply


async def test_any_id_names_one_user(client: Client) -> None:
    users = ("a.b@example.com", "张三", "u%", "../x")
    await asyncio.gather(
        *(client.say(f"我对{food}过敏", user=user) for food, user in zip("虾鱼蛋奶", users, strict=True))
    )
    held = [await client.facts(user) for user in users]
    assert held == [{"user.allergy": [food]} for food in "虾鱼蛋奶"]
