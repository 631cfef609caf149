"""Recalled: a memory that bears on a query, with its score and the reasons for it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from memory.context_query import EMPTY_WORDS
from memory.fusion import Fused
from memory.importance import importance
from memory.prompt_texts import Language
from memory.ranking.corpus import TAIL_CHARS
from memory.ranking.table import GROUPS
from memory.ranking.terms import terms_of
from memory.score import weighted_by_use
from memory.words import CJK, has_cjk

RecalledKind = Literal["episodes", "facts"]

SIGNALS = (*GROUPS, "recency", "frequency", "assistant")
"""What a score is made of; each can be left out, to learn what it is worth."""

FIT_WEIGHT, RECENCY_WEIGHT, FREQUENCY_WEIGHT = 0.85, 0.10, 0.05
RECENT_BONUS, USED_BONUS, LEAST_DOUBT = 0.2, 0.2, 1e-12
LEAST_LEXICAL = 0.08
ASSISTANT_TELLS = 0.7
QUESTION_TELLS = 0.8
_QUESTION_END = re.compile(r"[?？]\s*$|[吗呢]\W*$")
LEAST_SEMANTIC = 0.30
LEAST_RECENCY, LEAST_FREQUENCY, LEAST_ADDED = 0.125, 0.3, 0.4
"""From when on that is a reason: a week ago, three uses, and what a group of signals must add (log odds)."""
MOST_NAMED = 6
DAY_S = 86_400.0
_AROUND = re.compile(r"^(?:[我你他她它您]们?的?|的(?=..))|(?<=..)[的了吗呢吧啊在叫是]+$")
_WORD = re.compile(rf"[{CJK}]+|#?[^\W_{CJK}]+(?:[-./:@+'’][^\W_{CJK}]+)*")


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a score is made of, each 0..1: how words and meaning fit, how recent and how often used it is."""

    lexical: float
    semantic: float
    recency: float
    frequency: float


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """A memory found for a query; `score` is 0..1 and higher is better.

    `agent` is whose memory of the user it is (`_` is shared by all). `said_at` is None when it is not known. `signals` are
    what each group of ranking's signals (`memory.ranking.table.GROUPS`) adds, in log odds; none where it was not ranked.
    `matched` are the query's words that stand in it (`same_words`); it `answers` where another had asked just before. It
    is `cleared` where the guard had held it back and somebody let it through. `overtaken_by` are ids of episodes, oldest first,
    in which the user has said otherwise since; it is `wholly_overtaken` where it says nothing besides.
    """

    id: str
    kind: RecalledKind
    agent: str
    text: str
    speaker: str
    thread_id: str
    turn_id: str
    said_at: datetime | None
    score: float
    parts: Parts
    signals: Mapping[str, float] = field(default_factory=dict)
    matched: tuple[str, ...] = ()
    answers: bool = False
    cleared: bool = False
    overtaken_by: tuple[str, ...] = ()
    wholly_overtaken: bool = False

    def why(self, language: Language = "en") -> str:
        """Say why it was recalled, for people: "same words: kite, red; similar in meaning"."""
        said = [self._said(reason, language) for reason in self._reasons()]
        return _MARKS[language].between.join(said) or _REASONS["nothing"][language]

    def _said(self, reason: str, language: Language) -> str:
        said, marks = _REASONS[reason][language], _MARKS[language]
        return (
            f"{said}{marks.before}{marks.within.join(self.matched[:MOST_NAMED])}"
            if reason == "words" and self.matched
            else said
        )

    def _reasons(self) -> list[str]:
        """Name what speaks for it, the words first."""
        added = {group: value for group, value in self.signals.items() if value >= LEAST_ADDED}
        telling = {
            "words": bool(self.matched) or self.parts.lexical >= LEAST_LEXICAL,
            "meaning": self.parts.semantic >= LEAST_SEMANTIC,
            "person": "person" in added,
            "when": "when" in added,
            "answers": "neighbours" in added and self.answers,
            "near": "neighbours" in added and not self.answers,
            "expansion": "expansion" in added,
            "recent": self.said_at is not None and self.parts.recency >= LEAST_RECENCY,
            "used": self.parts.frequency >= LEAST_FREQUENCY,
            "overtaken": bool(self.overtaken_by),
        }
        return [reason for reason, tells_so in telling.items() if tells_so]


_REASONS: Mapping[str, Mapping[Language, str]] = {
    "words": {"en": "same words", "zh": "用词相同"},
    "meaning": {"en": "similar in meaning", "zh": "意思相近"},
    "person": {"en": "said by or about the person asked about", "zh": "是所问的人说的，或说到了此人"},
    "when": {"en": "fits the time asked for", "zh": "时间对得上"},
    "answers": {"en": "answers the question before it", "zh": "回答了前一句的提问"},
    "near": {"en": "near what fits", "zh": "紧挨着相关的话"},
    "expansion": {"en": "words that go with those asked for", "zh": "用词常与所问的一同出现"},
    "recent": {"en": "recent", "zh": "最近的"},
    "used": {"en": "often used", "zh": "常用到"},
    "overtaken": {"en": "said otherwise since", "zh": "后来另有说法"},
    "nothing": {"en": "nothing in particular", "zh": "没有特别的理由"},
}


