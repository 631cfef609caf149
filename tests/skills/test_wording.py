"""Matching Agent-Skills folders by words and by meaning: whole tables, because one sentence proves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.bilingual import same
from skills.matcher import judge, match
from skills.similarity import EmbeddedSimilarity
from skills.skill_file import Skill
from skills.wording import overlap, telling_words
from tests.skills.test_matcher import NO_CALLS
from tests.skills.test_meaning import ORDINARY_TALK, Nano

DESCRIPTIONS = {
    "会议纪要": "把会议录音文字或讨论整理成会议纪要，列出决议、待办和负责人。用户要写会议纪要、整理会议记录时使用。",
    "差旅报销": "填写差旅报销单：核对发票、计算补贴、检查限额。用户提到报销、发票、差旅费时使用。",
    "旅行计划": "规划旅行行程：景点、交通、住宿和预算。用户要做旅游攻略、行程安排时使用。",
    "water-plants": "Care for house plants. Use when asked how often to water a plant or why leaves turn yellow.",
    "expense-report": "File employee expense reports. Use when asked about expenses, receipts or reimbursement.",
    "bike-repair": "Fix a bicycle: punctures, brakes, gears, chain. Not for motorbikes and their engines.",
}
SAID_IN_ITS_WORDS = [
    ("帮我把刚才的讨论整理成会议纪要", "会议纪要"),
    ("整理一下会议记录", "会议纪要"),
    ("出差的发票怎么报销", "差旅报销"),
    ("我要报销差旅费", "差旅报销"),
    ("帮我做一份云南旅游攻略", "旅行计划"),
    ("安排一下五天的旅行行程", "旅行计划"),
    ("why are the leaves of my plant yellow?", "water-plants"),
    ("how often should I water my plants", "water-plants"),
    ("I need help with my expense report", "expense-report"),
    ("where do I put the receipts for reimbursement", "expense-report"),
    ("the brakes of my bicycle squeak", "bike-repair"),
    ("please fix the gears of my bike", "bike-repair"),
]
MEANT = [
    ("老板让我把今天开会说的写下来发给大家", "会议纪要"),
    ("出差住酒店的钱公司给多少", "差旅报销"),
    ("十一想去云南玩一周，怎么走好", "旅行计划"),
    ("my ficus looks dry and sad", "water-plants"),
    ("can I claim my hotel from the company", "expense-report"),
    ("the wheel of my cycle is bent", "bike-repair"),
]
OF_OTHER_THINGS = [
    "我昨天开会开到很晚",
    "机票真贵",
    "她在旅行社上班",
    "今天的水很凉",
    "I met her at a meeting in Paris",
    "my brother has a yellow car",
    "the engine of my motorbike is loud",
    "she reports to the director",
]


def described(name: str, description: str) -> Skill:
    folder = Path(name)
    return Skill(
        id=name, triggers=(), description=same(description), steps=(), source=folder / "SKILL.md", folder=folder
    )


SKILLS = tuple(described(name, description) for name, description in DESCRIPTIONS.items())


@pytest.mark.parametrize(("message", "name"), SAID_IN_ITS_WORDS)
async def test_without_an_embedder_words_call_a_skill(message: str, name: str) -> None:
    found = await match(SKILLS, message, similarity=None)
    assert [one.skill_id for one in found] == [name]
    assert 0.5 <= found[0].score < 0.8
    assert found[0].why.startswith("words ")


@pytest.mark.parametrize("message", [*NO_CALLS, *ORDINARY_TALK, *OF_OTHER_THINGS])
async def test_ordinary_talk_has_too_few_of_their_words(packaged: tuple[Skill, ...], message: str) -> None:
    assert await match((*SKILLS, *packaged), message, similarity=None) == []


async def test_what_was_near_is_told_with_what_it_lacks() -> None:
    judged = await judge(SKILLS, "the chain of the shop by the harbour is closed", similarity=None)
    assert judged.called == ()
    assert [(one.skill_id, one.score < 0.5) for one in judged.near] == [("bike-repair", True)]
    assert judged.near[0].why.endswith(": too few")


async def test_a_trigger_of_an_agent_skill_counts_before_words() -> None:
    called = Skill(
        id="feed-fish", triggers=("喂鱼",), description=same("x"), steps=(), source=Path("b"), folder=Path("b")
    )
    found = await match((*SKILLS, called), "喂鱼，整理会议记录", similarity=None)
    assert [one.skill_id for one in found] == ["feed-fish"]


async def test_more_than_may_be_taken_is_told_as_near() -> None:
    twins = tuple(described(f"fix-bike-{letter}", DESCRIPTIONS["bike-repair"]) for letter in "abc")
    judged = await judge(twins, "fix the brakes of my bicycle", similarity=None)
    assert [one.skill_id for one in judged.called] == ["fix-bike-a", "fix-bike-b"]
    assert judged.near[0].why.endswith("; only the best 2 are taken")


def test_pairs_of_chinese_characters_count_as_what_they_span() -> None:
    found = overlap(described("x", "续借图书馆的书"), telling_words("续借图书"))
    assert (found.words, found.weight, found.share) == (("续借", "借图", "图书"), 2.0, 1.0)


def test_words_of_the_name_count_twice_and_endings_not() -> None:
    found = overlap(described("pdf", "Merge files."), telling_words("merging pdfs"))
    assert (found.words, found.weight, found.share) == (("merg", "pdf"), 3.0, 1.0)


async def test_by_meaning_descriptions_find_paraphrases_and_ordinary_talk_finds_none() -> None:
    similarity = EmbeddedSimilarity(Nano())

    async def found(message: str) -> set[str]:
        return {one.skill_id for one in await match(SKILLS, message, similarity=similarity)}

    missed = [message for message, name in [*SAID_IN_ITS_WORDS, *MEANT] if name not in await found(message)]
    disturbed = [message for message in [*ORDINARY_TALK, *OF_OTHER_THINGS] if await found(message)]
    assert len(disturbed) <= 1, "motorbikes are near to bicycles: what a description says it is not for, counts too"
    assert len(missed) <= len([*SAID_IN_ITS_WORDS, *MEANT]) // 3, missed
