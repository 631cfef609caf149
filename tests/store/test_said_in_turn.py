"""What is believed after messages said one after the other: nothing that was only asked, and nothing true is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jiyi.testing import FixedClock
from memory.namespaces import Owner
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.remember import remember

OWNER = Owner(user="u1")
HOME, DIET, RULE, HABIT = "user.lives_in", "user.diet", "user.diet.rule", "user.habit"
TALKS: dict[tuple[str, ...], set[tuple[str, str]]] = {
    ("My doctor wants to know if I'm allergic to penicillin.",): set(),
    ("My grandma wants to know if I'm engaged.",): set(),
    ("My mum keeps asking when I'm getting married.",): set(),
    ("I live in Leeds.", "My manager wonders why I'm moving to Berlin, I'm not."): {(HOME, "Leeds")},
    ("I'm Sam.", "Living in Leeds with my flatmates."): {("user.name", "Sam"), (HOME, "Leeds")},
    ("We're renting a flat in Bristol with two others.",): {(HOME, "Bristol")},
    ("I'm vegan.", "I only drink tea these days."): {(DIET, "vegan"), (RULE, "only drink tea")},
    ("I'm vegan.", "I don't eat mushrooms."): {(DIET, "vegan"), (RULE, "don't eat mushrooms")},
    ("I'm vegan.", "I'm no longer vegan."): set(),
    ("我吃素", "我从来不吃早饭"): {(DIET, "素食"), (RULE, "不吃早饭")},
    ("我不吃猪肉", "我不吃牛肉"): {(RULE, "不吃猪肉"), (RULE, "不吃牛肉")},
    ("我不吃牛肉", "我现在又吃牛肉了"): set(),
    ("I never wear a helmet.",): {(HABIT, "never wear a helmet")},
    ("I never actually started at the firm.",): set(),
    ("Momo, my cat, is 11.",): {("pet.Momo.kind", "cat"), ("pet.Momo.age", "11")},
    ("我家猫叫年糕", "年糕对鸡肉过敏"): {("pet.年糕.kind", "猫"), ("pet.年糕.allergy", "鸡肉")},
    ("I'm engaged.", "We got married in May."): {("user.marital_status", "married")},
    ("医生说我缺铁，现在我改吃鱼素了",): {(DIET, "鱼素")},
    ("I work at Deloitte.", "Last day at Deloitte was Friday."): set(),
}


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk[-1])
async def test_what_is_believed_after_a_talk(talk: tuple[str, ...], tmp_path: Path, clock: FixedClock) -> None:
    store = MemoryStore(tmp_path / "memory.db", clock=clock)
    async with store.opened(keeps_up=False):
        for day, text in enumerate(talk):
            at = clock() + timedelta(days=day)
            await remember(store, OWNER, text, said_at=at, thread_id=f"day-{day}")
        assert {(one.key, one.value) for one in await facts_of(store, OWNER)} == TALKS[talk]
