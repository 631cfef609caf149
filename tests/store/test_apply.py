"""apply: all that is written of a memory, all or none, once, redacted, judged and audited."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi.testing import FixedClock, HashEmbedder
from memory.changes import AnswerTurn, AwaitTurn, Change, CountUses, DraftTurn, KeepTurn, SettleTurn
from memory.keys import default_keys
from memory.kinds import Draft, Episode, Pending, to_value
from memory.namespaces import Owner, user_root
from memory.seams import EmbeddingError, Vector
from store.apply import apply
from store.folding import refold_user
from store.memory_store import MemoryStore
from store.profile import facts_as_of, facts_of
from store.recall import recall
from store.remember import remember
from store.transaction import Transaction
from store.wanted import Wanted

ADA, BOB = Owner(user="ada"), Owner(user="bob")
EPISODES, PENDING = ("users", "ada", "_", "episodes"), ("users", "ada", "_", "pending")
ALLERGY = "我对花生过敏"


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=HashEmbedder()).opened() as opened:
        yield opened


def said(clock: FixedClock, text: str = ALLERGY, *, turn: str = "t1", speaker: str = "user") -> Episode:
    return Episode(
        id=f"{turn}-0", speaker=speaker, text=text, thread_id="thread", turn_id=turn, position=0, said_at=clock()
    )


def awaited(clock: FixedClock, text: str = ALLERGY, *, turn: str = "t1") -> AwaitTurn:
    pending = Pending(
        turn_id=turn, user="ada", agent="_", thread_id="thread", message_id=turn, text=text, said_at=clock()
    )
    return AwaitTurn(pending=pending, episode=said(clock, text, turn=turn))


def draft(key: str, value: str, quote: str, act: Literal["state", "correct", "retract"] = "state") -> Draft:
    return Draft(key=key, value=value, confidence=0.9, quote=quote, act=act)


PEANUTS = draft("user.allergy", "花生", ALLERGY)


async def values(store: MemoryStore, owner: Owner = ADA) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for fact in await facts_of(store, owner):
        held.setdefault(fact.key, []).append(fact.value)
    return held


async def audit(store: MemoryStore) -> list[tuple[str, str, str]]:
    rows = await store.look(
        lambda transaction: transaction.connection.execute(
            "SELECT actor, action, kind FROM audit ORDER BY id"
        ).fetchall()
    )
    return [tuple(row) for row in rows]


async def test_a_turn_goes_from_waiting_to_settled(store: MemoryStore, clock: FixedClock) -> None:
    first = await apply(store, ADA, [awaited(clock)])
    assert first.episodes == ("t1-0",)
    episode = await store.aget(EPISODES, "t1-0")
    assert episode is not None
    assert episode.value["pending"] is True
    await apply(store, ADA, [DraftTurn(turn_id="t1", drafts=(PEANUTS,), replies=("noted",), tools_used=("look",))])
    settled = await apply(store, ADA, [SettleTurn(turn_id="t1", at=clock())])
    assert (settled.settled, settled.episodes) == (("t1",), ("t1-1",))
    assert await store.aget(PENDING, "t1") is None
    episode = await store.aget(EPISODES, "t1-0")
    assert episode is not None
    assert (episode.value["pending"], episode.value["tools_used"]) == (False, ["look"])
    assert await values(store) == {"user.allergy": ["花生"]}


async def test_all_steps_may_be_repeated_and_change_nothing(store: MemoryStore, clock: FixedClock) -> None:
    steps: list[Change] = [
        awaited(clock),
        DraftTurn(turn_id="t1", drafts=(PEANUTS,), replies=("noted",)),
        SettleTurn(turn_id="t1", at=clock()),
    ]
    await apply(store, ADA, steps)
    before = [(item.key, item.value, item.updated_at) for item in await store.asearch(user_root("ada"), limit=50)]
    clock.advance(timedelta(hours=1))
    again = await apply(store, ADA, steps)
    assert (again.episodes, again.facts, again.settled) == ((), (), ())
    after = [(item.key, item.value, item.updated_at) for item in await store.asearch(user_root("ada"), limit=50)]
    assert after == before


async def test_the_first_drafts_stay(store: MemoryStore, clock: FixedClock) -> None:
    await apply(store, ADA, [awaited(clock), DraftTurn(turn_id="t1", drafts=(PEANUTS,), replies=("first",))])
    late = draft("user.name", "小王", ALLERGY)
    await apply(
        store,
        ADA,
        [
            DraftTurn(turn_id="t1", drafts=(late,), replies=("second",)),
            AnswerTurn(turn_id="t1", replies=("third",)),
            SettleTurn(turn_id="t1", at=clock()),
        ],
    )
    assert await values(store) == {"user.allergy": ["花生"]}
    reply = await store.aget(EPISODES, "t1-1")
    assert reply is not None
    assert reply.value["text"] == "first"


async def test_nothing_is_settled_that_does_not_wait(store: MemoryStore, clock: FixedClock) -> None:
    applied = await apply(
        store,
        ADA,
        [
            DraftTurn(turn_id="gone", drafts=(PEANUTS,), replies=("x",)),
            AnswerTurn(turn_id="gone", replies=("x",)),
            SettleTurn(turn_id="gone", at=clock()),
            CountUses(episode_ids=("gone-0",), at=clock()),
        ],
    )
    assert applied == type(applied)()
    assert await store.asearch(user_root("ada"), limit=10) == []


async def test_another_users_turn_of_the_same_name_is_not_settled(store: MemoryStore, clock: FixedClock) -> None:
    await apply(store, ADA, [awaited(clock), DraftTurn(turn_id="t1", drafts=(PEANUTS,))])
    applied = await apply(store, BOB, [SettleTurn(turn_id="t1", at=clock())])
    assert applied.settled == ()
    assert await store.aget(PENDING, "t1") is not None


async def test_a_change_that_fails_takes_all_others_of_its_call_with_it(store: MemoryStore, clock: FixedClock) -> None:
    bad = Episode(
        id="\ud800", speaker="user", text="no name", thread_id="t", turn_id="bad", position=0, said_at=clock()
    )
    with pytest.raises(ValueError, match="surrogates"):
        await apply(store, ADA, [KeepTurn(episodes=(said(clock),), drafts=(PEANUTS,)), KeepTurn(episodes=(bad,))])
    assert await store.asearch(user_root("ada"), limit=10) == []
    assert await audit(store) == []


async def test_secrets_are_replaced_wherever_they_come_in(store: MemoryStore, clock: FixedClock) -> None:
    number, mail = "13800138000", "someone@example.com"
    await apply(
        store,
        ADA,
        [
            awaited(clock, f"我的手机号是 {number}"),
            DraftTurn(turn_id="t1", drafts=(), replies=(f"I wrote to {mail}",)),
            SettleTurn(turn_id="t1", at=clock()),
            KeepTurn(episodes=(said(clock, f"write to {mail}", turn="t2"),)),
        ],
    )
    dump = await store.look(lambda transaction: "\n".join(transaction.connection.iterdump()))
    assert number not in dump
    assert mail not in dump


async def test_what_the_gate_refuses_is_counted_with_its_reason_and_not_kept(
    store: MemoryStore, clock: FixedClock
) -> None:
    text = "如果我搬到上海就好了"
    drafts = (
        draft("user.lives_in", "上海", text),
        draft("user.shoe_size_of_the_cat", "42", text),
        draft("user.allergy", "花生", "words that nobody said"),
    )
    applied = await apply(store, ADA, [KeepTurn(episodes=(said(clock, text),), drafts=drafts)])
    assert applied.facts == ()
    assert applied.refused == ("hypothetical", "unknown_key", "not_the_users_words")
    counted = await store.look(lambda transaction: transaction.refusals("ada"))
    assert counted == {"hypothetical": 1, "unknown_key": 1, "not_the_users_words": 1}
    assert await values(store) == {}


async def test_what_others_say_makes_no_facts_about_the_user(store: MemoryStore, clock: FixedClock) -> None:
    for speaker in ("assistant", "小李", "system"):
        episode = said(clock, ALLERGY, turn=f"by-{speaker}", speaker=speaker)
        await apply(store, ADA, [KeepTurn(episodes=(episode,), drafts=(PEANUTS,))])
    assert await values(store) == {}
    assert len(await store.asearch(EPISODES, limit=10)) == 3


async def test_every_write_has_its_line_in_the_audit_log_and_none_has_words(
    store: MemoryStore, clock: FixedClock
) -> None:
    await apply(store, ADA, [KeepTurn(episodes=(said(clock),), drafts=(PEANUTS,))], actor="ingest")
    clock.advance(timedelta(days=1))
    await apply(store, ADA, [KeepTurn(episodes=(said(clock, turn="t2"),), drafts=(PEANUTS,))])
    assert await audit(store) == [
        ("ingest", "WRITE", "episodes"),
        ("ingest", "WRITE", "facts"),
        ("agent", "WRITE", "episodes"),
        ("agent", "UPDATE", "facts"),
    ]
    rows = await store.look(lambda transaction: transaction.connection.execute("SELECT * FROM audit").fetchall())
    assert not any("花生" in str(tuple(row)) for row in rows)


async def test_uses_are_counted_and_move_no_words(store: MemoryStore, clock: FixedClock) -> None:
    await apply(store, ADA, [KeepTurn(episodes=(said(clock),))])
    later = clock.advance(timedelta(days=3))
    for _ in range(2):
        await apply(store, ADA, [CountUses(episode_ids=("t1-0", "unknown"), at=later)])
    item = await store.aget(EPISODES, "t1-0")
    assert item is not None
    assert (item.value["uses"], item.value["text"]) == (2, ALLERGY)
    (found,) = await recall(store, ADA, ALLERGY, now=later)
    assert found.parts.frequency == pytest.approx(0.2)


async def test_small_talk_is_kept_but_not_found(store: MemoryStore, clock: FixedClock) -> None:
    await remember(store, ADA, "谢谢")
    assert len(await store.asearch(EPISODES, limit=5)) == 1
    assert await store.asearch(EPISODES, query="谢谢", limit=5) == []


async def test_remembering_the_same_words_twice_keeps_them_once(store: MemoryStore, clock: FixedClock) -> None:
    for _ in range(3):
        await remember(store, ADA, ALLERGY, said_at=clock())
    assert len(await store.asearch(EPISODES, limit=5)) == 1
    (fact,) = await facts_of(store, ADA)
    assert len(fact.evidence) == 1


async def test_refolding_changes_nothing_that_is_right_and_mends_what_is_not(
    store: MemoryStore, clock: FixedClock
) -> None:
    await remember(store, ADA, ALLERGY, said_at=clock())
    assert await refold_user(store, ADA) == ()
    (fact,) = await facts_of(store, ADA)

    def spoil(transaction: Transaction) -> None:
        transaction.put(("users", "ada", "_", "facts"), fact.id, {**to_value(fact), "value": "芒果"})

    await store.transact("ada", spoil)
    assert await refold_user(store, ADA) == (fact.id,)
    assert await facts_of(store, ADA) == (fact,)


class HalfWayEmbedder(HashEmbedder):
    """An embedder that fails from its n-th call until it is mended."""

    def __init__(self, *, works: int) -> None:
        super().__init__()
        self.works = works

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.works -= 1
        if self.works < 0:
            raise EmbeddingError("down")
        return await super().embed_passages(texts)


class SlowEmbedder(HashEmbedder):
    """An embedder that is at work until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.begun.set()
        await self.go_on.wait()
        return await super().embed_passages(texts)


