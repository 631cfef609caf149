"""The matcher: which skills a message calls for, by trigger, by words or by meaning, and often none."""

from __future__ import annotations

import logging
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memory.seams import EmbeddingError
from skills.ordinary import ORDINARY
from skills.similarity import Similarity
from skills.skill_file import Skill
from skills.triggers import Span, has_han, plain, spans, spoken
from skills.wording import MIN_WEIGHT, Overlap, overlap, telling_words

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
MIN_MARGIN_DESCRIBED = 0.5
"""The same for an Agent-Skills folder, which is known by one long description instead of triggers.

Measured with the same model, 17 published skills and 12 written for this, half of them in Chinese: of 37 calls 34 find
theirs, of some 1,600 turns and questions of other people's conversations 1 finds one (at .25 about 1 in 100 does). Of paraphrases
that hardly share a word with the description few find it: triggers in the metadata are for those.
"""
MAX_MEANT_CHARS = 400
NEAR_KEPT = 3
CALLED = 0.5

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Matched:
    """A skill held against a message: how well it fits and why.

    `score` is 0..1: by trigger at least .8, by words or meaning at least .5, and less where it is near but not called.
    """

    skill_id: str
    score: float
    why: str


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Which skills a message calls for, and which were near but not enough; each best first."""

    called: tuple[Matched, ...]
    near: tuple[Matched, ...] = ()


async def match(skills: Sequence[Skill], text: str, *, similarity: Similarity | None, limit: int = 2) -> list[Matched]:
    """Find the skills that a message calls for, best first; [] for small talk. See `judge`."""
    return list((await judge(skills, text, similarity=similarity, limit=limit)).called)


async def judge(skills: Sequence[Skill], text: str, *, similarity: Similarity | None, limit: int = 2) -> Judgement:
    """Find the skills that a message calls for, and those that it nearly does.

    Words and meaning are asked only where no trigger was said; words only of Agent-Skills folders, which mostly have
    no triggers. An embedder that cannot be reached leaves triggers and words.

    Args:
        skills: What there is to choose from.
        text: What the user said.
        similarity: The measure of meaning; None for triggers and words only.
        limit: At most so many.
    """
    if said := _by_trigger(skills, text):
        return Judgement(called=tuple(_best_first(said)[:limit]))
    words = telling_words(text)
    found = [_by_words(skill, overlap(skill, words)) for skill in skills if skill.folder is not None]
    if similarity is not None and any(char.isalpha() for char in text):
        try:
            found += await _by_meaning(skills, text[:MAX_MEANT_CHARS], similarity)
        except EmbeddingError as error:
            log.warning("Skills are matched by trigger and words only: %s", error)
    return _judged(found, limit)


def _judged(found: Sequence[Matched], limit: int) -> Judgement:
    """Take each skill's best score; what has at least .5 is called, what has more than none is near."""
    best: dict[str, Matched] = {}
    for one in _best_first(found):
        best.setdefault(one.skill_id, one)
    ranked = list(best.values())
    fitting = [one for one in ranked if one.score >= CALLED]
    beyond = [replace(one, why=f"{one.why}; only the best {limit} are taken") for one in fitting[limit:]]
    near = [*beyond, *(one for one in ranked if 0 < one.score < CALLED)]
    return Judgement(called=tuple(fitting[:limit]), near=tuple(near[:NEAR_KEPT]))


def _best_first(found: Iterable[Matched]) -> list[Matched]:
    return sorted(found, key=lambda matched: -matched.score)


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
    """Hold the skills against ordinary talk: one is called where it is clearly nearer to the message.

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
    return [_meant(skill, _margin(near[skill.id], ordinary)) for skill in skills if skill.id in near]


def passages_of(skill: Skill) -> list[str]:
    """Write what a skill is about as it is embedded: description and triggers, each language by itself."""
    said = [(has_han(trigger), spoken(trigger)) for trigger in skill.triggers]
    chinese = "，".join(words for is_chinese, words in said if is_chinese)
    english = ", ".join(words for is_chinese, words in said if not is_chinese)
    written = (skill.description.zh, skill.description.en, chinese, english)
    return list(dict.fromkeys(text[:MAX_MEANT_CHARS] for text in written if text))


def _margin(near: Sequence[float], ordinary: Sequence[float]) -> float:
    spread = statistics.pstdev(ordinary)
    gap = _mean_of_nearest(near, NEAREST_PASSAGES) - _mean_of_nearest(ordinary, NEAREST_ORDINARY)
    return gap / spread if spread > 0 else 0.0


def _mean_of_nearest(cosines: Sequence[float], count: int) -> float:
    return statistics.fmean(sorted(cosines)[-count:])


def _meant(skill: Skill, margin: float) -> Matched:
    needed = MIN_MARGIN if skill.folder is None else MIN_MARGIN_DESCRIBED
    why = f"meaning, {margin:.2f} deviations above ordinary talk"
    if margin >= needed:
        return Matched(skill_id=skill.id, score=CALLED + 0.3 * margin / (1 + margin), why=why)
    return Matched(skill_id=skill.id, score=CALLED * max(margin, 0) / needed, why=f"{why}, {needed} are needed")


def _by_words(skill: Skill, found: Overlap) -> Matched:
    why = f"words {', '.join(map(repr, found.words))}, {found.share:.0%} of what was said"
    needed = found.needed_share
    if found.weight >= MIN_WEIGHT and found.share >= needed:
        return Matched(skill_id=skill.id, score=CALLED + 0.29 * found.share, why=why)
    part = min(found.weight / MIN_WEIGHT, 1.0) * min(found.share / needed, 1.0)
    lacking = "too few" if found.weight < MIN_WEIGHT else f"{needed:.0%} are needed"
    return Matched(skill_id=skill.id, score=0.98 * CALLED * part, why=f"{why}: {lacking}")
