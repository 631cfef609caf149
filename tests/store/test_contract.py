"""What every LangGraph store must do: run against ours, and against LangGraph's own where both promise it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from jiyi.testing import FixedClock, HashEmbedder
from store.memory_store import MemoryStore
from store.vectors import ExactIndex
from tests.store.conftest import index_named

TEA, COFFEE = {"text": "likes tea", "n": 3, "tags": ["a", "b"]}, {"text": "likes coffee", "n": 5, "deep": {"x": 1}}


@pytest.fixture(params=["keywords", "exact", "chroma", "chroma server", "langgraph's"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> AsyncIterator[BaseStore]:
    if request.param == "langgraph's":
        yield InMemoryStore()
        return
    embedder = None if request.param == "keywords" else HashEmbedder()
    index = ExactIndex if embedder is None else index_named(request.param, request)
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder, index=index).opened() as opened:
        yield opened


async def test_what_was_put_is_got(store: BaseStore) -> None:
    await store.aput(("a", "b"), "k", TEA)
    found = await store.aget(("a", "b"), "k")
    assert found is not None
    assert (found.value, found.key, found.namespace) == (TEA, "k", ("a", "b"))
    assert found.created_at.tzinfo is not None


async def test_what_is_not_there_is_none(store: BaseStore) -> None:
    assert await store.aget(("a",), "k") is None
    await store.adelete(("a",), "k")


async def test_putting_again_changes_the_value(store: BaseStore) -> None:
    await store.aput(("a",), "k", TEA)
    await store.aput(("a",), "k", COFFEE)
    assert [item.value for item in await store.asearch(("a",))] == [COFFEE]


async def test_what_was_deleted_is_gone_from_every_answer(store: BaseStore) -> None:
    await store.aput(("a",), "k", TEA)
    await store.adelete(("a",), "k")
    assert await store.aget(("a",), "k") is None
    assert await store.asearch(("a",), query="tea") == []


async def test_a_namespace_matches_by_whole_labels(store: BaseStore) -> None:
    for user in ("acme", "acme-corp", "u_1", "uA1", "u%", "张三", "张三丰"):
        await store.aput(("users", user), "k", {"text": user})
    for user in ("acme", "u_1", "u%", "张三"):
        assert [item.value["text"] for item in await store.asearch(("users", user))] == [user]
    assert len(await store.asearch(("users",))) == 7
    assert await store.asearch(("use",)) == []


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"n": 3}, ["tea"]),
        ({"n": {"$eq": 3}}, ["tea"]),
        ({"n": {"$ne": 3}}, ["coffee"]),
        ({"n": {"$gt": 3}}, ["coffee"]),
        ({"n": {"$gte": 3, "$lt": 5}}, ["tea"]),
        ({"n": {"$lte": 5}}, ["coffee", "tea"]),
        ({"tags": ["a", "b"]}, ["tea"]),
        ({"text": "likes tea", "n": 5}, []),
    ],
)
async def test_filters_mean_the_same_in_both(store: BaseStore, wanted: dict[str, object], keys: list[str]) -> None:
    await store.aput(("a",), "tea", TEA)
    await store.aput(("a",), "coffee", COFFEE)
    assert sorted(item.key for item in await store.asearch(("a",), filter=wanted)) == keys


async def test_pages_do_not_overlap(store: BaseStore) -> None:
    for number in range(7):
        await store.aput(("a",), str(number), {"text": "tea", "n": number})
    pages = [await store.asearch(("a",), limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert len({item.key for page in pages for item in page}) == 7


async def test_namespaces_are_listed_by_prefix_suffix_and_depth(store: BaseStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "e"), ("f",)):
        await store.aput(namespace, "k", TEA)
    assert await store.alist_namespaces(prefix=("a",), max_depth=2) == [("a", "b"), ("a", "e")]
    assert await store.alist_namespaces(suffix=("c",)) == [("a", "b", "c")]
    assert await store.alist_namespaces(prefix=("a", "*", "d")) == [("a", "b", "d")]
    assert await store.alist_namespaces(limit=2, offset=1) == [("a", "b", "d"), ("a", "e")]


@pytest.mark.parametrize("label", ["", "a.b", 5])
async def test_a_bad_label_is_refused(store: BaseStore, label: object) -> None:
    with pytest.raises(InvalidNamespaceError):
        await store.aput(("a", label), "k", TEA)  # type: ignore[arg-type]


async def test_a_batch_answers_in_order_and_reads_before_it_writes(store: BaseStore) -> None:
    await store.aput(("a",), "k", TEA)
    got, put, found = await store.abatch([GetOp(("a",), "k"), PutOp(("a",), "k", COFFEE), SearchOp(("a",))])
    assert got is not None
    assert got.value == TEA  # type: ignore[union-attr]
    assert put is None
    assert [item.value for item in found] == [TEA]  # type: ignore[union-attr]
    assert [item.value for item in await store.asearch(("a",))] == [COFFEE]