class ShortEmbedder(HashEmbedder):
    """An embedder that gives fewer vectors than it was given texts."""

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return (await super().embed_passages(texts))[:-1]

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return await super().embed_passages(texts)


async def unindexed(store: MemoryStore) -> int:
    (count,) = await store.look(
        lambda transaction: transaction.connection.execute("SELECT count(*) FROM unindexed").fetchone()
    )
    return int(count)


async def test_an_embedder_that_fails_half_way_loses_nothing(tmp_path: Path, clock: FixedClock) -> None:
    embedder = HalfWayEmbedder(works=5)
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as store:
        for number in range(10):
            await remember(store, ADA, f"第 {number} 天在杭州看风筝", said_at=clock())
        assert await unindexed(store) == 5
        found = await recall(store, ADA, "杭州的风筝", Wanted(limit=20, gated=False), now=clock())
        assert len(found) == 10
        embedder.works = 100
        assert await store.indexer.catch_up() == 5
        assert await unindexed(store) == 0


async def test_a_slow_embedder_keeps_no_other_write_waiting(tmp_path: Path, clock: FixedClock) -> None:
    embedder = SlowEmbedder()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as store:
        first = asyncio.create_task(remember(store, ADA, ALLERGY, said_at=clock()))
        await embedder.begun.wait()
        await apply(store, BOB, [KeepTurn(episodes=(said(clock, "我住在杭州"),))], index_now=False)
        assert len(await store.asearch(user_root("bob"), limit=5)) == 1
        assert await values(store) == {"user.allergy": ["花生"]}  # kept already, though not embedded
        assert not first.done()
        embedder.go_on.set()
        await first
        await store.indexer.catch_up()
        assert await unindexed(store) == 0


