"""overtaken: what the user has said otherwise since stands behind what holds now, unless the past is asked for.

Two things tell that a statement is overtaken: the facts that it gave no longer hold; or, where no fact came of it, that of two
statements which bear on the question nearly alike one is newer. Neither loses anything but what says nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.kinds import Act, Evidence, Fact, FactStatus
from memory.ranking.question import question_of
from memory.ranking.terms import terms_of
from memory.recalled import Recalled

ENDS: frozenset[Act] = frozenset({"retract", "reject"})
ENDED: frozenset[FactStatus] = frozenset({"superseded", "retracted"})
STILL_NEAR = 4.0
"""In log odds: what a statement says besides may be what is asked for; then the newer one is not far behind by itself."""
MOST_BEHIND = 3
SAME_TOPIC, SAME_WORDS, ASKED_FOR_NOW = 3.0, 1.5, 1.0
"""In log odds: so far may a newer statement be behind where it has as much of the question's topic, many words in common, or where
it is asked how things are now."""
LEAST_OF_TOPIC = 0.5
"""Of the words of the topic that the older one has."""
LEAST_IN_COMMON = 0.15
SPEAKER = frozenset({"user", "用户"})
"""Words for the one who speaks, which tell nothing of what is spoken of."""
LEAST_MORE = 2
_EDGE = 1e-9

_PAST = re.compile(
    r"\b(?:did|was|were|had|used? to|ever|before|previous(?:ly)?|former(?:ly)?|originally|ago|back (?:then|when)|at first|yesterday"
    r"|(?:last|past) (?:week|month|year|spring|summer|autumn|fall|winter|time|night)|(?:my|our|his|her|their) old|no longer|history)\b"
    r"|以前|之前|原来|原先|本来|当初|当时|那时|曾经?|从前|过去|旧的|过(?:吗|的|没|什么|哪|几|多)|去年|前年|上次|上回|上个?月|上周|昨天|最初|第一次",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|current(?:ly)?|at present|today|still|any ?more|any longer|at the moment|latest|final(?:ly)?|from now on)\b"
    r"|现在|目前|如今|眼下|最近|最新|最后|最终|以后|今后|仍|还.{0,8}[吗么没]",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Overtaken:
    """By which later episodes a statement is overtaken; `wholly` where it says nothing besides."""

    by: tuple[str, ...] = ()
    wholly: bool = False


def asks_for_past(query: str, now: datetime | None = None) -> bool:
    """Say whether a question is about how things were: "where did I use to live", 「我以前住哪儿」, "in May" after May."""
    if _PAST.search(query):
        return True
    question = question_of(query, (), now=now)
    return bool(question.occasion) or any(now is None or span.end <= now for span in question.times)


def overtaken(
    text: str,
    given: Iterable[Evidence],
    *,
    facts: Mapping[str, Sequence[Fact]],
    evidence: Mapping[str, Sequence[Evidence]],
) -> Overtaken:
    """Say what has overtaken a statement.

    Args:
        text: What was said.
        given: The evidence that came of it, none where no facts did.
        facts: Under each of its keys at least the facts that it spoke for and that no longer hold.
        evidence: Under each key of those at least the evidence that was said since they ended.
    """
    stated = [piece for piece in given if piece.act not in ENDS]
    gone = [(piece, fact) for piece in stated if (fact := _ended(piece, facts.get(piece.key, ()))) is not None]
    later = [one for piece, fact in gone for one in _since(piece, fact, evidence.get(piece.key, ()))]
    by = dict.fromkeys(one.episode_id for one in sorted(later, key=lambda one: (one.said_at, one.id)))
    return Overtaken(by=tuple(by), wholly=bool(by) and len(gone) == len(stated) and not _says_more(text, stated))


def _ended(piece: Evidence, facts: Iterable[Fact]) -> Fact | None:
    """Give the fact that a piece of evidence speaks for, if it no longer holds."""
    ended = (fact for fact in facts if piece.id in fact.evidence and fact.status in ENDED)
    return next((fact for fact in ended if fact.valid_to is not None and fact.valid_to >= piece.said_at), None)


def _since(piece: Evidence, fact: Fact, evidence: Iterable[Evidence]) -> list[Evidence]:
    """Give what was said from its end on that ended the fact, or took its place; what was asserted for it is neither."""
    until = fact.valid_to or piece.said_at
    return [
        one
        for one in evidence
        if one.episode_id != piece.episode_id
        and one.said_at >= until
        and (one.act in ENDS if one.id in fact.evidence else fact.status == "superseded")
    ]


def _says_more(text: str, stated: Iterable[Evidence]) -> bool:
    """Say whether anything is told besides the words that the facts were taken from."""
    rest = text
    for piece in stated:
        rest = rest.replace(piece.quote, " ") if piece.quote.strip() else rest
    return len(terms_of(rest)) >= LEAST_MORE


def with_newer(kept: Sequence[Recalled], found: Iterable[Recalled]) -> list[Recalled]:
    """Add to what is shown what has overtaken it, where that was found too."""
    shown = {one.id for one in kept}
    newer = {name for one in kept for name in one.overtaken_by}
    return [*kept, *(one for one in found if one.id in newer - shown)]


def current_first(found: Sequence[Recalled]) -> list[Recalled]:
    """Put what has overtaken a statement before it, as far up as that stood.

    What says more than what no longer holds is passed only by what is not far behind it: the rest may be asked for.

    Args:
        found: Best first.
    """
    order = list(found)
    known = {one.id: one for one in found}
    pairs = [(known[name], old) for old in found for name in old.overtaken_by if name in known]
    for newer, old in sorted(pairs, key=lambda pair: _age(pair[0])):
        if old.wholly_overtaken or _behind(known[old.id], known[newer.id]) <= STILL_NEAR:
            known[newer.id] = _raised(order, newer.id, old.id)
    return order


def without_overtaken(found: Sequence[Recalled]) -> list[Recalled]:
    """Leave out what says nothing but what no longer holds, where what overtook it is there."""
    there = {one.id for one in found}
    return [one for one in found if not (one.wholly_overtaken and there.intersection(one.overtaken_by))]


def newest_of_alike(found: Sequence[Recalled], query: str) -> list[Recalled]:
    """Put what was said later by the same person of the same thing before the best, where it is next to it.

    Only the user's own statements of different threads are compared; other people's too where it is asked how things are now.
    What is known to have overtaken something is the newest of its kind, and stays.

    Args:
        found: Best first.
        query: What is asked, which is not about the past.
    """
    order = list(found)
    if not found or any(found[0].id in one.overtaken_by for one in found):
        return order
    best, asks_for_now = found[0], _NOW.search(query) is not None
    topic = frozenset(question_of(query, sorted({one.speaker for one in found})).topic)
    for one in found[1 : MOST_BEHIND + 1]:
        own = one.speaker == "user" or (asks_for_now and one.speaker not in ("assistant", ""))
        if own and _may_follow(best, one) and _behind(best, one) <= _reach(best, one, topic, asks_for_now=asks_for_now):
            _raised(order, one.id, best.id)
    return order


def _may_follow(old: Recalled, new: Recalled) -> bool:
    """Say whether the same speaker said one after the other, in another thread; what was not ranked cannot be compared."""
    if old.said_at is None or new.said_at is None or not (old.signals and new.signals):
        return False
    return old.speaker == new.speaker and old.thread_id != new.thread_id and old.said_at < new.said_at


def _reach(old: Recalled, new: Recalled, topic: frozenset[str], *, asks_for_now: bool) -> float:
    """Say how far the newer may be behind; what says nothing new changes nothing."""
    before, after = set(terms_of(old.text)), set(terms_of(new.text))
    common = (before & after) - SPEAKER
    if after <= before:
        return -math.inf
    if common & topic and len(common & topic) >= LEAST_OF_TOPIC * len(before & topic):
        return SAME_TOPIC
    if common and len(common) >= LEAST_IN_COMMON * min(len(before), len(after)):
        return SAME_WORDS
    return ASKED_FOR_NOW if asks_for_now else -math.inf


def _raised(order: list[Recalled], newer: str, old: str) -> Recalled:
    """Move what is newer up to where the old stands, with its score, if it is not before it already."""
    at, behind = (next(place for place, one in enumerate(order) if one.id == name) for name in (old, newer))
    if behind > at:
        raised = replace(order.pop(behind), score=order[at].score)
        order.insert(at, raised)
        return raised
    return order[behind]


def _behind(better: Recalled, other: Recalled) -> float:
    """Say how far one is behind another, in log odds."""
    return _odds(better.score) - _odds(other.score)


def _odds(score: float) -> float:
    share = min(max(score, _EDGE), 1 - _EDGE)
    return math.log(share / (1 - share))


def _age(one: Recalled) -> float:
    return -math.inf if one.said_at is None else one.said_at.timestamp()
