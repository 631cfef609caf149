"""Corpora: what a namespace holds is ranked as it is now, whatever was changed, by whomever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jiyi.testing import FixedClock
from memory.ranking.corpus import Corpus, Said
from store.corpora import Corpora
from store.memory_store import MemoryStore

SPACE = ("users", "ada", "_", "episodes")
SAID = {"text": "a red kite", "speaker": "user", "thread_id": "t", "position": 1, "said_at": "2026-05-01T08:00:00Z"}


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as opened:
        yield opened


async def put(store: MemoryStore, key: str, **changed: Any) -> None:
    await store.aput(SPACE, key, {**SAID, **changed})


async def corpus_of(corpora: Corpora) -> Corpus:
    corpus = await corpora.corpus(SPACE, most=100)
    assert corpus is not None
    return corpus


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "a red kita"},
        {"speaker": "Bo"},
        {"said_at": "2026-05-01T09:00:00Z"},
        {"position": 2},
        {"thread_id": "u"},
        {"turn_id": "x"},
    ],
    ids=str,
)
async def test_a_change_is_seen_also_one_of_the_same_length(store: MemoryStore, changed: dict[str, Any]) -> None:
    corpora = Corpora(store.database)
    await put(store, "one")
    before = await corpus_of(corpora)
    await put(store, "one", **changed)
    after = await corpus_of(corpora)
    assert after.said != before.said


async def test_while_nothing_was_said_the_same_corpus_is_given_also_after_a_use(store: MemoryStore) -> None:
    corpora = Corpora(store.database)
    await put(store, "one")
    before = await corpus_of(corpora)
    await put(store, "one", uses=3, last_used_at="2026-06-01T08:00:00Z")
    assert await corpus_of(corpora) is before


async def test_what_was_put_by_others_in_another_shape_does_no_harm(store: MemoryStore) -> None:
    corpora = Corpora(store.database)
    await store.aput(SPACE, "odd", {"text": 7, "speaker": ["x"], "position": "first", "said_at": "yesterday"})
    await put(store, "two", said_at=None)
    await store.aput(SPACE, "empty", {})
    assert [one.text for one in (await corpus_of(corpora)).said] == ["", "", "a red kite"]


async def test_two_items_that_change_places_are_seen(store: MemoryStore) -> None:
    corpora = Corpora(store.database)
    await put(store, "one", text="a red kite")
    await put(store, "two", text="a blue kite")
    before = await corpus_of(corpora)
    await put(store, "one", text="a blue kite")
    await put(store, "two", text="a red kite")
    assert [one.text for one in (await corpus_of(corpora)).said] == [one.text for one in reversed(before.said)]


async def test_many_may_ask_at_once_though_not_all_corpora_can_be_kept(store: MemoryStore) -> None:
    corpora = Corpora(store.database, most_kept=2)
    spaces = [("users", f"u{number}", "_", "episodes") for number in range(6)]
    for space in spaces:
        for key in ("one", "two"):
            await store.aput(space, key, {**SAID, "text": space[1]})
    found = await asyncio.gather(*(corpora.corpus(space, most=100) for space in spaces * 5))
    assert [corpus.said[0].text for corpus in found if corpus] == [space[1] for space in spaces * 5]


async def test_of_too_much_nothing_is_read(store: MemoryStore) -> None:
    corpora = Corpora(store.database)
    for number in range(3):
        await put(store, str(number))
    assert await corpora.corpus(SPACE, most=2) is None
    assert len(await corpus_of(corpora)) == 3


async def test_of_too_much_some_can_be_read(store: MemoryStore) -> None:
    corpora = Corpora(store.database)
    for number in range(3):
        await put(store, str(number), text=f"kite {number}")
    items = (await corpus_of(corpora)).items.tolist()
    assert [one.text for one in (await corpora.some(SPACE, {items[1]})).said] == ["kite 1"]


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_brought_up_to_date_is_what_is_read_anew(store: MemoryStore, seed: int) -> None:
    random = Random(seed)  # noqa: S311  (the same changes each time)
    corpora = Corpora(store.database)
    for step in range(40):
        key = str(random.randrange(8))
        match random.choice(["put", "put", "put", "change", "delete"]):
            case "put":
                await put(store, f"{key}-{step}", text=f"kite {step}", position=step)
            case "change":
                await put(store, f"{key}-{random.randrange(step + 1)}", text=f"kite {random.randrange(3)}")
            case _:
                await store.adelete(SPACE, f"{key}-{random.randrange(step + 1)}")
        if random.random() < 0.6:
            assert (await corpus_of(corpora)).said == (await corpus_of(Corpora(store.database))).said


async def test_what_was_read_of_a_row_is_not_read_again_and_goes_with_it(store: MemoryStore) -> None:
    corpora, read = Corpora(store.database), list[str]()

    def length(one: Said) -> int:
        read.append(one.text)
        return len(one.text)

    await put(store, "one")
    assert (await corpus_of(corpora)).each(length) == [10]
    await put(store, "two", text="a kite", position=2)
    assert (await corpus_of(corpora)).each(length) == [10, 6]
    await store.adelete(SPACE, "one")
    corpus = await corpus_of(corpora)
    assert corpus.each(length) == [6]
    assert read == ["a red kite", "a kite"]
    assert [one.text for one in corpus.still_read(corpus.said)[length]] == ["a kite"]
