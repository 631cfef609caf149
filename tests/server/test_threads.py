"""Threads over the SDK: their history, edits, forks and copies, and that a deleted one is gone from the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
from langgraph_sdk.schema import ThreadState

from tests.server.client import AGENT, Client, context, message
from tests.server.dev_server import DevServer

TABLES = ("checkpoints", "writes", "checkpoint_marks", "thread_owners")
SETTINGS = {"EMBEDDINGS": "none"}


def messages(state: ThreadState) -> list[dict[str, Any]]:
    assert isinstance(state["values"], dict)
    return list(state["values"].get("messages", []))


def humans(state: ThreadState) -> list[str]:
    return [one["content"] for one in messages(state) if one["type"] == "human"]


def rows(server: DevServer, threads: Sequence[str]) -> list[int]:
    with closing(sqlite3.connect(server.home / "threads.db")) as file:
        return [sum(_counted(file, table, threads)) for table in TABLES]


def _counted(file: sqlite3.Connection, table: str, threads: Sequence[str]) -> Iterator[int]:
    for thread in threads:
        yield file.execute(f"SELECT COUNT(*) FROM {table} WHERE thread_id = ?", (thread,)).fetchone()[0]  # noqa: S608


async def two_turns(client: Client, user: str) -> str:
    thread = (await client.say("我住在杭州", user=user)).thread
    await client.say("我对花生过敏", user=user, thread=thread)
    return thread


async def test_a_thread_shows_its_history(client: Client) -> None:
    thread = await two_turns(client, "ada")
    history = await client.sdk.threads.get_history(thread, limit=100)
    assert humans(history[0]) == ["我住在杭州", "我对花生过敏"]
    assert any(humans(state) == ["我住在杭州"] and not state["next"] for state in history)


async def test_a_fork_goes_on_from_an_earlier_moment(client: Client) -> None:
    thread = await two_turns(client, "bea")
    history = await client.sdk.threads.get_history(thread, limit=100)
    earlier = next(state for state in history if humans(state) == ["我住在杭州"] and not state["next"])
    forked = await client.say("我养了一只猫", user="bea", thread=thread, checkpoint=earlier["checkpoint"])
    assert [one["content"] for one in forked.values["messages"] if one["type"] == "human"] == [
        "我住在杭州",
        "我养了一只猫",
    ]
    assert (await client.facts("bea"))["user.allergy"] == ["花生"]


async def test_an_edited_state_is_what_the_next_turn_sees(client: Client) -> None:
    thread = (await client.say("我的订单号是 #8842", user="cid")).thread
    first = messages(await client.sdk.threads.get_state(thread))[0]
    edited = {**first, "content": "我的订单号是 #8844"}
    await client.sdk.threads.update_state(thread, {"messages": [edited]})
    assert humans(await client.sdk.threads.get_state(thread)) == ["我的订单号是 #8844"]
    assert "#8844" in (await client.say("它到哪了？", user="cid", thread=thread)).reply


async def test_a_copy_has_the_owner_of_what_it_was_copied_from(client: Client) -> None:
    thread = await two_turns(client, "dot")
    copied: Any = await client.sdk.threads.copy(thread)  # type: ignore[func-returns-value]  # it does give the copy
    copy = str(copied["thread_id"])
    assert humans(await client.sdk.threads.get_state(copy)) == ["我住在杭州", "我对花生过敏"]
    with pytest.raises(Exception, match="belongs to another user"):
        await client.say("我说了什么", user="bob", thread=copy)
    on = await client.say("你好", user="dot", thread=copy)
    assert len(on.values["messages"]) == 6
    assert len(humans(await client.sdk.threads.get_state(thread))) == 2


async def test_a_deleted_thread_leaves_no_row_and_what_was_remembered_stays(client: Client, server: DevServer) -> None:
    thread = await two_turns(client, "eve")
    assert all(rows(server, [thread]))
    await client.sdk.threads.delete(thread)
    assert rows(server, [thread]) == [0, 0, 0, 0]
    assert await client.facts("eve") == {"user.lives_in": ["杭州"], "user.allergy": ["花生"]}


async def test_a_run_without_a_thread_leaves_no_row(client: Client, server: DevServer) -> None:
    values = await client.sdk.runs.wait(None, AGENT, input=message("我叫李雷"), **context("fay"))
    assert isinstance(values, dict)
    (episode,) = [one for one in await client.items("fay", "episodes") if one["speaker"] == "user"]
    assert rows(server, [episode["thread_id"]]) == [0, 0, 0, 0]


async def test_memory_can_be_left_alone_for_a_run(client: Client) -> None:
    await client.say("叫我小王", user="gus")
    for use, knows in (("read_only", True), ("off", False)):
        reply = (await client.say("你好", user="gus", **context("gus", memory=use))).reply
        assert ("小王" in reply) is knows
    assert await client.texts("gus") == ["叫我小王"]


async def test_upkeep_is_run_over_the_server_too(client: Client) -> None:
    await two_turns(client, "hal")
    values = await client.sdk.runs.wait(None, "sleep", input={}, **context("hal"))
    assert isinstance(values, dict)
    assert values["changes"] == []