class _Marks(NamedTuple):
    """How a language writes a list: what stands before it, within it, and between reasons."""

    before: str
    within: str
    between: str


_MARKS: Mapping[Language, _Marks] = {"en": _Marks(": ", ", ", "; "), "zh": _Marks("：", "、", "；")}


def same_words(query: str, text: str) -> tuple[str, ...]:
    """Give the telling words of a query that stand in a text, as they are spelled there, in the query's order.

    English words are the same whatever their endings; of Chinese the longest runs that stand in both are given, since it is
    compared by pairs of characters.
    """
    places = {term: at for at, term in reversed(list(enumerate(terms_of(query))))}
    asked = unicodedata.normalize("NFKC", query)
    found: dict[int, str] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        for same in _runs(asked, word, places) if has_cjk(word) else (word,):
            at = min((places[term] for term in terms_of(same) if term in places), default=None)
            if at is not None:
                found.setdefault(at, _AROUND.sub("", same) or same)
    return tuple(
        dict.fromkeys(
            same for _, same in sorted(found.items()) if not any(_within(same, other) for other in found.values())
        )
    )


def _within(word: str, other: str) -> bool:
    return word != other and word in other


def _runs(asked: str, text: str, terms: Collection[str]) -> Iterator[str]:
    """Give the longest runs of a Chinese text that stand in what is asked and are more than function words.

    A single character only where it is asked for by itself.
    """
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and text[start : end + 1] in asked:
            end += 1
        run = text[start:end]
        if (len(run) > 1 or run in terms) and EMPTY_WORDS.sub("", run).strip():
            yield run
        start = end


def parts_of(*, lexical: float, semantic: float, said_at: datetime | None, uses: int, now: datetime) -> Parts:
    """Measure all that a score is made of."""
    idle_days = None if said_at is None else (now - said_at).total_seconds() / DAY_S
    used = weighted_by_use(similarity=max(lexical, semantic), idle_days=idle_days, uses=uses)
    return Parts(lexical=lexical, semantic=semantic, recency=used.recency, frequency=used.frequency)


def fit_of(fused: Fused, without: frozenset[str]) -> float:
    """Say how well something fits by those of words and meaning that count, 0..1; by neither, nothing fits."""
    if {"words", "meaning"} <= without:
        return 0.0
    return fused.semantic if "words" in without else fused.lexical if "meaning" in without else fused.score


def score_of(fit: float, parts: Parts, *, without: frozenset[str] = frozenset()) -> float:
    """Join how well it fits (0..1) with how recent and how often used it is.

    Recency and use break ties between what fits equally well; they never carry what does not fit.
    """
    return FIT_WEIGHT * fit + fit * _by_use(parts, RECENCY_WEIGHT, FREQUENCY_WEIGHT, without)


def with_use(ranked: float, parts: Parts, *, without: frozenset[str] = frozenset()) -> float:
    """Lift a ranking's score (0..1) a little by how recent and how often used it is, where scores are close.

    On the scale on which signals are summed (log odds), so that it weighs alike near 0, in the middle and near 1.
    """
    odds = ranked / max(1 - ranked, LEAST_DOUBT) * math.exp(_by_use(parts, RECENT_BONUS, USED_BONUS, without))
    return odds / (1 + odds)


def _by_use(parts: Parts, recent: float, used: float, without: frozenset[str]) -> float:
    """Weigh how recent and how often used it is, but for what does not count."""
    recency = 0.0 if "recency" in without else recent * parts.recency
    return recency + (0.0 if "frequency" in without else used * parts.frequency)


def tells(text: str, speaker: str, *, ranked: bool, without: frozenset[str] = frozenset()) -> float:
    """Say how much a message tells (0..1): what the assistant said, and what was only asked, tell less.

    Args:
        text: What was said.
        speaker: By whom.
        ranked: The form of the text has counted already.
        without: Signals that do not count.
    """
    said = ASSISTANT_TELLS if speaker == "assistant" and "assistant" not in without else 1.0
    asks = not ranked and "form" not in without and _QUESTION_END.search(text[-TAIL_CHARS:])
    return said * (QUESTION_TELLS if asks else 1.0)


def asks_for_memory(query: str) -> bool:
    """Tell whether a message can have to do with anything remembered: "谢谢", "2+2" and greetings cannot."""
    return importance(query) > 0


def bears_on(parts: Parts) -> bool:
    """Tell whether an item has enough to do with the query to be shown at all."""
    return parts.lexical >= LEAST_LEXICAL or parts.semantic >= LEAST_SEMANTIC
