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

NEAREST_ORDINARY = 3
MIN_MARGIN = 0.33
"""How far above ordinary talk, in standard deviations of the cosines with ordinary talk, a skill must stand.

Measured with multilingual-e5-small (4 bit) and the packaged skills: chosen so that of 2,000 messages and questions of
daily life about 1 in 100 is taken for a call of a skill by its meaning. On 40 paraphrases without a trigger that were
not used to choose it, half in Chinese, the right skill is then among the two found for 30 (first for 27); of 45
messages of small talk and general questions 1 finds a skill. A fixed cosine at the same rate finds 11 of the 40.
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
    places = {skill.id: _longest(skill, said) for skill in skills}
    return [
        Matched(skill_id=skill_id, score=_trigger_score(trigger), why=f"trigger {trigger!r}")
        for skill_id, place in places.items()
        if place and not any(_within(place[1], other[1]) for other in places.values() if other)
        for trigger in [place[0]]
    ]


def _longest(skill: Skill, said: str) -> tuple[str, Span] | None:
    found = [(trigger, span) for trigger in skill.triggers for span in spans(trigger, said)]
    return max(found, key=lambda place: place[1][1] - place[1][0], default=None)


def _within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _trigger_score(trigger: str) -> float:
    """Trust longer triggers more: they say more exactly what is wanted."""
    return 0.8 + 0.2 * min(len(spoken(trigger).encode()) / 24, 1.0)


async def _by_meaning(skills: Sequence[Skill], text: str, similarity: Similarity) -> list[Matched]:
    """Find the skills that are clearly nearer to the message than ordinary talk is.

    Cosines of small multilingual models lie close together (.75 to .9 for multilingual-e5-small), and where they lie
    differs from message to message, so no fixed cosine tells yes from no. A skill is held against what else the
    message could be: its margin is its cosine less the mean of the three nearest ordinary messages, in standard
    deviations of the cosines with all ordinary messages.
    """
    passages = [(skill.id, passage) for skill in skills for passage in passages_of(skill)]
    cosines = await similarity(text, [*ORDINARY, *(passage for _, passage in passages)])
    ordinary, rest = list(cosines[: len(ORDINARY)]), cosines[len(ORDINARY) :]
    best: dict[str, float] = {}
    for (skill_id, _), cosine in zip(passages, rest, strict=True):
        best[skill_id] = max(cosine, best.get(skill_id, cosine))
    margins = {skill_id: _margin(cosine, ordinary) for skill_id, cosine in best.items()}
    return [_meant(skill_id, margin) for skill_id, margin in margins.items() if margin >= MIN_MARGIN]


def passages_of(skill: Skill) -> list[str]:
    """Write what a skill is about, once for each language, as it is embedded."""
    written = (
        _passage(skill, skill.description.zh, chinese=True),
        _passage(skill, skill.description.en, chinese=False),
    )
    return list(dict.fromkeys(written))


def _passage(skill: Skill, description: str, *, chinese: bool) -> str:
    said = ", ".join(spoken(trigger) for trigger in skill.triggers if has_han(trigger) is chinese)
    return f"{description}: {said}" if said else description


def _margin(cosine: float, ordinary: Sequence[float]) -> float:
    spread = statistics.pstdev(ordinary)
    nearest = statistics.fmean(sorted(ordinary)[-NEAREST_ORDINARY:])
    return (cosine - nearest) / spread if spread > 0 else 0.0


def _meant(skill_id: str, margin: float) -> Matched:
    score = 0.5 + 0.3 * margin / (1 + margin)
    return Matched(skill_id=skill_id, score=score, why=f"meaning, {margin:.2f} deviations above ordinary talk")
