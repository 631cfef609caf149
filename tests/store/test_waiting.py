"""Waiting turns: claimed by one, left to the living, taken from the dead."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jiyi.testing import FixedClock
from memory.changes import AwaitTurn, DraftTurn
from memory.kinds import Episode, Pending
from memory.namespaces import Owner
from store.apply import apply
from store.holders import Holders
from store.memory_store import MemoryStore
from store.waiting import LEASE, LONGER, MAX_TRIES, claim_turns, leave_turn, waiting_in, waiting_turns

ADA = Owner(user="a.da", agent="co.ach")


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as opened:
        yield opened


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def wait(store: MemoryStore, turn: str, *, owner: Owner = ADA, thread: str = "t", **known: object) -> None:
    now = store.clock()
    pending = Pending(
        turn_id=turn, user=owner.user, agent=owner.agent, thread_id=thread, message_id=turn, text="hi", said_at=now
    )
    said = Episode(id=f"{turn}-0", speaker="user", text="hi", thread_id=thread, turn_id=turn, position=0, said_at=now)
    await apply(store, owner, [AwaitTurn(pending=replace(pending, **known), episode=said)])  # type: ignore[arg-type]


async def claimed(store: MemoryStore, limit: int = 20) -> list[str]:
    return [one.pending.turn_id for one in await claim_turns(store, limit=limit)]


async def test_a_turn_waits_with_its_owner_whatever_the_ids_look_like(store: MemoryStore) -> None:
    await wait(store, "t1")
    (one,) = await waiting_turns(store)
    assert (one.owner, one.pending.turn_id) == (ADA, "t1")


async def test_a_threads_turns_are_its_own(store: MemoryStore) -> None:
    await wait(store, "t1", thread="one")
    await wait(store, "t2", thread="two")
    await wait(store, "t3", thread="one", owner=Owner(user="bob", agent="co.ach"))
    assert [one.turn_id for one in await waiting_in(store, ADA, "one")] == ["t1"]


async def test_the_oldest_are_claimed_first_and_each_once(store: MemoryStore) -> None:
    for number in range(5):
        await wait(store, f"t{number}")
    assert await claimed(store, limit=3) == ["t0", "t1", "t2"]
    assert await claimed(store, limit=3) == ["t3", "t4"]
    assert await claimed(store) == []


async def test_a_claim_lasts_for_its_lease_and_is_tried_three_times(store: MemoryStore, clock: FixedClock) -> None:
    await wait(store, "t1")
    for attempt in range(1, MAX_TRIES + 1):
        (one,) = await claim_turns(store)
        assert (one.pending.tries, one.pending.holder) == (attempt, store.holder)
        lease = LEASE * LONGER ** (attempt - 1)
        clock.advance(lease - timedelta(seconds=1))
        assert await claimed(store) == []
        clock.advance(timedelta(seconds=1))
    assert await claimed(store) == []
    assert [one.pending.turn_id for one in await waiting_turns(store)] == ["t1"]


async def test_a_turn_that_was_left_is_looked_at_again_later_and_was_not_tried(
    store: MemoryStore, clock: FixedClock
) -> None:
    await wait(store, "t1")
    for _ in range(MAX_TRIES * 2):
        assert await claimed(store) == ["t1"]
        await leave_turn(store, ADA, "t1")
        assert await claimed(store) == []
        clock.advance(LEASE)
    await leave_turn(store, ADA, "settled-meanwhile")


async def test_a_turn_that_is_claimed_can_still_be_drafted_by_its_own_run(store: MemoryStore) -> None:
    await wait(store, "t1")
    await claim_turns(store)
    await apply(store, ADA, [DraftTurn(turn_id="t1", drafts=(), replies=("x",))])
    (one,) = await waiting_turns(store)
    assert (one.pending.replies, one.pending.holder) == (("x",), store.holder)


async def test_only_the_dead_lose_their_lease(store: MemoryStore, clock: FixedClock) -> None:
    async with MemoryStore(store.path, clock=clock).opened() as other:
        lease = clock() + LEASE
        await wait(store, "of-the-living", holder=other.holder, lease_until=lease)
        await wait(store, "of-ones-own", holder=store.holder, lease_until=lease)
        await wait(store, "of-the-dead", holder="1-gone", lease_until=lease)
        await wait(store, "of-nobody", holder="", lease_until=lease)
        assert await claimed(store) == ["of-the-dead"]
    assert await claimed(store) == ["of-the-living"]
    clock.advance(LEASE + timedelta(seconds=1))
    assert sorted(await claimed(store)) == ["of-nobody", "of-ones-own", "of-the-dead", "of-the-living"]


async def test_who_is_alive_is_known_by_a_lock_that_goes_with_the_process(tmp_path: Path) -> None:
    one, other = Holders(tmp_path), Holders(tmp_path)
    async with one.joined() as name:
        assert not other.dead(name)
        assert not one.dead(name)
        async with other.joined() as another:
            assert another != name
    assert other.dead(name)
    assert other.dead("never-lived")
    assert files_in(tmp_path) == []


async def test_a_lock_file_left_behind_is_no_sign_of_life(tmp_path: Path) -> None:
    (tmp_path / "1-left.lock").touch()
    assert Holders(tmp_path).dead("1-left")
    assert files_in(tmp_path) == []
