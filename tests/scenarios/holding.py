"""Holding: look at what is kept and compare it with what must hold; what does not is said in words, all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.namespaces import Owner, user_root
from store.health import store_health
from store.profile import facts_as_of, facts_of
from store.reviewing import reviews_of
from store.waiting import waiting_turns
from tests.scenarios.stage import Stage
from tests.scenarios.told import Asked, Holds, Mode

EVERYTHING = 10_000
STORED = ("facts", "events", "followups", "relations")
DERIVED = (*STORED, "evidence")


async def faults_of(stage: Stage, wanted: Holds, mode: Mode, *, where: str) -> list[str]:
    """Say all that does not hold; [] where everything does."""
    looks = (_facts, _times, _items, _queues, _views, _channels, _answers)
    found = [fault for look in looks async for fault in look(stage, wanted, mode)]
    return [f"{where}: {fault}" for fault in found]


def _differs(name: str, got: object, wanted: object) -> Iterable[str]:
    if got != wanted:
        yield f"{name} is {got!r}, not {wanted!r}"


def _differs_in_part(name: str, held: Sequence[tuple[str, str]], wanted: Mapping[str, str]) -> Iterable[str]:
    """Compare what a part of each text stands for; whose words the rest are, is not looked at."""
    met = [(part, what) for part, what in wanted.items() if any(part in text and what == one for text, one in held)]
    if len(met) != len(wanted) or len(held) != len(wanted):
        yield f"{name} are {held!r}, not {wanted!r}"


def _listing(name: str, text: str, *, has: Sequence[str], lacks: Sequence[str]) -> Iterable[str]:
    yield from (f"{name} lacks {one!r}: {text!r}" for one in has if one not in text)
    yield from (f"{name} has {one!r}: {text!r}" for one in lacks if one in text)


def _by_key(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for key, value in pairs:
        held.setdefault(key, []).append(value)
    return {key: sorted(values) for key, values in held.items()}


async def _facts(stage: Stage, wanted: Holds, mode: Mode) -> AsyncIterator[str]:
    agent, owner = stage.offline, Owner(user=wanted.user)
    facts = await facts_of(agent.store, owner, active_only=False)
    if wanted.believed is not None:
        more = wanted.with_model if mode == "model" else {}
        pairs = [(key, value) for told in (wanted.believed, more) for key, values in told.items() for value in values]
        active = _by_key((fact.key, fact.value) for fact in facts if fact.status == "active")
        for fault in _differs("what is believed", active, _by_key(pairs)):
            yield fault
    for key, told in wanted.history.items():
        for fault in _differs(key, {fact.value: fact.status for fact in facts if fact.key == key}, told):
            yield fault
    longest = max((len(fact.value) for fact in facts), default=0)
    if wanted.longest_value is not None and longest > wanted.longest_value:
        yield f"the longest value has {longest} characters"


async def _times(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    agent, owner = stage.offline, Owner(user=wanted.user)
    facts = await facts_of(agent.store, owner)
    for name, days in (("first_seen", wanted.first_heard), ("last_confirmed", wanted.last_confirmed)):
        for key, day in days.items():
            got = [f"{getattr(fact, name):%Y-%m-%d}" for fact in facts if fact.key == key]
            for fault in _differs(f"{name} of {key}", got, [day]):
                yield fault
    for day, told_then in wanted.as_of.items():
        then = datetime.fromisoformat(f"{day}T23:59:59+00:00")
        held = await facts_as_of(agent.store, owner, then, keys=agent.parts.keys)
        believed = _by_key((fact.key, fact.value) for fact in held if fact.status == "active")
        for fault in _differs(
            f"what was believed on {day}",
            believed,
            _by_key((key, value) for key, values in told_then.items() for value in values),
        ):
            yield fault


async def _items(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    items = await stage.offline.store.asearch(user_root(wanted.user), limit=EVERYTHING)
    everything = [(item.namespace[-1], str(item.value)) for item in items]
    derived = "\n".join(text for kind, text in everything if kind in DERIVED)
    for fault in _listing("what was made of it", derived, has=(), lacks=wanted.absent):
        yield fault
    whole = "\n".join(text for _, text in everything)
    for fault in _listing("what is kept", whole, has=wanted.kept, lacks=wanted.gone):
        yield fault
    kinds = [kind for kind, _ in everything]
    for kind, count in wanted.counts.items():
        for fault in _differs(f"the number of {kind}", kinds.count(kind), count):
            yield fault
    stored = sum(kinds.count(kind) for kind in STORED)
    if wanted.stored_at_most is not None and stored > wanted.stored_at_most:
        yield f"{stored} are stored, more than {wanted.stored_at_most}"


async def _queues(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    store = stage.offline.store
    if wanted.reviews is not None:
        reviews = [one.review for one in await reviews_of(store, Owner(user=wanted.user))]
        values = sorted(review.draft.value if review.draft else review.why for review in reviews)
        for fault in _differs("what waits for a verdict", values, sorted(wanted.reviews)):
            yield fault
    turns = [one.pending for one in await waiting_turns(store) if one.pending.user == wanted.user]
    for name, got, told in (
        ("the number of waiting turns", len(turns), wanted.waiting),
        ("tries", max((turn.tries for turn in turns), default=0), wanted.tries),
        ("unindexed", store_health(store.path).unindexed > 0, wanted.unindexed),
    ):
        for fault in _differs(name, got, told) if told is not None else ():
            yield fault


async def _views(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    items = await stage.offline.store.asearch(user_root(wanted.user), limit=EVERYTHING)

    def of(kind: str) -> list[dict[str, Any]]:
        return [item.value for item in items if item.namespace[-1] == kind]

    for name, held, told in (
        ("events", [(one["text"], str(one["happens_at"])[:10]) for one in of("events")], wanted.events),
        ("follow-ups", [(one["text"], one["status"]) for one in of("followups")], wanted.followups),
    ):
        for fault in _differs_in_part(name, held, told) if told is not None else ():
            yield fault
    relations = sorted(
        f"{one['subject']} {one['predicate']} {one['object']}" for one in of("relations") if not one["valid_to"]
    )
    if wanted.relations is not None:
        for fault in _differs("relations", relations, sorted(wanted.relations)):
            yield fault


async def _channels(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    if wanted.channels_lack:
        held = str(await stage.channels("one", wanted.user))
        for fault in _listing("what the channels carry", held, has=(), lacks=wanted.channels_lack):
            yield fault


async def _answers(stage: Stage, wanted: Holds, _: Mode) -> AsyncIterator[str]:
    for number, one in enumerate(wanted.asked):
        reply = await stage.offline.say(one.ask, user=one.user, thread=f"asked-{number}", memory="read_only")
        for fault in _listing(f"the reply to {one.ask!r}", reply, has=one.has, lacks=one.lacks):
            yield fault
    for number, one in enumerate(wanted.shown):
        prompt = await stage.prompt_for(one.ask, user=one.user, thread=f"shown-{number}")
        for fault in _listing(f"the prompt for {one.ask!r}", prompt, has=one.has, lacks=one.lacks):
            yield fault
    for one in wanted.recalled:
        async for fault in _recalled(stage, one):
            yield fault


async def _recalled(stage: Stage, one: Asked) -> AsyncIterator[str]:
    found = [each.text for each in await stage.offline.recall(one.ask, user=one.user, kind=one.kind)]
    for fault in _listing(f"what is recalled for {one.ask!r}", "\n".join(found), has=one.has, lacks=one.lacks):
        yield fault
    if one.first and found[:1] != [one.first]:
        yield f"the first that is recalled for {one.ask!r} is {found[:1]!r}, not {one.first!r}"
    if one.nothing and found:
        yield f"for {one.ask!r} something is recalled: {found!r}"
