"""Wording: how many of a message's telling words a skill's name and description have.

An Agent-Skills folder has a description and mostly no triggers, so without an embedder its words must do. Words that
tell nothing are left out: function words, what ordinary messages say too, and what every description says ("use this
when the user wants").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.context_query import EMPTY_WORDS, REQUESTS
from memory.words import STOP_WORDS, has_cjk, query_words_of, words_of
from skills.ordinary import ORDINARY
from skills.skill_file import Skill

MIN_WEIGHT = 2.0
MIN_SHARE = 0.4
MIN_SHARE_ALONE = 0.6
"""A message calls a skill whose words weigh at least 2, and make up two fifths of its own telling words; three fifths
where it is one word alone, which must then be of the name.

Measured with 17 published skills and 12 written for this, half of those in Chinese: of 37 calls 29 find theirs, of
2,307 turns and questions of other people's conversations none finds one.
"""
_ENDINGS = (("ing", 4), ("ed", 4), ("es", 4), ("s", 3), ("e", 4))
"""English endings, each with how much of a word must be left."""
_NOT_FOR = re.compile(
    r"[^.。;；\n]*(?:\bdo not use\b|\bdon't use\b|\bnot for\b|不要用|不用于|不适用)[^.。;；\n]*", re.IGNORECASE
)
_SAY_NOTHING = """
use user when whenever want need ask any all including include skill task help work create mak make new write writing
file content like other one way thing read request mention trigger even also such through based support guide provide
good high quality set get it's i'm don't don time day today people person year week month etc
用户 使用 需要 帮助 想要 技能 时候 适用 提到 或者 以及 进行 可以 今天 昨天 明天 最近 时间 一个 自己 我们 他们 知道
觉得 喜欢 工作 生活 朋友 东西 事情 问题 介绍 内容
"""


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """What a message and a skill have in common.

    `weight` counts words, those of the skill's name twice, two Chinese characters as one; `share` is which part of the
    message's telling words they are, 0..1.
    """

    words: tuple[str, ...]
    weight: float
    share: float
    needed_share: float


def overlap(skill: Skill, said: Sequence[str]) -> Overlap:
    """Find which of a message's telling words stand in a skill's name and description."""
    name, described = _words_of_skill(skill.id, f"{skill.description.zh}\n{skill.description.en}")
    common = [word for word in said if word in name or (word in described and word not in _ordinary())]
    count = _count(common)
    return Overlap(
        words=tuple(common),
        weight=count + _count([word for word in common if word in name]),
        share=count / max(_count(said), 1.0),
        needed_share=MIN_SHARE if count > 1 else MIN_SHARE_ALONE,
    )


def telling_words(text: str) -> list[str]:
    """Give the words of a message that say what it is about, each once."""
    bare = EMPTY_WORDS.sub(" ", REQUESTS.sub(" ", text))
    return list(dict.fromkeys(_stems(query_words_of(bare))))


@lru_cache(maxsize=1024)
def _words_of_skill(name: str, description: str) -> tuple[frozenset[str], frozenset[str]]:
    """Give the words of a name and of a description; what the description says it is not for is left out."""
    described = _NOT_FOR.sub(" ", description)
    return frozenset(_stems(words_of(name.replace("-", " ")))), frozenset(_stems(words_of(described)))


@lru_cache(maxsize=1)
def _ordinary() -> frozenset[str]:
    return frozenset(_stem(word) for text in ORDINARY for word in query_words_of(text))


@lru_cache(maxsize=1)
def _silent() -> frozenset[str]:
    return frozenset(_stem(word) for word in _SAY_NOTHING.split()) | STOP_WORDS


def _stems(words: Iterable[str]) -> Iterable[str]:
    stems = (_stem(word) for word in words if len(word) > 1 and word not in STOP_WORDS)
    return (stem for stem in stems if stem not in _silent())


def _stem(word: str) -> str:
    """Take an English ending off, roughly; both sides are treated alike."""
    if not word.isascii():
        return word
    cut = (word.removesuffix(end) for end, left in _ENDINGS if word.endswith(end) and len(word) - len(end) >= left)
    return next(cut, word)


def _count(words: Sequence[str]) -> float:
    """Count words; the pairs of a run of Chinese characters (学习, 习计, 计划) count as half of what they span."""
    count, before = 0.0, ""
    for word in words:
        continues = has_cjk(word) and before[-1:] == word[0]
        count += 0.5 if continues else 1.0
        before = word if has_cjk(word) else ""
    return count
