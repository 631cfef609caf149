"""The index: how its state becomes a check."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from jiyi.cli.checks.index import LONG_QUEUE, IndexHealth, check_index, index_health, index_owner
from store.chroma.index import LOCK
from store.connect import connect
from store.health import CollectionHealth, store_health
from store.memory_store import MemoryStore

SERVING = "e5"
names = st.sampled_from(["e5", "old", "other"])
counts = st.integers(0, 2 * LONG_QUEUE)
collections = st.builds(CollectionHealth, scope=names, model=names, vectors=counts, ready=st.booleans())
healths = st.builds(
    IndexHealth,
    owner=st.none() | names,
    queued=counts,
    collections=st.lists(collections, max_size=5).map(tuple),
    embedders=st.dictionaries(names, counts, max_size=3),
    serving=st.none() | names,
    missing=counts,
    failed=counts,
)


def collection(scope: str, *, model: str = SERVING, ready: bool = True) -> CollectionHealth:
    return CollectionHealth(scope=scope, model=model, vectors=6000, ready=ready)


@given(healths)
def test_what_needs_somebody_says_what_to_do(health: IndexHealth) -> None:
    check = check_index(health)

    assert check.name == "index"
    assert check.status == "ok" or check.advice
    assert check.measured["queued"] == health.queued


@given(healths)
def test_with_search_by_keyword_nothing_needs_anybody(health: IndexHealth) -> None:
    keyword = IndexHealth(embedders=health.embedders, missing=health.missing, failed=health.failed)

    assert check_index(keyword).status == "ok"


def test_a_sound_index_is_told_with_its_owner_its_queue_and_its_collections() -> None:
    health = IndexHealth(
        owner="4711", queued=12, collections=(collection("ada"), collection("bob")), embedders={SERVING: 14000}, serving=SERVING
    )  # fmt: skip

    check = check_index(health)

    assert check.status == "ok"
    assert check.found == (
        "0 items without vectors; 14000 vectors by e5; 2 large partitions in Chroma with 12000 vectors; 12 changes queued; "
        "kept by 4711"
    )


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (IndexHealth(embedders={"old": 3}, serving=SERVING), "all items get its vectors"),
        (IndexHealth(embedders={SERVING: 3}, serving=SERVING, missing=2, failed=1), "see the check of the embedder"),
        (IndexHealth(queued=LONG_QUEUE + 1, serving=SERVING), "Nobody keeps the index"),
        (IndexHealth(queued=LONG_QUEUE + 1, owner="4711", serving=SERVING), "`jiyi reindex`"),
    ],
)
def test_each_fault_is_a_warning_with_its_remedy(health: IndexHealth, words: str) -> None:
    check = check_index(health)

    assert (check.status, words in check.advice) == ("warn", True), check


@pytest.mark.parametrize(
    "health",
    [
        IndexHealth(serving=SERVING, missing=3),
        IndexHealth(serving=SERVING, queued=3),
        IndexHealth(serving=SERVING, collections=(collection("ada", ready=False),)),
        IndexHealth(serving=SERVING, collections=(collection("ada", model="old"),)),
    ],
)
def test_what_is_being_done_is_told_and_is_no_warning(health: IndexHealth) -> None:
    check = check_index(health)

    assert (check.status, "while Jiyi runs" in check.advice) == ("ok", True)


def test_of_many_collections_some_are_named() -> None:
    building = tuple(collection(f"user-{number}", ready=False) for number in range(9))

    found = check_index(IndexHealth(collections=building, serving=SERVING)).found

    assert "0 large partitions in Chroma with 0 vectors, user-0, user-1, user-2 and 6 more being filled" in found


async def test_what_the_store_says_of_its_index_is_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    async with MemoryStore(path, clock=lambda: datetime(2026, 5, 1, tzinfo=UTC)).opened() as store:
        await store.aput(("users", "ada", "_", "episodes"), "one", {"text": "I saw a kite"})
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO collections (scope, model, dimensions, name) VALUES (1, 'e5', 1, 'c')")
        connection.execute("INSERT INTO vectors (item, model, part, embedding) SELECT id, 'e5', 0, x'00' FROM items")

    health = index_health(store_health(path), serving=SERVING, owner=index_owner(tmp_path))

    (one,) = health.collections
    assert (one.model, one.vectors, one.ready, "ada" in one.scope) == ("e5", 1, False, True)
    assert (health.owner, health.queued, dict(health.embedders)) == (None, 1, {"e5": 1})


def test_whoever_holds_the_lock_keeps_the_index(tmp_path: Path) -> None:
    with FileLock(tmp_path / LOCK):
        assert index_owner(tmp_path) is not None
    assert index_owner(tmp_path) is None