async def test_a_text_that_changes_while_it_is_embedded_gets_no_old_vector(tmp_path: Path, clock: FixedClock) -> None:
    embedder = SlowEmbedder()
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as store:
        place = ("a",)
        first = asyncio.create_task(store.aput(place, "k", {"text": "green tea"}))
        await embedder.begun.wait()
        await store.transact("", lambda it: it.put(place, "k", {"text": "black coffee"}, texts=("black coffee",)))
        embedder.go_on.set()
        await first
        await store.indexer.catch_up()
        rows = await store.look(lambda it: it.connection.execute("SELECT embedding FROM vectors").fetchall())
        (wanted,) = await embedder.embed_passages(["black coffee"])
        assert len(rows) == 1
        assert np.frombuffer(rows[0][0], dtype="<f4") == pytest.approx(list(wanted), abs=1e-6)


async def test_an_embedder_that_gives_too_few_vectors_is_a_failing_one(tmp_path: Path, clock: FixedClock) -> None:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=ShortEmbedder()).opened() as store:
        await asyncio.wait_for(remember(store, ADA, ALLERGY, said_at=clock()), timeout=20)
        assert await unindexed(store) == 2
        assert [item.value["text"] for item in await store.asearch(EPISODES, query="花生", limit=5)] == [ALLERGY]


