from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memory.seams import EmbeddingError
from skills.bilingual import same
from skills.matcher import match, passages_of
from skills.ordinary import ORDINARY
from skills.skill_file import Skill

CALLS = [
    ("进度怎么样了？", "track_delivery"),
    ("我的订单号是 #8842，帮我查物流", "track_delivery"),
    ("什么时候发货", "track_delivery"),
    ("东西到哪了", "track_delivery"),
    ("Where is my order?", "track_delivery"),
    ("track #8842", "track_delivery"),
    ("Could you track my parcel please", "track_delivery"),
    ("我要退单", "cancel_order"),
    ("把订单 #8843 取消吧", "cancel_order"),
    ("Please cancel my order", "cancel_order"),
    ("帮我退一下差价", "refund_partial"),
    ("I'd like a partial refund", "refund_partial"),
    ("记个笔记：周五交报告", "take_note"),
    ("Take a note: the report is due on Friday", "take_note"),
    ("帮我做一个学习计划", "plan_study"),
    ("make me a study plan", "plan_study"),
    ("总结一下这篇文章", "summarise_reading"),
    ("Summarise this article for me", "summarise_reading"),
    ("我回来了！", "greet_returning_player"),
    ("Hey, I'm back", "greet_returning_player"),
    ("任务进度怎么样了", "continue_quest"),
    ("let's continue the quest", "continue_quest"),
    ("你答应过我的", "recall_promise"),
    ("But you promised!", "recall_promise"),
]
NO_CALLS = [
    "你好",
    "谢谢",
    "谢谢！",
    "2+2",
    "2+2 等于几？",
    "还在吗",
    "好的，知道了",
    "再见",
    "我对花生过敏",
    "今天天气怎么样",
    "我叔叔是快递员",
    "hello",
    "Thanks a lot!",
    "what is 2+2?",
    "good night",
    "my sister lives in Berlin",
    "I love this soundtrack",
    "👍",
    "",
]


def skill(skill_id: str, *triggers: str, description: str = "something") -> Skill:
    return Skill(
        id=skill_id, triggers=triggers, description=same(description), steps=(same("do it"),), source=Path("a.yaml")
    )


class Meant:
    """A measure that finds texts near that hold a word, and ordinary talk in its usual spread."""

    def __init__(self, near: str, *, cosine: float) -> None:
        self.near = near
        self.cosine = cosine
        self.asked = 0

    async def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked += 1
        return [self.cosine if self.near in text else 0.78 + 0.02 * (number % 3) for number, text in enumerate(texts)]


async def unreachable(question: str, texts: Sequence[str]) -> Sequence[float]:
    raise EmbeddingError("the model cannot be reached")


@pytest.mark.parametrize(("message", "skill_id"), CALLS)
async def test_a_trigger_calls_its_skill(packaged: tuple[Skill, ...], message: str, skill_id: str) -> None:
    assert [found.skill_id for found in await match(packaged, message, similarity=None)] == [skill_id]


@pytest.mark.parametrize("message", NO_CALLS)
async def test_small_talk_calls_nothing(packaged: tuple[Skill, ...], message: str) -> None:
    assert await match(packaged, message, similarity=None) == []


async def test_longer_words_win_over_those_within_them() -> None:
    skills = (skill("deliveries", "进度"), skill("quests", "任务进度"))
    assert [found.skill_id for found in await match(skills, "任务进度如何", similarity=None)] == ["quests"]
    both = await match(skills, "任务进度如何，包裹的进度呢", similarity=None)
    assert [found.skill_id for found in both] == ["quests", "deliveries"]


async def test_no_more_than_the_limit_is_given_and_the_best_first() -> None:
    skills = tuple(skill(f"s{number}", "浇花", "浇花工具" if number == 2 else "浇水") for number in range(4))
    found = await match(skills, "浇花，浇花工具在哪", similarity=None, limit=1)
    assert [one.skill_id for one in found] == ["s2"]


async def test_the_reason_names_the_trigger() -> None:
    [found] = await match((skill("plants", "浇花"),), "去浇花", similarity=None)
    assert found.why == "trigger '浇花'"
    assert 0.8 <= found.score <= 1


async def test_meaning_finds_what_no_trigger_says() -> None:
    skills = (
        skill("plants", "water the plants", description="care for plants"),
        skill("fish", "喂鱼", description="fish"),
    )
    [found] = await match(skills, "the ficus looks dry", similarity=Meant("plants", cosine=0.86))
    assert found.skill_id == "plants"
    assert 0.5 <= found.score < 0.8
    assert found.why.startswith("meaning")


async def test_a_skill_no_nearer_than_ordinary_talk_is_not_meant() -> None:
    skills = (skill("plants", "water the plants", description="care for plants"),)
    assert await match(skills, "the ficus looks dry", similarity=Meant("plants", cosine=0.82)) == []


async def test_where_all_is_equally_near_nothing_is_meant() -> None:
    async def flat(question: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.0] * len(texts)

    assert await match((skill("plants", "浇花"),), "hello there", similarity=flat) == []


async def test_meaning_is_not_asked_where_a_trigger_was_said_or_there_are_no_words() -> None:
    measure = Meant("plants", cosine=0.9)
    skills = (skill("plants", "water the plants", description="care for plants"),)
    await match(skills, "water the plants", similarity=measure)
    await match(skills, "2 + 2 = ?", similarity=measure)
    assert measure.asked == 0


async def test_an_embedder_out_of_reach_leaves_the_triggers() -> None:
    skills = (skill("plants", "浇花"),)
    assert await match(skills, "干了", similarity=unreachable) == []
    assert [found.skill_id for found in await match(skills, "浇花", similarity=unreachable)] == ["plants"]


async def test_without_skills_nothing_matches() -> None:
    assert await match((), "取消订单", similarity=None) == []


def test_a_skill_is_embedded_in_each_language_by_itself(packaged: tuple[Skill, ...]) -> None:
    zh, en, said_zh, said_en = passages_of(packaged[0])
    assert zh.startswith("按订单号取消")
    assert said_zh.startswith("取消订单，")
    assert en.isascii()
    assert said_en.isascii()
    assert passages_of(skill("plants", "浇花", description="浇水")) == ["浇水", "浇花"]


def test_ordinary_messages_are_as_many_in_chinese_as_in_english() -> None:
    assert sum(text.isascii() for text in ORDINARY) * 2 == len(ORDINARY) == len(set(ORDINARY))
