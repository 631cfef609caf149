"""A changes run: what is believed in the course of a pair, among much else that is known, and what junk leaves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.changes_beside import MOST_OF_A_FAMILY, made_up, write_beside
from jiyi.evals.changes_file import Junk
from jiyi.evals.changes_run import OWNER, Course, run_junk, run_pairs
from jiyi.testing import FixedClock
from memory.keys import ASKED_FOR, default_keys
from memory.kinds import Fact
from store.memory_store import MemoryStore
from store.profile import facts_of
from tests.jiyi.evals.changes_made import MOVED_ZH, pair

KEYS = default_keys()
SAID_AT = datetime(2026, 5, 4, tzinfo=UTC)


def values(facts: tuple[Fact, ...]) -> dict[str, str]:
    return {fact.key: fact.value for fact in facts}


async def run_one(said: tuple[str, str, str, str, str], *, key: str = "user.lives_in") -> Course:
    (course,) = await run_pairs([pair(said=said, key=key)], beside=60, replays=3)
    return course


@pytest.mark.parametrize("said", [pair().first, MOVED_ZH[0]], ids=["en", "zh"])
async def test_what_is_said_anew_takes_the_place_of_the_old_and_of_nothing_else(said: str) -> None:
    one = pair() if said == pair().first else pair(said=MOVED_ZH, language="zh")
    (course,) = await run_pairs([one], beside=60, replays=3)
    assert values(course.learned) == {"user.lives_in": one.old}
    assert values(course.held) == {"user.lives_in": one.new}
    assert course.beside >= 60
    assert (course.changed, course.overwritten, course.waiting) == ((), (), frozenset())
    assert (course.grown, course.turned) == (0, 0)


async def test_what_the_second_message_says_under_another_key_is_told_apart() -> None:
    said = ("I live in Leeds.", "I live in Porto now. I work at Brightline.", "Leeds", "Porto", "Where do I live?")
    course = await run_one(said)
    assert values(course.held) == {"user.lives_in": "Porto", "user.employer": "Brightline"}
    assert course.changed == course.overwritten == ("user.employer",)


async def test_nothing_is_left_behind(tmp_path: Path) -> None:
    await run_pairs([pair()], beside=5, replays=1, folder=tmp_path)
    await run_junk([Junk(id="j", language="en", kind="chatter", text="Thanks!")], folder=tmp_path)
    assert await asyncio.to_thread(lambda: list(tmp_path.iterdir())) == []


async def test_what_junk_leaves_is_told_for_each_message_by_itself() -> None:
    texts = ("Thanks a lot!", "I live in Leeds.", "谢谢啦", "我住在北京。")
    left = await run_junk([Junk(id=text, language="", kind="chatter", text=text) for text in texts])
    assert [values(one.facts) for one in left] == [{}, {"user.lives_in": "Leeds"}, {}, {"user.lives_in": "北京"}]


@given(st.integers(0, 120), st.integers(0, 3))
def test_what_is_made_up_is_the_same_each_time_and_fits_its_family(number: int, seed: int) -> None:
    known = made_up(number, keys=KEYS, seed=seed)
    assert known == made_up(number, keys=KEYS, seed=seed)
    assert len(set(known)) == len(known) == number
    for key, _ in known:
        spec = KEYS.spec(key)
        assert spec is not None
        of_key = [other for other, _ in known if other == key]
        assert len(of_key) <= (1 if spec.single else MOST_OF_A_FAMILY)


def test_what_is_made_up_is_of_every_family_but_what_must_be_asked_for() -> None:
    known = made_up(1_000, keys=KEYS)
    made = {spec.pattern for key, _ in known if (spec := KEYS.spec(key))}
    assert made == {spec.pattern for spec in KEYS.specs} - {ASKED_FOR}
    assert any(value.isascii() for _, value in known)
    assert any(not value.isascii() for _, value in known)


async def test_all_that_is_made_up_is_believed(tmp_path: Path) -> None:
    known = made_up(1_050, keys=KEYS)
    await write_beside(tmp_path / "m.db", OWNER, known, said_at=SAID_AT)
    async with MemoryStore(tmp_path / "m.db", clock=FixedClock(SAID_AT)).opened(keeps_up=False) as store:
        facts = await facts_of(store, OWNER)
    assert sorted((fact.key, fact.value) for fact in facts) == sorted(known)
