"""recall keeps silent where nothing that was said helps, though the question itself is kept already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from jiyi.testing import FixedClock
from memory.namespaces import Owner
from memory.recalled import Recalled
from store.embed.local import LocalEmbedder
from store.memory_store import MemoryStore
from store.recall import recall
from store.remember import remember
from store.wanted import Wanted

ADA = Owner(user="ada")
SAID = (
    "我养了一只叫豆豆的猫",
    "The boiler in the cellar was repaired on Tuesday",
    "周末和表妹去爬了香山",
    "My sister moved to a farm near the coast",
    "新办公室在三楼，离电梯很近",
)
EMBEDDER = LocalEmbedder()


@pytest.fixture(params=["local", "none"])
async def store(tmp_path: Path, clock: FixedClock, request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    embedder = EMBEDDER if request.param == "local" else None
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as opened:
        for text in SAID:
            await remember(opened, ADA, text, said_at=clock(), thread_id=text)
        yield opened


async def recalled(store: MemoryStore, clock: FixedClock, query: str, wanted: Wanted | None = None) -> list[str]:
    return [one.text for one in await recall(store, ADA, query, wanted, now=clock())]


async def asked_in_a_turn(store: MemoryStore, clock: FixedClock, query: str) -> list[str]:
    """Keep what is asked before it is answered, as the agent does, and recall without it."""
    await remember(store, ADA, query, said_at=clock(), thread_id="now")
    everything: tuple[Recalled, ...] = await recall(
        store, ADA, query, Wanted(gated=False, thread_id="now"), now=clock.advance(timedelta(seconds=1))
    )
    return await recalled(store, clock, query, Wanted(not_turn=everything[0].turn_id))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("豆豆是什么动物？", SAID[0]),
        ("When was the boiler repaired?", SAID[1]),
        ("我和谁去爬了香山？", SAID[2]),
        ("Where did my sister move?", SAID[3]),
        ("电梯", SAID[4]),
        ("boiler", SAID[1]),
    ],
)
async def test_what_was_said_is_found(store: MemoryStore, clock: FixedClock, query: str, text: str) -> None:
    assert (await recalled(store, clock, query))[0] == text
    assert (await asked_in_a_turn(store, clock, query))[0] == text


@pytest.mark.parametrize(
    "query",
    [
        "What is 17 times 23?",
        "Translate this into German: see you at noon",
        "多谢，帮大忙了",
        "帮我写一首关于春天的诗",
        "Who composed the Moonlight Sonata?",
        "用 Python 怎么读取一个文件？",
    ],
)
async def test_small_talk_and_tasks_get_nothing(store: MemoryStore, clock: FixedClock, query: str) -> None:
    assert await recalled(store, clock, query) == []
    assert await asked_in_a_turn(store, clock, query) == []
    assert await recalled(store, clock, query, Wanted(gated=False)) != []


@pytest.mark.parametrize("query", ["Which orchestra plays the overture?", "交响乐团的指挥是谁？"])
async def test_that_a_question_was_asked_before_does_not_answer_it(
    store: MemoryStore, clock: FixedClock, query: str
) -> None:
    await remember(store, ADA, query, said_at=clock(), thread_id="before")
    assert query not in await asked_in_a_turn(store, clock, query)
