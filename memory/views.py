"""Views: what a fact is besides: an event with its day, something to come back to, a relation between two named things.

They are made from the fact each time it is folded, under its id, so that they never say anything else than it does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from memory.keys import ANY, KeySpec, Relating
from memory.kinds import Event, Fact, FollowUp, Kind, Relation

_PLACE = re.compile(r"\{(\w+)\}")
A_DAY = timedelta(days=1)
VIEWS: tuple[Kind, ...] = ("events", "followups", "relations")


def views_of(fact: Fact, spec: KeySpec) -> Mapping[Kind, Event | FollowUp | Relation]:
    """Give what a fact is besides, by kind; what is no longer believed is no event, and a follow-up that is done.

    Args:
        fact: A fact, believed or not.
        spec: Its key's family.
    """
    seen: dict[Kind, Event | FollowUp | Relation] = {}
    if spec.seen_as == "event" and fact.happens_at and fact.status == "active":
        seen["events"] = Event(id=fact.id, text=fact.value, happens_at=fact.happens_at, evidence=fact.evidence)
    if spec.seen_as == "followup" and fact.status != "proposed":
        seen["followups"] = FollowUp(
            id=fact.id,
            text=fact.value,
            due_at=fact.happens_at,
            status="open" if fact.status == "active" else "done",
            evidence=fact.evidence,
        )
    if spec.relates and fact.status != "proposed":
        seen["relations"] = _relation(fact, spec.relates, spec.pattern)
    return seen


def is_over(fact: Fact, spec: KeySpec, now: datetime) -> bool:
    """Say whether a fact is of a day that has passed: it is found when asked for, and stands in no prompt by itself."""
    return spec.seen_as == "event" and fact.happens_at is not None and fact.happens_at + A_DAY <= now


def _relation(fact: Fact, relating: Relating, pattern: str) -> Relation:
    stars = [part for part, wanted in zip(fact.key.split("."), pattern.split("."), strict=True) if wanted == ANY]
    filling = {"value": fact.value, **{str(place): part for place, part in enumerate(stars)}}
    return Relation(
        id=fact.id,
        subject=_filled(relating.subject, filling),
        predicate=_filled(relating.predicate, filling),
        object=_filled(relating.object, filling),
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        confidence=fact.confidence,
        evidence=fact.evidence,
    )


def _filled(template: str, filling: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: filling.get(place[1], place[0]), template)
