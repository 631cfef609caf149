"""The fold: all evidence under one key becomes the facts that are believed, or were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from memory.conflict import replaces
from memory.keys import KeySpec
from memory.kinds import Act, Evidence, Fact, FactStatus
from memory.same.identity import DATED, identity
from memory.standing import (
    GONE,
    Held,
    activated,
    challenge_of,
    claim_of,
    confidence_of,
    given_up,
    grounded,
    is_own,
    last_confirmed,
)
from memory.timeline import in_order, without_undone

ASSERTED: frozenset[Act] = frozenset({"correct", "confirm", "accept", "pin"})
SPEAKS: frozenset[Act] = ASSERTED | {"state"}

STANDING: frozenset[FactStatus] = frozenset({"active", "proposed"})

State = Mapping[str, Held]
"""What is held under a key, by the form of its values."""
Form = Callable[[str], str]
"""Gives the form under which a key's values are told apart; "" for a blank one."""


def fold(
    key: str,
    evidence: Iterable[Evidence],
    *,
    spec: KeySpec,
    name: Callable[[str, str], str],
    form: Form | None = None,
) -> tuple[Fact, ...]:
    """Fold everything ever said under one key into its facts, oldest first, one per distinct value.

    The order of the evidence does not matter and a piece given twice counts once. Nothing is deleted:
    a value that was replaced or retracted stays, with `valid_to`. Under a single-valued key at most
    one fact is active, and exactly one from the first statement until it is taken back. Wordings that have one form are
    one fact, in its latest wording; the evidence keeps them all, so that another form divides them otherwise.

    Args:
        key: The key; evidence under other keys is ignored.
        evidence: All of it, in any order.
        spec: The key's family.
        name: Gives a fact's id from the key and the form of its value.
        form: Gives the form of a value; left out: its `identity` under the key.
    """
    form = form or partial(identity, key=key, spec=spec)
    said = in_order(piece for piece in evidence if piece.key == key)
    said = tuple(piece for piece in said if piece.act != "undo" or is_own(piece))
    said = _dated(said, spec, form) if spec.seen_as else said
    held = {**_undone(said, form), **_held(said, spec, form)}
    named = _by_value(said, form)
    facts = [_fact(key, value, held[value], named=named, spec=spec, name=name) for value in held]
    return tuple(sorted(facts, key=lambda fact: (fact.first_seen, fact.id)))


def as_of(evidence: Iterable[Evidence], when: datetime) -> tuple[Evidence, ...]:
    """Give only what had been said by then, to fold what was believed at that time."""
    return tuple(piece for piece in evidence if piece.said_at <= when)


def _held(said: Sequence[Evidence], spec: KeySpec, form: Form) -> State:
    state: State = {}
    for piece in without_undone(said, form=form):
        state = _after(state, piece, single=spec.single, form=form)
    return state


def _dated(said: Sequence[Evidence], spec: KeySpec, form: Form) -> tuple[Evidence, ...]:
    """Let what is taken back without its day mean the one that is held with a day, where there is exactly one such."""
    whole: list[Evidence] = []
    for piece in said:
        names = piece.act in ("retract", "reject") and piece.value.strip() and not DATED.fullmatch(piece.value.strip())
        meant = _with_their_day(_held(whole, spec, form), form(piece.value), form) if names else []
        whole.append(replace(piece, value=meant[0]) if len(meant) == 1 else piece)
    return tuple(whole)


def _with_their_day(state: State, named: str, form: Form) -> list[str]:
    """Give the dated texts held of what is named; none where it is itself held without a day."""
    held = [each for each in state.values() if each.status in STANDING]
    if any(form(each.text) == named for each in held):
        return []
    dated = ((each.text, DATED.fullmatch(each.text)) for each in held)
    return [text for text, parts in dated if parts and form(parts[1]) == named]


