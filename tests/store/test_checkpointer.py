from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import logging
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import tool_call
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance.initializer import checkpointer_test
from langgraph.checkpoint.conformance.validate import validate

from store.checkpoint_owners import IdentityError, context_user
from store.checkpointer import ThreadSaver, open_saver
from store.errors import NewerDataError
from tests.store.checkpoint_graph import bytes_in, conversation, ids_of, said_in, say

ROOT = Path(__file__).parents[2]


def owner_of(user: str) -> str:
    return hmac.new(b"key", user.encode(), hashlib.sha256).hexdigest()


@pytest.fixture
async def saver(tmp_path: Path) -> AsyncIterator[ThreadSaver]:
    async with open_saver(tmp_path / "threads" / "threads.db", owner_of=owner_of) as opened:
        yield opened


async def test_every_capability_of_a_checkpointer_passes(tmp_path: Path) -> None:
    places = itertools.count()

    async def fresh() -> AsyncIterator[ThreadSaver]:
        async with open_saver(tmp_path / f"{next(places)}" / "threads.db", owner_of=owner_of) as one:
            yield one

    report = await validate(checkpointer_test(name="ThreadSaver")(fresh))
    assert {name: result.failures for name, result in report.results.items() if not result.passed} == {}
    assert len(report.results) == 8


@dataclass
class Stranger:
    name: str


async def test_messages_come_back_as_they_were_without_a_warning(
    saver: ThreadSaver, caplog: pytest.LogCaptureFixture
) -> None:
    call = tool_call(name="track", args={"order": "#8842"}, id="call-1")
    messages: list[BaseMessage] = [
        SystemMessage("你好", id="1"),
        HumanMessage([{"type": "text", "text": "看图"}, {"type": "image_url", "image_url": "data:,x"}], id="2"),
        AIMessage("", id="3", tool_calls=[call], usage_metadata=None),
        ToolMessage("delivered", tool_call_id="call-1", id="4"),
    ]
    with caplog.at_level(logging.DEBUG):
        assert saver.serde.loads_typed(saver.serde.dumps_typed(messages)) == messages
    assert [record for record in caplog.records if record.name != "aiosqlite"] == []


async def test_other_classes_are_not_brought_back_to_life(saver: ThreadSaver) -> None:
    assert saver.serde.loads_typed(saver.serde.dumps_typed(Stranger("x"))) == {"name": "x"}


async def test_a_run_stamps_its_users_owner_on_every_checkpoint(saver: ThreadSaver, tmp_path: Path) -> None:
    await say(conversation(saver), "你好", user="小王@example.com")
    stamped = [found.metadata async for found in saver.alist({"configurable": {"thread_id": "thread"}})]
    assert len(stamped) == 5
    assert all(dict(metadata)["owner"] == owner_of("小王@example.com") for metadata in stamped)
    assert await saver.owner_of_thread("thread") == owner_of("小王@example.com")
    assert "小王@example.com".encode() not in bytes_in(tmp_path / "threads")


async def test_a_user_named_by_the_caller_owns_and_is_not_written(saver: ThreadSaver, tmp_path: Path) -> None:
    await say(conversation(saver), "hello", jiyi_user="ada@example.com", durability="exit")
    assert await saver.owner_of_thread("thread") == owner_of("ada@example.com")
    assert b"ada@example.com" not in bytes_in(tmp_path / "threads")


