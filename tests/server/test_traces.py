"""Where what was said stands on the disk once a server has ended: every byte of its home and of its own files."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph_sdk import get_client

from tests.server.client import Client, Said
from tests.server.dev_server import DevServer
from tests.server.held_model import HeldModel

USER, PET = "quiet-otter", "阿布咕噜"
PHONE, EMAIL = "13800138000", "hidden.owl@example.com"
TOLD = f"我养了一只叫{PET}的龙猫"
NUMBERS = f"我的手机号是 {PHONE}，邮箱是 {EMAIL}，请记住"


@dataclass(frozen=True, kw_only=True)
class Left:
    """What a server left behind, the threads in which something was said, and what it shows of each thread."""

    home: Path
    own: Path
    log: Path
    told: Said
    numbers: Said
    greeted: Said
    asked: Said
    shown: Mapping[str, Mapping[str, Any]]

    def files_with(self, text: str) -> set[str]:
        """Name the files that hold a text, those of the server itself with their folder; logs count to the database."""
        found = [path for place in (self.home, self.own) for path in place.rglob("*") if path.is_file()]
        held = {path for path in found if text.encode() in path.read_bytes() or escaped(text) in path.read_bytes()}
        return {path.name.removesuffix("-wal").removesuffix("-shm") for path in held}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory, held_model: HeldModel) -> Left:
    """Let a user say what is looked for, end the server, and give what it left."""
    with DevServer(tmp_path_factory.mktemp("traces"), **held_model.settings).running() as server:
        return asyncio.run(_talk(server))


async def _talk(server: DevServer) -> Left:
    async with get_client(url=server.url) as sdk:
        client = Client(sdk)
        told = await client.say(TOLD, user=USER)
        numbers = await client.say(NUMBERS, user=USER)
        greeted = await client.say("你好，今天过得怎么样", user=USER)
        asked = await client.say("我的龙猫叫什么名字", user=USER)
        shown = {str(one["thread_id"]): one["values"] for one in await sdk.threads.search(limit=100)}
    return Left(
        home=server.home,
        own=server.folder / ".langgraph_api",
        log=server.log,
        told=told,
        numbers=numbers,
        greeted=greeted,
        asked=asked,
        shown={thread: values for thread, values in shown.items() if isinstance(values, dict)},
    )


def escaped(text: str) -> bytes:
    """Give a text as JSON without Unicode has it."""
    return text.encode("ascii", "backslashreplace")


def rows_with(left: Left, text: str) -> Iterator[tuple[str, str]]:
    """Name the thread and the channel of every row of the threads' file that holds a text."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    with closing(sqlite3.connect(left.home / "threads.db")) as file:
        for thread, kind, blob, about in file.execute("SELECT thread_id, type, checkpoint, metadata FROM checkpoints"):
            values = serde.loads_typed((kind, blob))["channel_values"]
            yield from ((thread, channel) for channel, value in values.items() if text in str(value))
            if text.encode() in about or escaped(text) in about:
                yield thread, "metadata"
        for thread, channel, kind, blob in file.execute("SELECT thread_id, channel, type, value FROM writes"):
            if blob and text in str(serde.loads_typed((kind, blob))):
                yield thread, channel


def test_what_is_remembered_stands_in_the_memory_the_threads_and_the_servers_own_record(left: Left) -> None:
    assert PET in left.asked.reply
    assert left.files_with(PET) == {"memory.db", "threads.db", ".langgraph_ops.pckl"}


def test_a_number_that_was_typed_stands_in_its_thread_and_is_remembered_nowhere(left: Left) -> None:
    for typed in (PHONE, EMAIL):
        assert left.files_with(typed) == {"threads.db", ".langgraph_ops.pckl"}
        assert {thread for thread, _ in rows_with(left, typed)} == {left.numbers.thread}


def test_in_the_threads_it_stands_in_messages_only_and_only_where_it_was_said_or_quoted(left: Left) -> None:
    found = set(rows_with(left, PET))
    assert {thread for thread, _ in found} == {left.told.thread, left.asked.thread}
    assert {channel for _, channel in found} <= {"messages", "__start__"}


def test_the_server_shows_of_each_thread_its_own_messages_only(left: Left) -> None:
    assert set(left.shown) == {said.thread for said in (left.told, left.numbers, left.greeted, left.asked)}
    assert not [said for said in (left.greeted, left.numbers) if PET in str(left.shown[said.thread])]
    for values in left.shown.values():
        beside = str({channel: value for channel, value in values.items() if channel != "messages"})
        assert not any(text in beside for text in (PET, PHONE, EMAIL))


def test_the_log_says_nothing_of_what_was_said_nor_by_whom(left: Left) -> None:
    log = left.log.read_text(encoding="utf-8", errors="replace")
    assert "Background run succeeded" in log
    assert not [text for text in (PET, PHONE, EMAIL, USER) if text in log]


def test_the_threads_do_not_say_in_clear_whose_they_are(left: Left) -> None:
    """What was recalled still says where it stands, which names the user; everything else does not."""
    assert {channel for _, channel in rows_with(left, USER)} <= {"recalled"}


def test_everything_in_the_home_is_the_owners_alone(left: Left) -> None:
    assert [path.name for path in [left.home, *left.home.rglob("*")] if path.stat().st_mode & 0o077] == []
