"""recall: the one way in which memories are found."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from jiyi.testing import FixedClock, HashEmbedder
from memory.changes import CountUses
from memory.namespaces import Owner
from memory.prompt import assemble
from memory.prompt_parts import PromptParts
from memory.recalled import Recalled, RecalledKind
from memory.tokens import count_tokens
from store.apply import apply
from store.embed.local import LocalEmbedder
from store.exchanges import MAX_LINES, exchanges_around
from store.memory_store import MemoryStore
from store.recall import recall
from store.remember import remember
from store.wanted import Wanted
from tests.store.conftest import IndexOf

ADA = Owner(user="ada")


EMBEDDER = LocalEmbedder()


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock, index_of: IndexOf) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=EMBEDDER, index=index_of).opened() as opened:
        yield opened


async def keep(store: MemoryStore, text: str, said_at: datetime | None, *, agent: str = "_", thread: str = "t") -> None:
    await remember(store, Owner(user="ada", agent=agent), text, said_at=said_at, thread_id=thread)


def texts(found: tuple[Recalled, ...]) -> list[str]:
    return [one.text for one in found]


async def test_what_bears_on_the_query_is_found_best_first_with_its_reasons(
    store: MemoryStore, clock: FixedClock
) -> None:
    for text in ("我养了一只叫豆豆的猫", "周末想去爬山", "豆豆今天打了疫苗", "新的项目开始了"):
        await keep(store, text, clock())
    found = await recall(store, ADA, "豆豆 疫苗", now=clock())
    assert texts(found) == ["豆豆今天打了疫苗", "我养了一只叫豆豆的猫"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(0 < one.score <= 1 for one in found)
    assert found[0].parts.lexical > found[1].parts.lexical
    assert set(found[0].matched) == {"豆豆", "疫苗"}
    assert found[0].why("zh").startswith("用词相同：豆豆、疫苗")
    assert found[0].why().startswith("same words: 豆豆, 疫苗")
    assert {one.agent for one in found} == {"_"}


async def test_recall_writes_nothing(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "我养了一只叫豆豆的猫", clock())
    assert await recall(store, ADA, "猫", now=clock())  # an index may have been made by then
    before = await store.look(lambda transaction: list(transaction.connection.iterdump()))
    clock.advance(timedelta(days=1))
    assert await recall(store, ADA, "猫", now=clock())
    assert await store.look(lambda transaction: list(transaction.connection.iterdump())) == before


@pytest.mark.parametrize("query", ["谢谢", "2+2", "ok", "", "   ", "。"])
async def test_what_asks_for_nothing_gets_nothing(store: MemoryStore, clock: FixedClock, query: str) -> None:
    await keep(store, "谢谢你帮我算出 2+2 的 ok 结果", clock())
    assert await recall(store, ADA, query, now=clock()) == ()


async def test_what_has_nothing_to_do_with_the_query_is_not_shown(tmp_path: Path, clock: FixedClock) -> None:
    async with MemoryStore(tmp_path / "v.db", clock=clock, embedder=HashEmbedder(384)).opened() as store:
        await keep(store, "我养了一只叫豆豆的猫", clock())
        assert await recall(store, ADA, "Rust borrow checker", now=clock()) == ()
        assert len(await recall(store, ADA, "Rust borrow checker", Wanted(gated=False), now=clock())) == 1


async def test_at_most_as_many_as_wanted_are_given(store: MemoryStore, clock: FixedClock) -> None:
    for number in range(20):
        await keep(store, f"第 {number} 次去西湖划船", clock())
    await keep(store, "在北京吃烤鸭", clock())
    assert len(await recall(store, ADA, "西湖划船", Wanted(limit=3, gated=False), now=clock())) == 3
    assert await recall(store, ADA, "西湖划船", Wanted(limit=0), now=clock()) == ()


async def test_a_time_a_thread_and_a_turn_may_be_wanted(store: MemoryStore, clock: FixedClock) -> None:
    first = clock()
    await keep(store, "西湖的荷花开了", first, thread="one")
    later = clock.advance(timedelta(days=10))
    await keep(store, "西湖的桂花开了", later, thread="two")
    await keep(store, "西湖下雪了", None, thread="two")
    everything = await recall(store, ADA, "西湖", now=later)
    assert len(everything) == 3
    turn = next(one.turn_id for one in everything if "荷花" in one.text)
    wanted = {
        "since": (Wanted(since=later), ["西湖的桂花开了"]),
        "until": (Wanted(until=first), ["西湖的荷花开了"]),
        "thread": (Wanted(thread_id="one"), ["西湖的荷花开了"]),
        "turn": (Wanted(not_turn=turn), ["西湖下雪了", "西湖的桂花开了"]),
    }
    for name, (one, expected) in wanted.items():
        assert sorted(texts(await recall(store, ADA, "西湖", one, now=later))) == expected, name


async def test_a_time_may_be_given_in_any_time_zone(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "西湖的荷花开了", clock())
    east = datetime.fromisoformat("2026-05-04T16:59:00+08:00")  # a minute before it was said
    assert len(await recall(store, ADA, "西湖", Wanted(since=east), now=clock())) == 1
    assert await recall(store, ADA, "西湖", Wanted(since=east + timedelta(minutes=2)), now=clock()) == ()


async def test_it_does_not_matter_in_which_time_zone_something_was_said(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "西湖的荷花开了", clock().astimezone(timezone(timedelta(hours=8))))
    await keep(store, "西湖下雪了", clock().astimezone(timezone(timedelta(hours=-8))))
    minute = timedelta(minutes=1)
    assert (
        len(await recall(store, ADA, "西湖", Wanted(since=clock() - minute, until=clock() + minute), now=clock())) == 2
    )
    assert await recall(store, ADA, "西湖", Wanted(since=clock() + minute), now=clock()) == ()
    assert await recall(store, ADA, "西湖", Wanted(until=clock() - minute), now=clock()) == ()


async def test_a_time_with_a_fraction_of_a_second_is_compared_by_time(store: MemoryStore, clock: FixedClock) -> None:
    said_at = clock() + timedelta(milliseconds=500)
    await keep(store, "西湖的荷花开了", said_at)
    assert len(await recall(store, ADA, "西湖", Wanted(since=clock()), now=said_at)) == 1
    assert await recall(store, ADA, "西湖", Wanted(until=clock()), now=said_at) == ()
    assert len(await recall(store, ADA, "西湖", Wanted(until=clock() + timedelta(seconds=1)), now=said_at)) == 1


async def test_an_agent_sees_its_own_and_what_all_share(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "西湖的荷花开了", clock())
    await keep(store, "西湖下雪了", clock(), agent="coach")
    await keep(store, "西湖涨水了", clock(), agent="other")
    found = await recall(store, Owner(user="ada", agent="coach"), "西湖", now=clock())
    assert sorted((one.agent, one.text) for one in found) == [("_", "西湖的荷花开了"), ("coach", "西湖下雪了")]
    assert len(texts(await recall(store, ADA, "西湖", now=clock()))) == 1


async def test_facts_are_found_by_what_they_are_called_in_both_languages(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "我对花生过敏", clock())
    for query in ("过敏", "allergic"):
        found = await recall(store, ADA, query, Wanted(kind="facts"), now=clock())
        assert texts(found) == ["user.allergy: 花生"]


async def test_a_fact_that_no_longer_holds_is_not_recalled(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "我住在北京", clock())
    await keep(store, "我住在上海", clock.advance(timedelta(days=2)))
    assert texts(await recall(store, ADA, "居住地", Wanted(kind="facts"), now=clock())) == ["user.lives_in: 上海"]


async def test_with_its_history_a_fact_that_no_longer_holds_is_found_and_says_so(
    store: MemoryStore, clock: FixedClock
) -> None:
    await keep(store, "我住在北京", clock())
    await keep(store, "我住在上海", clock.advance(timedelta(days=2)))
    found = await recall(store, ADA, "居住地", Wanted(kind="facts", history=True), now=clock())
    assert sorted(texts(found)) == [
        "user.lives_in: 上海",
        f"user.lives_in: 北京 (superseded, until {clock():%Y-%m-%d})",
    ]


async def test_of_two_equal_memories_the_more_recent_or_more_used_comes_first(
    store: MemoryStore, clock: FixedClock
) -> None:
    await keep(store, "西湖的荷花开了", clock(), thread="old")
    now = clock.advance(timedelta(days=60))
    await keep(store, "西湖的荷花开了", now, thread="new")
    found = await recall(store, ADA, "西湖的荷花", now=now)
    assert [one.thread_id for one in found] == ["new", "old"]
    await apply(store, ADA, [CountUses(episode_ids=(found[1].id,), at=now)] * 10)
    assert [one.thread_id for one in await recall(store, ADA, "西湖的荷花", now=now)] == ["old", "new"]


async def test_an_exchange_is_shown_once_around_what_was_recalled(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "西湖的荷花开了", clock())
    (one,) = await recall(store, ADA, "西湖", now=clock())
    gone = (one.agent, "forgotten-meanwhile")
    (exchange,) = await exchanges_around(store, ADA, [(one.agent, one.id), gone, (one.agent, one.id)])
    assert (exchange.turn_id, len(exchange.episodes)) == (one.turn_id, 1)
    assert len(exchange.episodes) <= MAX_LINES


async def test_what_was_said_again_and_again_leaves_room_for_the_rest(store: MemoryStore, clock: FixedClock) -> None:
    for number in range(6):
        await keep(store, "我对花生过敏。", clock.advance(timedelta(days=1)), thread=f"t{number}")
        await keep(store, "I am allergic to peanuts!", clock(), thread=f"e{number}")
    await keep(store, "花生会让我嘴肿", clock(), thread="other")
    await keep(store, "peanuts make my lips swell", clock(), thread="other")
    for query, rest in (("花生过敏", "花生会让我嘴肿"), ("allergic to peanuts", "peanuts make my lips swell")):
        found = texts(await recall(store, ADA, query, Wanted(limit=4), now=clock()))
        assert len(found) == 4
        assert rest in found[:3]
        everything = await recall(store, ADA, query, Wanted(limit=50), now=clock())
        bare = await recall(store, ADA, query, Wanted(limit=50, gated=False), now=clock())
        assert {one.id for one in everything} <= {one.id for one in bare}
        assert [one.score for one in bare] == sorted((one.score for one in bare), reverse=True)
        assert len(set(texts(everything))) < len(everything)  # where there is room, repetitions are there


@pytest.mark.parametrize("kind", ["episodes", "facts"])
async def test_a_bigger_budget_only_ever_adds_at_the_end(
    store: MemoryStore, clock: FixedClock, kind: RecalledKind
) -> None:
    for text in ("我对花生过敏", "我对虾过敏，吃了会肿", "I'm allergic to cats", "我对花粉过敏", "过敏的时候我吃药"):
        await keep(store, text, clock.advance(timedelta(hours=2)), thread=text)
    query = "我对什么过敏 allergic"
    whole = await recall(store, ADA, query, Wanted(kind=kind), now=clock())
    less: tuple[Recalled, ...] = ()
    sizes = set()
    for budget in range(0, 400, 10):
        more = await recall(store, ADA, query, Wanted(kind=kind, max_tokens=budget), now=clock())
        assert more[: len(less)] == less
        less = more
        sizes.add(len(more))
    assert less == whole
    assert sizes == set(range(len(whole) + 1))


async def test_what_a_prompt_shows_of_it_counts_against_the_budget(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "西湖的荷花开了", clock(), thread="one")
    (one,) = await recall(store, ADA, "西湖", now=clock())
    (exchange,) = await exchanges_around(store, ADA, [(one.agent, one.id)])
    parts = PromptParts(window=(HumanMessage("西湖"),), count=count_tokens, recalled=(exchange.shown,))
    needed = count_tokens(assemble(parts)[-1].text.removesuffix("西湖"))
    assert await recall(store, ADA, "西湖", Wanted(max_tokens=needed), now=clock()) == (one,)
    assert await recall(store, ADA, "西湖", Wanted(max_tokens=count_tokens(one.text)), now=clock()) == ()


async def test_what_answers_anothers_question_is_known_to(store: MemoryStore, clock: FixedClock) -> None:
    talk = (
        ("Bo", "Where do you keep the spare key?"),
        ("Ada", "Under the blue pot"),
        ("Ada", "备用钥匙放在哪？"),
        ("Bo", "蓝色花盆下面"),
    )
    for speaker, text in talk:
        await remember(store, ADA, text, speaker=speaker, thread_id="talk", said_at=clock())
    found = await recall(store, ADA, "spare key blue pot 蓝色花盆 备用钥匙", Wanted(gated=False), now=clock())
    assert {one.text for one in found if one.answers} == {"Under the blue pot", "蓝色花盆下面"}


@pytest.mark.parametrize(
    "odd",
    [
        {"text": "my dog"},
        {"text": "my dog", "speaker": 7, "thread_id": None, "position": "x", "uses": "many"},
        {"text": ["my dog"], "said_at": "9999-12-31T23:59:59-14:00"},
    ],
    ids=["bare", "of other types", "at the end of time"],
)
async def test_what_was_put_among_episodes_in_another_shape_is_passed_over(
    store: MemoryStore, clock: FixedClock, odd: dict[str, Any]
) -> None:
    await keep(store, "My dog is called Biscuit", clock())
    await store.aput(("users", "ada", "_", "episodes"), "odd", odd)
    for query in ("What is my dog called?", "What did I say about my dog in May?"):
        assert texts(await recall(store, ADA, query, now=clock())) == ["My dog is called Biscuit"]


async def test_a_time_without_a_zone_is_taken_to_be_in_utc(store: MemoryStore, clock: FixedClock) -> None:
    await keep(store, "My dog is called Biscuit", clock())
    row = (await store.asearch(("users", "ada", "_", "episodes")))[0]
    await store.aput(row.namespace, row.key, {**row.value, "said_at": "2026-05-01T08:00:00"})
    (found,) = await recall(store, ADA, "What is my dog called?", now=clock())
    assert found.said_at == datetime(2026, 5, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"max_tokens": -5}])
def test_less_than_nothing_cannot_be_wanted(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="give 0 or more"):
        Wanted(**wrong)
