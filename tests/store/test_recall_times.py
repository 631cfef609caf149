"""Recall by time: where a question names a time, what was said or happened then comes first, from a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jiyi.testing import FixedClock, HashEmbedder
from memory.namespaces import Owner
from memory.seams import Embedder
from store.memory_store import MemoryStore
from store.recall import recall
from store.remember import remember
from store.wanted import Wanted

ADA = Owner(user="ada")
NOW = datetime(2025, 7, 16, 10, tzinfo=UTC)
"""A Wednesday."""
RANKED = Wanted(gated=False)
SAID = (
    ("2024-05-06", "spring-24", "user", "I joined the rowing club"),
    ("2025-05-10", "may", "user", "My landlord wants to sell the flat"),
    ("2025-05-10", "may", "assistant", "That sounds stressful."),
    ("2025-05-10", "may", "user", "谢谢"),
    ("2025-06-20", "june", "user", "我报名了陶艺课，每周二晚上"),
    ("2025-06-20", "june", "user", "好的"),
    ("2025-07-09", "last-week", "user", "My bike was stolen from the yard"),
    ("2025-07-09", "last-week", "user", "ok"),
    ("2025-07-15", "yesterday", "user", "我把陶艺课退了"),
    ("2025-07-16", "today", "user", "The bike shop opens at nine"),
)


@pytest.fixture(params=[None, HashEmbedder(64)], ids=["words", "vectors"])
async def store(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    embedder: Embedder | None = request.param
    async with MemoryStore(tmp_path / "m.db", clock=FixedClock(NOW), embedder=embedder).opened() as opened:
        for number, (day, thread, speaker, text) in enumerate(SAID):
            at = datetime.fromisoformat(day).replace(hour=9, minute=number, tzinfo=UTC)
            await remember(opened, ADA, text, speaker=speaker, thread_id=thread, said_at=at, message_id=f"m{number}")
        yield opened


async def asked(store: MemoryStore, query: str, *, now: datetime = NOW) -> list[str]:
    return [one.text for one in await recall(store, ADA, query, RANKED, now=now)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What did I say last week?", "My bike was stolen from the yard"),
        ("上周我说了什么？", "My bike was stolen from the yard"),
        ("What happened last month?", "我报名了陶艺课，每周二晚上"),
        ("上个月我说了什么？", "我报名了陶艺课，每周二晚上"),
        ("What did I say in May?", "My landlord wants to sell the flat"),
        ("我五月说了什么", "My landlord wants to sell the flat"),
        ("What did I say in May last year?", "I joined the rowing club"),
        ("去年五月我说了什么？", "I joined the rowing club"),
        ("What did we talk about last time?", "我把陶艺课退了"),
        ("上次我们聊了什么？", "我把陶艺课退了"),
        ("What did we talk about the first time?", "I joined the rowing club"),
        ("我们第一次聊了什么？", "I joined the rowing club"),
        ("What did I say yesterday?", "我把陶艺课退了"),
        ("昨天我说了什么？", "我把陶艺课退了"),
    ],
)
async def test_where_only_a_time_is_asked_for_what_was_said_then_comes_first(
    store: MemoryStore, query: str, first: str
) -> None:
    assert (await asked(store, query))[0] == first


@pytest.mark.parametrize("query", ["What did I say in May?", "五月我说了什么？"])
async def test_small_talk_of_that_time_comes_after_what_has_content(store: MemoryStore, query: str) -> None:
    found = await asked(store, query)
    assert "谢谢" not in found[: found.index("My landlord wants to sell the flat")]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What was it about the bike last week?", "My bike was stolen from the yard"),
        ("上个月说的陶艺课是哪天？", "我报名了陶艺课，每周二晚上"),
        ("昨天说的陶艺课怎么了？", "我把陶艺课退了"),
    ],
)
async def test_of_what_fits_by_its_words_the_turn_of_that_time_comes_first(
    store: MemoryStore, query: str, first: str
) -> None:
    assert (await asked(store, query))[0] == first


@pytest.mark.parametrize("query", ["What did I say last week?", "上周我说了什么？"])
async def test_last_week_is_the_week_before_the_one_it_is_asked_in(store: MemoryStore, query: str) -> None:
    found = await asked(store, query, now=NOW.replace(day=23))
    assert set(found[:2]) == {"我把陶艺课退了", "The bike shop opens at nine"}


async def test_what_was_said_after_it_is_asked_is_not_the_last_time(store: MemoryStore) -> None:
    in_june = datetime(2025, 6, 1, tzinfo=UTC)
    assert (await asked(store, "上次我们聊了什么？", now=in_june))[0] == "My landlord wants to sell the flat"
