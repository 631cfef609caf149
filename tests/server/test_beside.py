"""Other processes beside a server that runs: the command line, and whoever looks into the files."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from langgraph_sdk import get_client

from memory.ids import thread_id_of
from tests.server.client import Client
from tests.server.dev_server import DevServer

SETTINGS = {"EMBEDDINGS": "none"}

SERVER_NOTES_S = 12
"""The development server writes down every ten seconds which runs are done."""


async def jiyi(server: DevServer, *arguments: str) -> Any:
    """Run `jiyi … --json` beside the server and read what it prints."""
    done = await asyncio.to_thread(server.run, "jiyi", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def test_the_command_line_reads_what_the_server_wrote(client: Client, server: DevServer) -> None:
    await client.say("我住在杭州，我对花生过敏", user="ada")
    told = await jiyi(server, "facts", "--user", "ada")
    assert {fact["key"]: fact["value"] for fact in told["facts"]} == {"user.lives_in": "杭州", "user.allergy": "花生"}
    assert (await jiyi(server, "facts", "--user", "bob"))["facts"] == []


async def test_chat_in_the_terminal_and_the_server_share_one_memory(client: Client, server: DevServer) -> None:
    await client.say("叫我小王，我养了一只叫豆豆的猫", user="bea")
    told = await jiyi(server, "chat", "--user", "bea", "--message", "我的猫叫什么？", "--message", "我对花生过敏")
    assert "豆豆" in told["turns"][0]["reply"]
    assert "小王" in told["turns"][0]["reply"]
    assert "花生" in (await client.say("我对什么过敏？", user="bea")).reply


async def test_a_thread_begun_in_the_terminal_goes_on_over_the_server(client: Client, server: DevServer) -> None:
    await jiyi(server, "chat", "--user", "cid", "--thread", "orders", "--message", "我的订单号是 #8842")
    thread = thread_id_of("orders", user="cid")
    said = await client.say("它到哪了？", user="cid", thread=thread, if_not_exists="create")
    assert "#8842" in said.reply
    assert [one["content"] for one in said.values["messages"] if one["type"] == "human"] == [
        "我的订单号是 #8842",
        "它到哪了？",
    ]


async def test_the_health_check_finds_a_running_home_sound(client: Client, server: DevServer) -> None:
    await client.say("你好", user="dot")
    done = await asyncio.to_thread(server.run, "jiyi", "doctor")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
async def test_looking_into_the_files_takes_nothing_from_a_server_on_an_old_home(
    client: Client, server: DevServer
) -> None:
    """What a process closes last it also tidies up, so it must see that the server still has the file."""
    thread = (await client.say("我住在杭州", user="eve")).thread
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    async with get_client(url=server.url) as sdk:
        again = Client(sdk)
        for text in ("我对花生过敏", "我叫李雷"):
            look(server)
            await again.say(text, user="eve", thread=thread)
        assert look(server) == len(await again.sdk.threads.get_history(thread, limit=1000))
    await asyncio.sleep(SERVER_NOTES_S)  # a run that the server has not noted as done yet it does again after the kill
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    async with get_client(url=server.url) as sdk:
        said = await Client(sdk).say("我叫什么？", user="eve", thread=thread, if_not_exists="create")
        assert len([one for one in said.values["messages"] if one["type"] == "human"]) == 4


def look(server: DevServer) -> int:
    """Count the checkpoints of the home, as another process does: opened and closed again."""
    for name in ("memory.db", "threads.db", "orders.db"):
        path = server.home / name
        if path.exists():
            with closing(sqlite3.connect(path)) as file:
                file.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    with closing(sqlite3.connect(server.home / "threads.db")) as file:
        query = "SELECT COUNT(*) FROM checkpoints GROUP BY thread_id ORDER BY MAX(checkpoint_id) DESC LIMIT 1"
        return int(file.execute(query).fetchone()[0])