def _after(state: State, piece: Evidence, *, single: bool, form: Form) -> State:
    """Give the state after one more piece of evidence."""
    if piece.act == "state" or (piece.act in ASSERTED and not is_own(piece)):
        return _stated(state, piece, single=single, form=form) if piece.value.strip() else state
    if not is_own(piece) and any(held.by_user for held in state.values()):
        return state  # nobody else takes back what the user said
    if piece.act in ("retract", "reject"):
        gone = {value: given_up(state[value], "retracted", piece.said_at) for value in _meant(state, piece, form)}
        return {**state, **gone}
    return _asserted(state, piece, single=single, form=form)


def _stated(state: State, piece: Evidence, *, single: bool, form: Form) -> State:
    value = form(piece.value)
    before, held = state.get(value), grounded(state.get(value), piece)
    rival = _active(state) if single and not held.active else None
    if held.active:
        return {**state, value: held}
    if before and before.status in GONE and before.by_user and not is_own(piece):
        return {**state, value: held}  # others can only propose again what the user gave up
    if rival is None:
        return {**state, value: activated(held, piece.said_at)}
    if not replaces(challenge_of(held), claim_of(state[rival])):
        return {**state, value: held}
    return {
        **state,
        rival: given_up(state[rival], "superseded", piece.said_at),
        value: activated(held, piece.said_at),
    }


def _asserted(state: State, piece: Evidence, *, single: bool, form: Form) -> State:
    """Believe the values meant at once; under a single-valued key every other gives way."""
    for value in _meant(state, piece, form):
        held = activated(grounded(state.get(value), piece), piece.said_at)
        others = {other: given_up(state[other], "superseded", piece.said_at) for other in state if single}
        state = {**state, **others, value: replace(held, pinned=held.pinned or piece.act == "pin")}
    return state


def _meant(state: State, piece: Evidence, form: Form) -> tuple[str, ...]:
    """Give the values that an act is about; without a value, all known ones to which it can apply."""
    if piece.value.strip():
        value = form(piece.value)
        return (value,) if value in state or piece.act in SPEAKS else ()
    applies: dict[Act, tuple[FactStatus, ...]] = {"retract": ("active", "proposed"), "reject": ("proposed",)}
    return tuple(value for value, held in state.items() if held.status in applies.get(piece.act, ("active",)))


def _active(state: State) -> str | None:
    return next((value for value, held in state.items() if held.active), None)


def _undone(said: tuple[Evidence, ...], form: Form) -> State:
    """Hold as taken back every value ever spoken for, for those of which nothing is left standing."""
    undos = [(form(piece.value), piece.said_at) for piece in said if piece.act == "undo"]
    spoken: dict[str, Held] = {}
    for piece in said if undos else ():
        if piece.act in SPEAKS and piece.value.strip():
            value = form(piece.value)
            until = max((at for undone, at in undos if undone in (value, "")), default=None)
            first = replace(grounded(None, piece), status="retracted", until=until, grounds=())
            spoken.setdefault(value, first)
    return spoken


def _by_value(said: tuple[Evidence, ...], form: Form) -> Mapping[str, list[tuple[int, Evidence]]]:
    """Sort the evidence by what it is about, each piece with its place in time; "" is about any value."""
    named: dict[str, list[tuple[int, Evidence]]] = defaultdict(list)
    for at, piece in enumerate(said):
        named[form(piece.value)].append((at, piece))
    return named


def _fact(
    key: str,
    value: str,
    held: Held,
    *,
    named: Mapping[str, list[tuple[int, Evidence]]],
    spec: KeySpec,
    name: Callable[[str, str], str],
) -> Fact:
    of_any = ((at, piece) for at, piece in named.get("", ()) if piece.said_at >= held.first_seen)
    about = sorted([*named.get(value, ()), *of_any], key=lambda placed: placed[0])
    return Fact(
        id=name(key, value),
        key=key,
        value=held.text,
        confidence=confidence_of(held),
        status=held.status,
        valid_from=held.since,
        valid_to=held.until,
        first_seen=held.first_seen,
        last_confirmed=last_confirmed(held),
        sensitivity=spec.sensitivity,
        pinned=held.pinned,
        cleared=any(piece.act == "accept" for _, piece in about),
        evidence=tuple(piece.id for _, piece in about),
        happens_at=next((piece.happens_at for piece in reversed(held.grounds) if piece.happens_at), None),
    )
