"""What our store promises beyond LangGraph's interface."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder
from memory.namespaces import user_root
from store.errors import ClosedError, FilterError, NewerDataError
from store.memory_store import MemoryStore
from store.transaction import Transaction

PLACE = ("users", "ada", "_", "episodes")
OTHER = ("users", "bob", "_", "episodes")


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "home" / "m.db", clock=clock, embedder=HashEmbedder()).opened() as opened:
        yield opened


async def found(store: MemoryStore, query: str, place: tuple[str, ...] = PLACE) -> list[str]:
    return [item.key for item in await store.asearch(place, query=query, limit=5)]


async def test_created_at_never_moves(store: MemoryStore, clock: FixedClock) -> None:
    await store.aput(PLACE, "k", {"text": "a"})
    clock.advance(timedelta(hours=1))
    await store.aput(PLACE, "k", {"text": "b"})
    item = await store.aget(PLACE, "k")
    assert item is not None
    assert item.updated_at - item.created_at == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我住在杭州西湖区", "杭州"),
        ("the build fails with ERR-4471 again", "ERR-4471"),
        ("我的订单号是 #8842，帮我查物流", "#8842"),
        ("call orderService.cancel first", "orderService.cancel"),
        ("Caroline's book is on the table", "caroline"),
        ("用的是Ｃ++和 python3", "C++"),
    ],
)
async def test_a_word_finds_its_text_though_vectors_mean_nothing(store: MemoryStore, text: str, query: str) -> None:
    await store.abatch([PutOp(PLACE, f"other-{n}", {"text": f"something else, number {n}"}) for n in range(30)])
    await store.aput(PLACE, "it", {"text": text})
    assert (await found(store, query))[0] == "it"


@pytest.mark.parametrize(
    "query", ['C++ "a" OR (b*', "NEAR(", "-", '"', "a:b", "'; DROP TABLE items; --", "*", "\x00", ""]
)
async def test_no_query_is_a_syntax_error(store: MemoryStore, query: str) -> None:
    await store.aput(PLACE, "k", {"text": "a plain sentence"})
    await store.asearch(PLACE, query=query)
    assert len(await store.asearch(PLACE)) == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
async def test_any_text_can_be_kept_and_searched_for(store: MemoryStore, text: str) -> None:
    await store.aput(PLACE, "k", {"text": text})
    await store.asearch(PLACE, query=text)
    item = await store.aget(PLACE, "k")
    assert item is not None
    assert item.value == {"text": text}


async def test_a_filter_is_applied_before_the_limit(store: MemoryStore) -> None:
    await store.abatch([PutOp(PLACE, f"n{n}", {"text": "green tea", "kind": "near"}) for n in range(1000)])
    await store.aput(PLACE, "far", {"text": "tea", "kind": "wanted"})
    hits = await store.asearch(PLACE, query="green tea", filter={"kind": "wanted"}, limit=1)
    assert [hit.key for hit in hits] == ["far"]


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"n": {"$in": [1, 3]}}, ["1", "3"]),
        ({"$or": [{"n": 1}, {"n": 2}]}, ["1", "2"]),
        ({"$and": [{"n": {"$gt": 0}}, {"$not": {"n": 2}}]}, ["1", "3"]),
        ({"n": {"$not": {"$gt": 1}}}, ["0", "1"]),
        ({"deep.er": "x"}, ["2"]),
        ({"deep": {"er": {"$ne": "x"}}}, ["0", "1", "3"]),
        ({"missing": None}, ["0", "1", "2", "3"]),
        ({"flag": True}, ["3"]),
        ({"$or": []}, []),
    ],
)
async def test_filters_can_be_joined(store: MemoryStore, wanted: dict[str, object], keys: list[str]) -> None:
    values: list[dict[str, object]] = [{"n": 0}, {"n": 1}, {"n": 2, "deep": {"er": "x"}}, {"n": 3, "flag": True}]
    for value in values:
        await store.aput(PLACE, str(value["n"]), value)
    assert sorted(item.key for item in await store.asearch(PLACE, filter=wanted)) == keys


@pytest.mark.parametrize(
    "wanted",
    [
        {"n": {"$regex": "x"}},
        {"$where": "1"},
        {'a"b': 1},
        {"a') OR 1=1 --\\": 1},
        {"n": {"$gt": None}},
        {"n": {"$in": "abc"}},
        {"": 1},
    ],
)
async def test_a_hostile_filter_is_an_error_not_an_answer(store: MemoryStore, wanted: dict[str, object]) -> None:
    await store.aput(PLACE, "k", {"n": 1})
    with pytest.raises(FilterError):
        await store.asearch(PLACE, filter=wanted)


async def test_one_user_never_sees_another(store: MemoryStore) -> None:
    await store.aput(PLACE, "hers", {"text": "likes tea"})
    assert await found(store, "tea", OTHER) == []
    assert await found(store, "tea") == ["hers"]


async def test_another_users_words_do_not_change_a_score(store: MemoryStore) -> None:
    await store.aput(PLACE, "hers", {"text": "likes tea"})
    before = (await store.asearch(PLACE, query="tea"))[0].score
    await store.abatch([PutOp(OTHER, str(n), {"text": "tea tea tea"}) for n in range(50)])
    assert (await store.asearch(PLACE, query="tea"))[0].score == before


async def test_a_failing_embedder_loses_nothing(tmp_path: Path, clock: FixedClock) -> None:
    path = tmp_path / "m.db"
    async with MemoryStore(path, clock=clock, embedder=FailingEmbedder()).opened() as store:
        await store.aput(PLACE, "k", {"text": "green tea"})
        assert await found(store, "tea") == ["k"]
    async with MemoryStore(path, clock=clock, embedder=HashEmbedder()).opened() as store:
        assert await store.indexer.catch_up() == 1
        assert await store.indexer.catch_up() == 0
        assert await found(store, "green tea") == ["k"]


async def test_an_empty_namespace_is_not_listed(store: MemoryStore) -> None:
    await store.aput(PLACE, "k", {"text": "x"})
    await store.adelete(PLACE, "k")
    assert await store.alist_namespaces() == []


async def test_an_expired_item_is_never_returned_and_reading_keeps_one_alive(
    store: MemoryStore, clock: FixedClock
) -> None:
    await store.aput(PLACE, "read", {"text": "tea"}, ttl=10)
    await store.aput(PLACE, "left", {"text": "tea"}, ttl=10)
    clock.advance(timedelta(minutes=6))
    assert await store.aget(PLACE, "read", refresh_ttl=True) is not None
    assert await store.aget(PLACE, "left", refresh_ttl=False) is not None
    clock.advance(timedelta(minutes=6))
    assert await store.aget(PLACE, "left") is None
    assert await found(store, "tea") == ["read"]


async def test_a_transaction_that_raises_keeps_nothing(store: MemoryStore) -> None:
    def half(transaction: Transaction) -> None:
        transaction.put(PLACE, "k", {"text": "x"})
        raise LookupError("in the middle")

    with pytest.raises(LookupError):
        await store.transact("ada", half)
    assert await store.aget(PLACE, "k") is None


async def test_a_value_that_is_no_json_fails_its_whole_batch(store: MemoryStore) -> None:
    with pytest.raises((TypeError, ValueError)):
        await store.abatch([PutOp(PLACE, "a", {"text": "x"}), PutOp(PLACE, "b", {"n": float("nan")})])
    assert await store.aget(PLACE, "a") is None


async def test_many_who_add_at_once_lose_nothing(store: MemoryStore) -> None:
    def add(transaction: Transaction) -> None:
        row = transaction.get(PLACE, "sum")
        transaction.put(PLACE, "sum", {"n": (row.value["n"] if row else 0) + 1})

    await asyncio.gather(*(store.transact("ada", add) for _ in range(100)))
    item = await store.aget(PLACE, "sum")
    assert item is not None
    assert item.value == {"n": 100}


async def test_sync_calls_work_from_other_threads_only(store: MemoryStore) -> None:
    await asyncio.to_thread(store.put, PLACE, "k", {"text": "x"})
    assert (await asyncio.to_thread(store.get, PLACE, "k")) is not None
    with pytest.raises(asyncio.InvalidStateError, match="await"):
        store.get(PLACE, "k")


async def test_files_are_for_their_owner_only(store: MemoryStore) -> None:
    await store.aput(PLACE, "k", {"text": "x"})
    home = store.path.parent
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in home.glob("m.db*")} == {0o600}


async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path, clock: FixedClock) -> None:
    path = tmp_path / "m.db"
    store = MemoryStore(path, clock=clock)
    async with store.opened():
        await store.database.outside_transaction(lambda connection: connection.execute("PRAGMA user_version = 999"))
    with pytest.raises(NewerDataError, match="999"):
        async with MemoryStore(path, clock=clock).opened():
            pass


async def test_a_closed_store_says_so(tmp_path: Path, clock: FixedClock) -> None:
    with pytest.raises(ClosedError):
        await MemoryStore(tmp_path / "m.db", clock=clock).aget(PLACE, "k")


async def test_what_was_kept_is_there_after_reopening(tmp_path: Path, clock: FixedClock) -> None:
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as store:
        await store.aput(PLACE, "k", {"text": "green tea"})
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as store:
        assert await found(store, "tea") == ["k"]
        assert len(await store.asearch(user_root("ada"))) == 1
