"""Forgetting: a fact or a turn goes with its evidence, its words and its history, and nothing else does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from jiyi.testing import FixedClock, HashEmbedder
from memory.blanking import FORGOTTEN
from memory.changes import ForgetFacts, ForgetTurn, MarkFact
from memory.ids import turn_id_of
from memory.namespaces import Owner, user_space
from store.apply import apply
from store.forgetting import forget_left_over
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.recall import recall
from store.remember import DIRECT_THREAD, remember
from store.wanted import Wanted

ADA = Owner(user="ada")


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=HashEmbedder()).opened() as opened:
        yield opened


async def told(store: MemoryStore, clock: FixedClock, *texts: str, speaker: str = "user") -> None:
    for text in texts:
        await remember(store, ADA, text, speaker=speaker, said_at=clock.advance(timedelta(days=1)), message_id=text)


async def everything(store: MemoryStore) -> str:
    """Give all that is kept of the user, as one text."""
    return "\n".join(str(item.value) for item in await store.asearch(("users", "ada"), limit=1000))


async def believed(store: MemoryStore) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for fact in await facts_of(store, ADA):
        held.setdefault(fact.key, []).append(fact.value)
    return held


@pytest.mark.parametrize(
    ("texts", "key", "word", "left"),
    [
        (["我对花生过敏，我住在杭州", "我住在杭州"], "user.allergy", "花生", {"user.lives_in": ["杭州"]}),
        (["I'm allergic to peanuts. I live in Leeds."], "user.allergy", "peanuts", {"user.lives_in": ["Leeds"]}),
    ],
    ids=["zh", "en"],
)
async def test_of_a_forgotten_fact_nothing_is_left_and_everything_else_stays(
    store: MemoryStore, clock: FixedClock, texts: list[str], key: str, word: str, left: dict[str, list[str]]
) -> None:
    await told(store, clock, *texts)
    await told(store, clock, f"好的，{word} / OK, {word}.", speaker="assistant")
    await apply(store, ADA, [MarkFact(which=key, act="pin")])

    done = await apply(store, ADA, [ForgetFacts(key=key)])

    assert len(done.forgotten) == 1
    assert word not in await everything(store)
    assert FORGOTTEN in await everything(store)
    assert await believed(store) == left
    assert word not in str(await recall(store, ADA, word, Wanted(), now=clock()))
    assert await apply(store, ADA, [ForgetFacts(key=key)]) == await apply(store, ADA, [])


async def test_one_value_of_several_is_forgotten_alone(store: MemoryStore, clock: FixedClock) -> None:
    await told(store, clock, "我对花生过敏", "我对虾过敏")

    await apply(store, ADA, [ForgetFacts(key="user.allergy", value="虾")])

    assert await believed(store) == {"user.allergy": ["花生"]}
    assert "虾" not in await everything(store)


async def test_all_that_is_known_of_a_person_is_forgotten_at_once(store: MemoryStore, clock: FixedClock) -> None:
    await told(store, clock, "My sister Anna is a nurse.", "My sister Anna lives in York.", "I live in Leeds")
    assert any(key.startswith("person.") for key in await believed(store))

    await apply(store, ADA, [ForgetFacts(key="person.Anna.*")])

    assert await believed(store) == {"user.lives_in": ["Leeds"]}


async def test_of_a_forgotten_turn_nothing_is_left_but_what_was_said_elsewhere_too(
    store: MemoryStore, clock: FixedClock
) -> None:
    first, second = "我叫小周，我住在杭州", "我住在杭州"
    await told(store, clock, first, second)

    await apply(store, ADA, [ForgetTurn(turn_id=turn_id_of(DIRECT_THREAD, first))])

    assert await believed(store) == {"user.lives_in": ["杭州"]}
    assert "小周" not in await everything(store)


async def test_a_value_that_was_only_pinned_goes_with_the_words_that_stated_it(
    store: MemoryStore, clock: FixedClock
) -> None:
    await told(store, clock, "I live in Leeds")
    await apply(store, ADA, [MarkFact(which="user.lives_in", act="pin")])

    await apply(store, ADA, [ForgetTurn(turn_id=turn_id_of(DIRECT_THREAD, "I live in Leeds"))])

    assert await believed(store) == {}
    assert "Leeds" not in await everything(store)


async def test_forgetting_a_value_brings_back_none_that_it_had_replaced(store: MemoryStore, clock: FixedClock) -> None:
    await told(store, clock, "I live in Leeds", "I live in York")
    await apply(store, ADA, [ForgetFacts(key="user.lives_in")])

    assert await facts_of(store, ADA, active_only=False) == ()


async def test_what_rested_on_words_that_were_deleted_by_another_way_goes_with_the_next_sleep(
    store: MemoryStore, clock: FixedClock
) -> None:
    await told(store, clock, "I live in Leeds", "I'm allergic to peanuts", "Remember that I'm allergic to peanuts")
    (home,) = [one for one in await store.asearch(user_space(ADA, "episodes")) if "Leeds" in one.value["text"]]
    await store.adelete(user_space(ADA, "episodes"), home.key)

    assert len(await forget_left_over(store, ADA)) == 1
    assert await believed(store) == {"user.allergy": ["peanuts"]}
    assert await forget_left_over(store, ADA) == ()