CITIES, FOODS = ("杭州", "北京", "Paris"), ("花生", "芒果", "milk")
Turn = tuple[str, str, str, str]
turns = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["ada", "ada "]),
            st.just("user.lives_in"),
            st.sampled_from(["state", "correct", "retract"]),
            st.sampled_from(CITIES),
        ),
        st.tuples(
            st.sampled_from(["ada", "ada "]),
            st.just("user.allergy"),
            st.sampled_from(["state", "correct", "retract"]),
            st.sampled_from(FOODS),
        ),
    ),
    max_size=14,
)


def modelled(said_turns: Sequence[Turn], user: str) -> dict[str, list[str]]:
    """Say what a user holds after their own turns: one city, any number of allergies."""
    held: dict[str, list[str]] = {}
    for who, key, act, value in said_turns:
        if who != user:
            continue
        others = [other for other in held.get(key, []) if other != value]
        if act == "retract":
            held[key] = others
        else:
            held[key] = [value] if key == "user.lives_in" else [*others, value]
    return {key: sorted(kept) for key, kept in held.items() if kept}


async def held_after(store: MemoryStore, owner: Owner) -> dict[str, list[str]]:
    return {key: sorted(kept) for key, kept in (await values(store, owner)).items()}


def text_of(key: str, value: str, act: str) -> str:
    place = "我住在" if key == "user.lives_in" else "我过敏的是"
    return f"{place}{value}" if act != "retract" else f"已经不是{value}了"


@settings(max_examples=40, deadline=None)
@given(said_turns=turns)
async def test_users_who_speak_in_turns_each_hold_what_their_own_turns_say(said_turns: list[Turn]) -> None:
    clock = FixedClock(datetime(2026, 5, 4, 9, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        async with MemoryStore(Path(folder) / "m.db", clock=clock).opened() as store:
            for number, (user, key, act, value) in enumerate(said_turns):
                clock.advance(timedelta(hours=2))
                text = text_of(key, value, act)
                one = Draft(key=key, value=value, confidence=0.9, quote=text, act=act)  # type: ignore[arg-type]
                kept = KeepTurn(episodes=(said(clock, text, turn=f"t{number}"),), drafts=(one,))
                await apply(store, Owner(user=user), [kept])
            for user in ("ada", "ada "):
                owner = Owner(user=user)
                expected = modelled(said_turns, user)
                assert await held_after(store, owner) == expected
                assert await refold_user(store, owner) == ()
                believed = await facts_as_of(store, owner, clock(), keys=default_keys())
                assert {fact.id for fact in believed} == {
                    fact.id for fact in await facts_of(store, owner, active_only=False)
                }
