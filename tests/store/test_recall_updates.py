"""Recall of what has changed: the newest statement first, the old one behind it or left out, unless the past is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from jiyi.testing import FixedClock, HashEmbedder
from memory.kinds import Evidence, Fact, from_value
from memory.namespaces import Owner, user_space
from memory.prompt_lines import exchange_lines
from memory.prompt_texts import TEXTS
from memory.ranking.overtaken import ENDED, overtaken
from memory.seams import Embedder
from store.exchanges import exchanges_around
from store.found_episodes import found_episodes
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.recall import recall
from store.remember import remember
from store.transaction import Transaction
from store.wanted import Wanted

ADA = Owner(user="ada")
Keyed = TypeVar("Keyed", Fact, Evidence)
MONTH = timedelta(days=30)
LANGUAGES = {
    "en": (
        "I live in Leeds.",
        "I live in Leeds and I'm allergic to cats.",
        "I live in Porto now.",
        "Where do I live?",
        "Where did I live before?",
    ),
    "zh": (
        "我住在北京。",
        "我住在北京，对猫毛过敏。",
        "我现在住在上海。",
        "我住在哪里？",
        "我以前住在什么地方，是北京吗？",
    ),
}
each_language = pytest.mark.parametrize(
    ("bare", "more", "new", "asks", "asks_for_past"), LANGUAGES.values(), ids=list(LANGUAGES)
)


@pytest.fixture(params=[None, HashEmbedder(64)], ids=["words", "vectors"])
async def store(tmp_path: Path, clock: FixedClock, request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    embedder: Embedder | None = request.param
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as opened:
        yield opened


async def say(store: MemoryStore, clock: FixedClock, *said: str) -> None:
    """Say things a month apart, each in a thread of its own, and then let another month go by."""
    for text in said:
        await remember(store, ADA, text, said_at=clock(), thread_id=text)
        clock.advance(MONTH)


async def recalled(store: MemoryStore, clock: FixedClock, query: str, wanted: Wanted | None = None) -> list[str]:
    return [one.text for one in await recall(store, ADA, query, wanted, now=clock())]


@each_language
async def test_the_newest_statement_comes_first_and_what_says_nothing_else_is_left_out(
    store: MemoryStore, clock: FixedClock, bare: str, more: str, new: str, asks: str, asks_for_past: str
) -> None:
    await say(store, clock, bare, new)
    ranked = await recall(store, ADA, asks, Wanted(gated=False), now=clock())
    assert [one.text for one in ranked] == [new, bare]
    assert ranked[1].overtaken_by == (ranked[0].id,)
    assert "said otherwise since" in ranked[1].why()
    assert bare not in await recalled(store, clock, asks)
    assert new in await recalled(store, clock, asks)


@each_language
async def test_what_says_more_stays_behind_the_newest(
    store: MemoryStore, clock: FixedClock, bare: str, more: str, new: str, asks: str, asks_for_past: str
) -> None:
    await say(store, clock, more, new)
    assert await recalled(store, clock, asks) == [new, more]
    assert await recalled(store, clock, asks, Wanted(gated=False)) == [new, more]


@each_language
async def test_where_the_past_is_asked_for_the_old_statement_is_there(
    store: MemoryStore, clock: FixedClock, bare: str, more: str, new: str, asks: str, asks_for_past: str
) -> None:
    said_at = clock()
    await say(store, clock, bare, new)
    until = Wanted(until=said_at + timedelta(days=1))
    assert bare in await recalled(store, clock, asks_for_past)
    assert bare in await recalled(store, clock, asks, Wanted(history=True))
    assert await recalled(store, clock, asks, until) == [bare]


@each_language
async def test_what_was_not_said_yet_overtakes_nothing(
    store: MemoryStore, clock: FixedClock, bare: str, more: str, new: str, asks: str, asks_for_past: str
) -> None:
    then = clock() + timedelta(days=1)
    await say(store, clock, bare, new)
    assert [one.text for one in await recall(store, ADA, asks, now=then)] == [bare]


@pytest.mark.parametrize(
    ("old", "between", "new", "asks"),
    [
        ("I live in Leeds.", "I live in Ghent now.", "I live in Porto now.", "Where do I live?"),
        ("我住在北京。", "我现在住在成都。", "我现在住在上海。", "我住在哪里？"),
    ],
)
async def test_of_several_changes_the_last_comes_first(
    store: MemoryStore, clock: FixedClock, old: str, between: str, new: str, asks: str
) -> None:
    await say(store, clock, old, between, new)
    assert await recalled(store, clock, asks, Wanted(gated=False)) == [new, between, old]
    assert await recalled(store, clock, asks) == [new]


@pytest.mark.parametrize(
    ("old", "new", "asks"),
    [
        ("The choir sings in the chapel", "The choir sings in the town hall now", "Where does the choir sing?"),
        ("象棋社周一晚上活动", "象棋社改到周五晚上了", "象棋社什么时候活动？"),
    ],
)
async def test_where_no_fact_came_of_it_the_newer_of_two_statements_about_the_same_comes_first(
    store: MemoryStore, clock: FixedClock, old: str, new: str, asks: str
) -> None:
    await say(store, clock, old, new)
    assert facts_under(await facts_of(store, ADA, active_only=False)) == []
    assert await recalled(store, clock, asks, Wanted(gated=False)) == [new, old]


def facts_under(facts: tuple[Fact, ...]) -> list[str]:
    return [fact.key for fact in facts]


@each_language
async def test_in_the_prompt_each_statement_stands_under_its_date(
    store: MemoryStore, clock: FixedClock, bare: str, more: str, new: str, asks: str, asks_for_past: str
) -> None:
    first, second = clock(), clock() + MONTH
    await say(store, clock, more, new)
    found = await recall(store, ADA, asks, now=clock())
    shown = [one.shown for one in await exchanges_around(store, ADA, [(one.agent, one.id) for one in found])]
    heads = [line for line in exchange_lines(shown, TEXTS["en"]) if line.startswith("[")]
    assert heads == [f"[1] {second:%Y-%m-%d %H:%M}", f"[2] {first:%Y-%m-%d %H:%M}"]


@pytest.mark.parametrize(
    "said",
    [
        ("I live in Leeds.", "I work at Acme.", "I live in Porto now.", "I'm allergic to cats.", "I live in Rome now."),
        ("我住在北京。", "我在阿里巴巴上班。", "我现在住在上海。", "我对猫毛过敏。", "我现在住在杭州。"),
        ("I like tea.", "我喜欢猫。", "I don't like tea any more.", "我不喜欢猫了。", "I like tea."),
        ("Thanks!", "谢谢"),
    ],
)
async def test_what_is_read_for_it_tells_as_much_as_all_that_is_kept(
    store: MemoryStore, clock: FixedClock, said: tuple[str, ...]
) -> None:
    await say(store, clock, *said)
    facts, evidence = await store.look(lambda transaction: (_all(transaction, Fact), _all(transaction, Evidence)))
    found = await found_episodes(store, ADA, "; ".join(said), Wanted(gated=False), now=clock(), of_now=True)
    assert len(found) == len({one.id for one in found})
    for one in found:
        given = [piece for pieces in evidence.values() for piece in pieces if piece.episode_id == one.id]
        told = overtaken(one.text, given, facts=facts, evidence=evidence)
        assert (one.overtaken_by, one.wholly_overtaken) == (told.by, told.wholly)
    assert any(one.overtaken_by for one in found) == any(
        fact.status in ENDED for each in facts.values() for fact in each
    )


def _all(transaction: Transaction, noun: type[Keyed]) -> dict[str, list[Keyed]]:
    held: dict[str, list[Keyed]] = {}
    for row in transaction.find(user_space(ADA, "facts" if noun is Fact else "evidence")):
        one = from_value(noun, row.value)
        held.setdefault(one.key, []).append(one)
    return held
