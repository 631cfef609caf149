from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from store.checkpoint_owners import BrokenChainError, TakenThreadError
from store.checkpointer import ThreadSaver, open_saver
from tests.store.checkpoint_graph import bytes_in, conversation, ends_of_turns, ids_of, said_in, say

DURABILITIES = pytest.mark.parametrize("durability", ["async", "exit"])


@pytest.fixture
async def saver(tmp_path: Path) -> AsyncIterator[ThreadSaver]:
    async with open_saver(tmp_path / "threads.db", owner_of=str.upper) as opened:
        yield opened


def numbers(count: int, *, start: int = 0) -> list[str]:
    return [f"第 {turn} 句" for turn in range(start, start + count)]


async def test_a_copy_has_all_that_was_said_and_the_owner_and_goes_its_own_way(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    for text in numbers(6):
        await say(graph, text, user="ada")
    await saver.acopy_thread("thread", "copy")
    assert await say(graph, "on", thread="copy", user="ada") == [*numbers(6), "on"]
    assert await said_in(graph) == numbers(6)
    assert await saver.threads_of("ADA") == ["copy", "thread"]


async def test_the_thread_named_in_the_metadata_is_the_copys(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello")
    await saver.conn.execute("UPDATE checkpoints SET metadata = json_set(metadata, '$.thread_id', 'thread')")
    await saver.conn.commit()
    await saver.acopy_thread("thread", "copy")
    copied = [found.metadata async for found in saver.alist({"configurable": {"thread_id": "copy"}})]
    assert {dict(metadata)["thread_id"] for metadata in copied} == {"copy"}


async def test_a_copy_does_not_go_into_a_thread_in_use(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello", user="ada")
    await saver.claim_thread("claimed", "bob")
    for target in ("claimed", "thread"):
        with pytest.raises(TakenThreadError, match="in use"):
            await saver.acopy_thread("thread", target)


@DURABILITIES
@pytest.mark.parametrize("turn", [0, 3, 6, 7, 8, 13, 19])
async def test_a_branch_is_what_the_thread_was_then_and_goes_its_own_way(
    saver: ThreadSaver, durability: Any, turn: int
) -> None:
    graph = conversation(saver)
    for text in numbers(20):
        await say(graph, text, user="ada", durability=durability)
    end = (await ends_of_turns(graph))[numbers(20)[turn]]
    at = end["configurable"]["checkpoint_id"]
    await saver.abranch_thread("thread", "branch", at=at, name="another way")
    assert await said_in(graph, "branch") == numbers(turn + 1)
    assert await ids_of(saver, "branch") == [one for one in await ids_of(saver) if one <= at]
    on = await say(graph, "on", thread="branch", user="ada", durability=durability)
    assert on == await said_in(graph, "branch") == [*numbers(turn + 1), "on"]
    assert await said_in(graph) == numbers(20)
    assert await saver.name_of_thread("branch") == "another way"
    assert set(await saver.threads_of("ADA")) == {"branch", "thread"}


async def test_a_branch_from_where_nothing_is_leaves_nothing(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello", user="ada")
    with pytest.raises(BrokenChainError, match="gone"):
        await saver.abranch_thread("thread", "branch", at="no checkpoint", name="x")
    assert await ids_of(saver, "branch") == []
    assert await saver.threads_of("ADA") == ["thread"]


async def test_a_name_is_kept_until_its_thread_is_deleted(saver: ThreadSaver) -> None:
    await say(conversation(saver), "hello", user="ada")
    await saver.name_thread("thread", "周一")
    await saver.name_thread("thread", "monday")
    assert await saver.name_of_thread("thread") == "monday"
    assert await saver.name_of_thread("another") == ""
    await saver.adelete_thread("thread")
    assert await saver.name_of_thread("thread") == ""


@DURABILITIES
async def test_a_run_that_is_rolled_back_was_never_said(saver: ThreadSaver, durability: Any) -> None:
    graph = conversation(saver)
    for text in numbers(5):
        await say(graph, text, run_id=f"run of {text}", durability=durability)
    await say(graph, "oops", run_id="oops", durability=durability)
    await saver.adelete_for_runs(["oops"])
    assert await said_in(graph) == numbers(5)
    assert await say(graph, "instead", durability=durability) == [*numbers(5), "instead"]
    assert await said_in(graph) == [*numbers(5), "instead"]


@DURABILITIES
async def test_deleting_an_earlier_run_leaves_later_ones_readable(saver: ThreadSaver, durability: Any) -> None:
    graph = conversation(saver)
    for text in numbers(6):
        await say(graph, text, run_id=text, durability=durability)
    await saver.adelete_for_runs(numbers(2, start=1))
    assert await said_in(graph) == numbers(6)


@DURABILITIES
@pytest.mark.parametrize("turns", [1, 2, 3, 4, 7, 8, 12])
async def test_pruned_to_its_newest_state_a_thread_still_has_all(
    saver: ThreadSaver, turns: int, durability: Any
) -> None:
    graph = conversation(saver)
    for text in numbers(turns):
        await say(graph, text, durability=durability)
    before = await ids_of(saver)
    await saver.aprune(["thread"])
    after = await ids_of(saver)
    assert after == before[: len(after)]
    assert len(after) < 5 * 5
    assert await said_in(graph) == numbers(turns)
    assert await say(graph, "on") == [*numbers(turns), "on"]


@DURABILITIES
async def test_a_thread_can_be_rewound_to_each_of_its_last_turns(saver: ThreadSaver, durability: Any) -> None:
    graph = conversation(saver)
    for text in numbers(30):
        await say(graph, text, durability=durability)
    await saver.aprune(["thread"], keep_turns=8)
    ends = await ends_of_turns(graph)
    for turn in range(21, 30):  # the last eight, and the one that the oldest of them starts from
        config = ends[f"第 {turn} 句"]
        assert await said_in(graph, **config["configurable"]) == numbers(turn + 1)
        said = await say(graph, f"从 {turn} 再来", durability=durability, **config["configurable"])
        assert said == [*numbers(turn + 1), f"从 {turn} 再来"]
        assert await said_in(graph) == said
    assert "第 5 句" not in ends


async def test_a_rewound_thread_goes_on_through_its_bound(tmp_path: Path) -> None:
    async with open_saver(tmp_path / "threads.db", owner_of=str.upper, keep_turns=3) as saver:
        graph = conversation(saver)
        for text in numbers(12):
            await say(graph, text)
        start = (await ends_of_turns(graph))["第 6 句"]
        await say(graph, "again", **start["configurable"])
        for text in numbers(30, start=100):
            await say(graph, text)
        assert await said_in(graph) == [*numbers(7), "again", *numbers(30, start=100)]


async def test_an_interrupted_turn_is_resumed_after_a_pruning(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    for text in [*numbers(5), "ask me"]:
        await say(graph, text)
    await saver.aprune(["thread"])
    state = await graph.ainvoke(None, {"configurable": {"thread_id": "thread"}}, durability="async")
    assert [interrupted.value for interrupted in state["__interrupt__"]] == ["sure?"]
    assert await said_in(graph) == [*numbers(5), "ask me"]


@DURABILITIES
async def test_a_thread_stays_bounded_and_keeps_fifty_turns(tmp_path: Path, durability: Any) -> None:
    async with open_saver(tmp_path / "threads.db", owner_of=str.upper) as saver:
        graph = conversation(saver)
        for text in numbers(120):
            await say(graph, text, durability=durability)
        size = len(bytes_in(tmp_path, but="-shm"))
        assert await said_in(graph) == numbers(120)
        ends = await ends_of_turns(graph)
    assert {f"第 {turn} 句" for turn in range(69, 120)} <= ends.keys()
    assert "第 40 句" not in ends
    assert size / 120 < (40_000 if durability == "async" else 20_000)


async def test_a_thread_without_turns_is_left_alone(saver: ThreadSaver) -> None:
    graph = conversation(saver)
    config: RunnableConfig = {"configurable": {"thread_id": "thread"}}
    for turn in range(70):
        message = HumanMessage(str(turn), id=str(turn))
        await graph.aupdate_state(config, {"messages": [message]}, as_node="llm")
    assert len(await ids_of(saver)) == 70


async def test_a_run_whose_thread_was_deleted_meanwhile_does_not_bring_half_of_it_back(
    saver: ThreadSaver,
) -> None:
    graph = conversation(saver)
    for text in numbers(2):
        await say(graph, text)
    latest = await saver.aget_tuple({"configurable": {"thread_id": "thread"}})
    assert latest is not None
    await saver.adelete_thread("thread")
    later: Any = {**latest.checkpoint, "id": str(uuid.UUID(int=2**128 - 1))}
    with pytest.raises(BrokenChainError, match="gone"):
        await saver.aput(latest.config, later, latest.metadata, {})
    assert await ids_of(saver) == []


async def test_what_pruning_is_asked_must_make_sense(saver: ThreadSaver) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        await saver.aprune(["thread"], keep_turns=0)
    with pytest.raises(ValueError, match="keep_latest"):
        await saver.aprune(["thread"], strategy="oldest")