async def test_whom_the_runtime_names_counts_more_than_whom_the_caller_names(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello", user="ada", jiyi_user="bob")
    assert await saver.owner_of_thread("thread") == owner_of("ada")


async def test_the_runtime_is_read_as_told(tmp_path: Path) -> None:
    def loud(runtime: Any) -> str:
        return str(runtime.context.user_id).upper()

    async with open_saver(tmp_path / "threads.db", owner_of=owner_of, user_of=loud) as saver:
        await say(conversation(saver), "hello", user="ada")
        assert await saver.owner_of_thread("thread") == owner_of("ADA")


@pytest.mark.parametrize(
    ("runtime", "user"),
    [
        (None, None),
        (SimpleNamespace(context=None), None),
        (SimpleNamespace(context=SimpleNamespace(user_id=" ")), None),
        (SimpleNamespace(context={"user_id": "小李"}), "小李"),
        (SimpleNamespace(context=SimpleNamespace(user_id="小李")), "小李"),
    ],
)
def test_a_context_names_its_user_or_nobody(runtime: Any, user: str | None) -> None:
    assert context_user(runtime) == user


async def test_an_edit_from_outside_a_run_inherits_the_owner(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    await say(graph, "hello", user="ada")
    config = await graph.aupdate_state(
        {"configurable": {"thread_id": "thread"}}, {"messages": [HumanMessage("edited", id="edit")]}
    )
    edited = await saver.aget_tuple(config)
    assert edited is not None
    assert dict(edited.metadata)["owner"] == owner_of("ada")


@pytest.mark.parametrize("durability", ["async", "exit"])
async def test_another_users_run_neither_reads_nor_writes(saver: ThreadSaver, durability: Any) -> None:
    graph = conversation(saver)
    await say(graph, "my secret", user="ada")
    before = await ids_of(saver)
    with pytest.raises(IdentityError, match="belongs to another user"):
        await say(graph, "what was said?", user="bob", durability=durability)
    assert await ids_of(saver) == before
    assert await say(graph, "and more", user="ada") == ["my secret", "and more"]


async def test_another_users_checkpoint_is_refused_even_without_a_read(saver: ThreadSaver) -> None:
    await saver.claim_thread("thread", "ada")
    config = {"configurable": {"thread_id": "thread", "checkpoint_ns": "", "jiyi_user": "bob"}}
    with pytest.raises(IdentityError):
        await saver.aput(config, empty_checkpoint(), {}, {})  # type: ignore[arg-type]
    assert await ids_of(saver) == []


async def test_a_thread_of_nobody_goes_to_the_first_who_is_named(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    await say(graph, "hello")
    assert await saver.owner_of_thread("thread") is None
    await say(graph, "it is me", user="ada")
    assert await saver.owner_of_thread("thread") == owner_of("ada")


async def test_a_claim_is_kept_and_told(saver: ThreadSaver) -> None:
    assert await saver.claim_thread("thread", "ada")
    assert await saver.claim_thread("thread", "ada")
    assert not await saver.claim_thread("thread", "bob")
    with pytest.raises(ValueError, match="user id"):
        await saver.claim_thread("thread", " ")


async def test_of_two_who_claim_at_once_one_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    async with open_saver(path, owner_of=owner_of) as one, open_saver(path, owner_of=owner_of) as other:
        for turn in range(20):
            claims = await asyncio.gather(one.claim_thread(f"t{turn}", "ada"), other.claim_thread(f"t{turn}", "bob"))
            assert sorted(claims) == [False, True]


async def test_a_users_threads_are_found_the_last_written_first(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    for thread in ("monday", "tuesday", "monday"):
        await say(graph, f"on {thread}", thread=thread, user="小王")
    await say(graph, "mine", thread="other", user="小李")
    assert await saver.threads_of(owner_of("小王")) == ["monday", "tuesday"]
    assert await saver.threads_of(owner_of("nobody")) == []


async def test_a_deleted_thread_is_gone_from_the_file_and_free_for_others(saver: ThreadSaver, tmp_path: Path) -> None:
    graph = conversation(saver)
    await say(graph, "秘密 8842", user="ada")
    await saver.adelete_thread("thread")
    assert await saver.scrub()
    assert "秘密 8842".encode() not in bytes_in(tmp_path / "threads")
    assert await saver.threads_of(owner_of("ada")) == []
    assert await saver.claim_thread("thread", "bob")


async def test_the_saver_can_be_used_while_its_checkpoints_are_listed(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello")
    async for found in saver.alist({"configurable": {"thread_id": "thread"}}):
        assert await saver.aget_tuple(found.config) == found
        break
    assert await saver.claim_thread("thread", "ada")


async def test_a_blank_user_is_an_error_and_not_everybody(saver: ThreadSaver) -> None:
    with pytest.raises(ValueError, match="user id"):
        await say(conversation(saver), "hello", jiyi_user="")
    assert await ids_of(saver) == []


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
async def test_only_the_owner_of_the_account_may_read_the_files(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with open_saver(tmp_path / "new" / "threads.db", owner_of=owner_of) as saver:
            await say(conversation(saver), "hello")
            files = list((tmp_path / "new").iterdir())
            assert len(files) == 3
            assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
            assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


async def test_a_cancelled_write_is_whole_and_leaves_the_file_free(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    config: Any = {"configurable": {"thread_id": "thread", "checkpoint_ns": "", "jiyi_user": "ada"}}
    async with open_saver(path, owner_of=owner_of) as one, open_saver(path, owner_of=owner_of) as other:
        for pause in range(6):
            writing = asyncio.create_task(one.aput(config, empty_checkpoint(), {}, {}))
            await asyncio.sleep(pause / 5000)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            assert await other.claim_thread(f"free {pause}", "bob")
        async with one.lock:
            assert not one.conn.in_transaction


WRITER = """
import asyncio, sys
from pathlib import Path
from store.checkpointer import open_saver
from tests.store.checkpoint_graph import conversation, say

async def main(path, name):
    async with open_saver(Path(path), owner_of=str.upper) as saver:
        graph = conversation(saver)
        for turn in range(15):
            await say(graph, f"{name} {turn}", thread=name, user=name)
            await saver.claim_thread("shared", name)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_several_processes_open_and_write_one_new_file(tmp_path: Path) -> None:
    names = ["ada", "bob", "小王"]
    path = tmp_path / "threads.db"
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path), name, cwd=ROOT) for name in names
    ]
    assert [await writer.wait() for writer in writers] == [0, 0, 0]
    async with open_saver(path, owner_of=str.upper) as saver:
        for name in names:
            said = await said_in(conversation(saver), name)
            assert said == [f"{name} {turn}" for turn in range(15)]
        assert await saver.owner_of_thread("shared") in {name.upper() for name in names}


async def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    async with open_saver(path, owner_of=owner_of) as saver:
        await saver.conn.execute("INSERT INTO thread_schema (version) VALUES (99)")
        await saver.conn.commit()
    with pytest.raises(NewerDataError, match=r"threads\.db.*version 99"):
        async with open_saver(path, owner_of=owner_of):
            pass
