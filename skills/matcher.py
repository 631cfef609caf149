"""The matcher: which skills a message calls for, by their triggers or by their meaning, and often none."""

from __future__ import annotations

import logging
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from memory.seams import EmbeddingError
from skills.ordinary import ORDINARY
from skills.similarity import Similarity
from skills.skill_file import Skill
from skills.triggers import Span, has_han, plain, spans, spoken

NEAREST_PASSAGES = 2
NEAREST_ORDINARY = 3
MIN_MARGIN = 0.25
"""How far above ordinary talk, in standard deviations of the cosines with ordinary talk, a skill must stand.

Measured with multilingual-e5-small (4 bit) and the packaged skills. Of 1,992 messages and questions of daily life
that say no trigger, 17 are taken for a call of a skill. Of 116 paraphrases among which this criterion was chosen, the
right skill is one of the two found for 78 % in Chinese and 78 % in English; of 23 that were written afterwards for 9
of 12 and 9 of 11, while none of 24 messages of small talk and general questions found one. A fixed cosine with as few
false calls finds about 3 in 10.
"""
MAX_MEANT_CHARS = 400

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Matched:
    """A skill that fits a message: how well (0..1; by trigger at least .8, by meaning less) and why."""

    skill_id: str
    score: float
    why: str


async def match(skills: Sequence[Skill], text: str, *, similarity: Similarity | None, limit: int = 2) -> list[Matched]:
    """Find the skills that a message calls for, best first; [] for small talk.

    Meaning is asked only where no trigger was said. An embedder that cannot be reached leaves the triggers.

    Args:
        skills: What there is to choose from.
        text: What the user said.
        similarity: The measure of meaning; None for triggers only.
        limit: At most so many.
    """
    found = _by_trigger(skills, text)
    if not found and similarity is not None and any(char.isalpha() for char in text):
        try:
            found = await _by_meaning(skills, text[:MAX_MEANT_CHARS], similarity)
        except EmbeddingError as error:
            log.warning("Skills are matched by trigger only: %s", error)
    return sorted(found, key=lambda matched: -matched.score)[:limit]


def _by_trigger(skills: Sequence[Skill], text: str) -> list[Matched]:
    """Find what is said; where one skill's words lie within another's longer ones, the longer win (任务进度, 进度)."""
    said = plain(text)
    places = {
        skill.id: [(trigger, span) for trigger in skill.triggers for span in spans(trigger, said)] for skill in skills
    }
    every = [span for found in places.values() for _, span in found]
    kept = {
        skill_id: [trigger for trigger, span in found if not any(_within(span, other) for other in every)]
        for skill_id, found in places.items()
    }
    return [_called(skill_id, max(triggers, key=_trigger_score)) for skill_id, triggers in kept.items() if triggers]


def _called(skill_id: str, trigger: str) -> Matched:
    return Matched(skill_id=skill_id, score=_trigger_score(trigger), why=f"trigger {trigger!r}")


def _within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _trigger_score(trigger: str) -> float:
    """Trust longer triggers more: they say more exactly what is wanted."""
    return 0.8 + 0.2 * min(len(spoken(trigger).encode()) / 24, 1.0)


async def _by_meaning(skills: Sequence[Skill], text: str, similarity: Similarity) -> list[Matched]:
    """Find the skills that are clearly nearer to the message than ordinary talk is.

    Cosines of small multilingual models lie close together (.75 to .9 for multilingual-e5-small), and where they lie
    differs from message to message, so no fixed cosine tells yes from no. A skill is held against what else the
    message could be: its margin is the mean cosine of its two nearest passages less that of the three nearest
    ordinary messages, in standard deviations of the cosines with all ordinary messages.
    """
    passages = [(skill.id, passage) for skill in skills for passage in passages_of(skill)]
    cosines = await similarity(text, [*ORDINARY, *(passage for _, passage in passages)])
    ordinary, rest = list(cosines[: len(ORDINARY)]), cosines[len(ORDINARY) :]
    near: dict[str, list[float]] = {}
    for (skill_id, _), cosine in zip(passages, rest, strict=True):
        near.setdefault(skill_id, []).append(cosine)
    margins = {skill_id: _margin(found, ordinary) for skill_id, found in near.items()}
    return [_meant(skill_id, margin) for skill_id, margin in margins.items() if margin >= MIN_MARGIN]


def passages_of(skill: Skill) -> list[str]:
    """Write what a skill is about as it is embedded: description and triggers, each language by itself."""
    said = [(has_han(trigger), spoken(trigger)) for trigger in skill.triggers]
    chinese = "，".join(words for is_chinese, words in said if is_chinese)
    english = ", ".join(words for is_chinese, words in said if not is_chinese)
    written = (skill.description.zh, skill.description.en, chinese, english)
    return list(dict.fromkeys(filter(None, written)))


def _margin(near: Sequence[float], ordinary: Sequence[float]) -> float:
    spread = statistics.pstdev(ordinary)
    gap = _mean_of_nearest(near, NEAREST_PASSAGES) - _mean_of_nearest(ordinary, NEAREST_ORDINARY)
    return gap / spread if spread > 0 else 0.0


def _mean_of_nearest(cosines: Sequence[float], count: int) -> float:
    return statistics.fmean(sorted(cosines)[-count:])


def _meant(skill_id: str, margin: float) -> Matched:
    score = 0.5 + 0.3 * margin / (1 + margin)
    return Matched(skill_id=skill_id, score=score, why=f"meaning, {margin:.2f} deviations above ordinary talk")
