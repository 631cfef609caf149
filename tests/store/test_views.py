"""Events, follow-ups and relations stand in the store beside their facts, and go and change with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jiyi.testing import FixedClock
from memory.changes import ForgetFacts, KeepTurn
from memory.kinds import Act, Draft, Episode
from memory.namespaces import Owner, user_space
from store.apply import apply
from store.memory_store import MemoryStore

ADA = Owner(user="ada")


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as opened:
        yield opened


async def tell(
    store: MemoryStore, clock: FixedClock, key: str, value: str, *, act: Act = "state", days: int = 7
) -> None:
    """Keep a turn that says so, a day after what was said before."""
    now = clock.advance(timedelta(days=1))
    turn, text = f"t{now:%j}", f"my {value}" if act == "state" else f"forget my {value}, no longer {value}"
    said = Episode(id=turn, speaker="user", text=text, thread_id="t", turn_id=turn, position=0, said_at=now)
    happens_at = now + timedelta(days=days)
    draft = Draft(key=key, value=value, confidence=0.9, quote=text, act=act, said_at=now, happens_at=happens_at)
    await apply(store, ADA, [KeepTurn(episodes=(said,), drafts=(draft,))])


async def shown(store: MemoryStore, kind: Any) -> list[dict[str, Any]]:
    return [item.value for item in await store.asearch(user_space(ADA, kind))]


async def test_a_plan_is_an_event_of_the_day_that_was_said_last(store: MemoryStore, clock: FixedClock) -> None:
    await tell(store, clock, "user.plan", "exam in maths", days=7)
    await tell(store, clock, "user.plan", "exam in maths", days=9)

    (event,) = await shown(store, "events")
    assert event["happens_at"] == f"{clock() + timedelta(days=9):%Y-%m-%dT%H:%M:%S.%f}Z"
    assert len(event["evidence"]) == 2


async def test_a_follow_up_that_is_taken_back_is_done(store: MemoryStore, clock: FixedClock) -> None:
    await tell(store, clock, "user.todo", "tax papers")
    await tell(store, clock, "user.todo", "tax papers", act="retract")

    assert [one["status"] for one in await shown(store, "followups")] == ["done"]


async def test_a_new_employer_ends_the_relation_to_the_old_one(store: MemoryStore, clock: FixedClock) -> None:
    await tell(store, clock, "user.employer", "Acme")
    await tell(store, clock, "user.employer", "Umbra")

    ended = {one["object"]: one["valid_to"] is not None for one in await shown(store, "relations")}
    assert ended == {"Acme": True, "Umbra": False}


@pytest.mark.parametrize("kind", ["events", "followups", "relations"])
async def test_what_is_forgotten_is_nothing_besides(store: MemoryStore, clock: FixedClock, kind: str) -> None:
    keys = {"events": "user.plan", "followups": "user.todo", "relations": "user.employer"}
    await tell(store, clock, keys[kind], "birch house")
    assert len(await shown(store, kind)) == 1

    await apply(store, ADA, [ForgetFacts(key=keys[kind])])

    assert await shown(store, kind) == []
