"""Keeping conversations: interrupted, repeated, at the same time, with vectors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jiyi.reading.keeping import BATCH_TURNS, keep_conversations
from jiyi.reading.said import Conversation, Said
from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder
from memory.kinds import Episode, Evidence, from_value
from memory.namespaces import Owner, user_space
from memory.seams import Embedder
from store.memory_store import MemoryStore

NOW = datetime(2026, 5, 1, 8, tzinfo=UTC)
OWNER = Owner(user="ada")


class InterruptionError(RuntimeError):
    """The process ends here."""


def store_at(path: Path, embedder: Embedder | None) -> MemoryStore:
    return MemoryStore(path / "memory.db", clock=FixedClock(NOW), embedder=embedder)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[MemoryStore]:
    async with store_at(tmp_path, HashEmbedder()).opened() as opened:
        yield opened


def conversation(name: str, *texts: str) -> Conversation:
    said = tuple(Said(name=f"m{at}", speaker="user", text=text, position=at) for at, text in enumerate(texts))
    return Conversation(name=name, said=said, keeps_names=True)


def numbered(name: str, many: int) -> Conversation:
    return conversation(name, *(f"{name} counted {number} birds" for number in range(many)))


async def kept(store: MemoryStore) -> list[Episode]:
    rows = await store.look(lambda transaction: transaction.find(user_space(OWNER, "episodes")))
    return [from_value(Episode, row.value) for row in rows]


async def unindexed(store: MemoryStore) -> int:
    counted = await store.database.read(
        lambda connection: connection.execute("SELECT count(*) FROM unindexed").fetchone()
    )
    return int(counted[0])


async def test_vectors_are_made_as_it_goes(store: MemoryStore) -> None:
    waiting: list[int] = []
    done = 0

    def on_kept(turns: int) -> None:
        nonlocal done
        done += turns

    whole = numbered("c", BATCH_TURNS * 2 + 5)
    await keep_conversations(store, OWNER, [whole], on_kept=on_kept)
    waiting.append(await unindexed(store))

    assert (done, waiting) == (BATCH_TURNS * 2 + 5, [0])


async def test_an_interruption_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    whole = numbered("c", BATCH_TURNS + 10)
    left = BATCH_TURNS + 3

    def interrupt(turns: int) -> None:
        nonlocal left
        left -= turns
        if not left:
            raise InterruptionError

    async with store_at(tmp_path, HashEmbedder()).opened() as store:
        with pytest.raises(InterruptionError):
            await keep_conversations(store, OWNER, [whole], on_kept=interrupt)
        assert await unindexed(store) == 3
    async with store_at(tmp_path, HashEmbedder()).opened() as store:
        tally = await keep_conversations(store, OWNER, [whole])
        assert (tally.new, tally.known) == (7, BATCH_TURNS + 3)
        assert [one.text for one in await kept(store)] == [one.text for one in whole.said]
        assert await unindexed(store) == 0


async def test_two_that_want_the_same_ids_at_once_both_keep_everything(store: MemoryStore) -> None:
    one, other = numbered("one", 20), numbered("other", 20)

    tallies = await asyncio.gather(*(keep_conversations(store, OWNER, [each]) for each in (one, other)))

    assert [(tally.new, tally.known) for tally in tallies] == [(20, 0), (20, 0)]
    assert {each.text for each in await kept(store)} == {each.text for each in (*one.said, *other.said)}
    again = await keep_conversations(store, OWNER, [other, one])
    assert (again.new, again.known) == (0, 40)


async def test_two_that_keep_the_same_at_once_keep_it_once(store: MemoryStore) -> None:
    whole = numbered("c", 20)

    tallies = await asyncio.gather(*(keep_conversations(store, OWNER, [whole]) for _ in range(2)))

    assert sum(tally.new for tally in tallies) == 20
    assert [tally.new + tally.known for tally in tallies] == [20, 20]
    assert len(await kept(store)) == 20


async def test_a_failing_embedder_does_not_stop_it(tmp_path: Path) -> None:
    async with store_at(tmp_path, FailingEmbedder()).opened() as store:
        tally = await keep_conversations(store, OWNER, [numbered("c", 5)])

        assert tally.new == 5
        assert await unindexed(store) == 5


async def test_facts_come_from_the_users_own_words_only_and_are_known_to_be_imported(store: MemoryStore) -> None:
    said = (
        Said(name="1", speaker="user", text="我对花生过敏", position=0, said_at=NOW),
        Said(name="2", speaker="assistant", text="我叫小王，我对芒果过敏", position=1, said_at=NOW),
        Said(name="3", speaker="小李", text="我住在上海", position=2, said_at=NOW),
    )

    tally = await keep_conversations(store, OWNER, [Conversation(name="c", said=said)])

    rows = await store.look(lambda transaction: transaction.find(user_space(OWNER, "evidence")))
    found = [from_value(Evidence, row.value) for row in rows]
    assert [(one.key, one.value, one.source, one.said_at) for one in found] == [("user.allergy", "花生", "import", NOW)]
    assert len(tally.facts) == 1
    assert found[0].episode_id in {one.id for one in await kept(store)}


async def test_what_tells_something_matters_more_than_small_talk(store: MemoryStore) -> None:
    await keep_conversations(store, OWNER, [conversation("c", "我对花生过敏", "谢谢")])

    telling, small = await kept(store)
    assert telling.importance > 0.5
    assert small.importance == 0
