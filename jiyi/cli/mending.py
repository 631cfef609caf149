"""Mending: a user's mark on a fact is carried out where that fact stands, and what came of it is looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from jiyi.cli.facts import HeldFacts
from jiyi.cli.failures import CommandError
from jiyi.cli.opening import store_to_write
from memory.changes import MarkFact
from memory.keys import Keys, KeySpec
from memory.kinds import Act, Evidence, Fact, FactStatus, from_value
from memory.namespaces import Owner, in_reach, user_space
from memory.same import identity
from memory.standing import is_own
from memory.timeline import in_order, without_undone
from store.apply import apply
from store.marking import MarkError
from store.profile import facts_of
from store.transaction import Transaction

APPLIES_TO: dict[Act, tuple[FactStatus, ...]] = {
    "pin": ("active",),
    "confirm": ("active",),
    "retract": ("active", "proposed"),
}
"""Which of the values held under a key an act is about that names the key alone."""


@dataclass(frozen=True, kw_only=True)
class Meant:
    """The facts that a user means, and in whose memory they stand: their agent's or the shared one."""

    owner: Owner
    facts: tuple[Fact, ...]
    by_id: bool = False
    undone: Evidence | None = None


async def mended(owner: Owner, change: MarkFact) -> tuple[HeldFacts, Evidence | None]:
    """Carry a mark out; give the facts that are then held under its key, and what an undo undid."""
    async with store_to_write() as store:
        keys = store.policies.keys
        meant = await store.look(lambda transaction: _meant(transaction, owner, change, keys))
        _check(meant, change)
        key = meant.facts[0].key if meant.facts else change.which
        try:
            await apply(store, meant.owner, [change], actor="user")
        except MarkError as error:
            raise CommandError(f"{error}{_advice(change.act, keys.spec(key))}") from error
        held = await facts_of(store, owner, active_only=False)
    return HeldFacts(facts=tuple(fact for fact in held if fact.key == key), keys=keys), meant.undone


def _meant(transaction: Transaction, owner: Owner, change: MarkFact, keys: Keys) -> Meant:
    """Find what is meant: the agent's own before what all agents share."""
    for place in in_reach(owner):
        row = transaction.get(user_space(place, "facts"), change.which)
        rows = [row] if row else transaction.held_under(user_space(place, "facts"), change.which)
        if rows:
            facts = tuple(from_value(Fact, one.value) for one in rows)
            key, value = facts[0].key, facts[0].value if row else ""
            undone = _undone(transaction, place, key, value, keys) if change.act == "undo" else None
            return Meant(owner=place, facts=facts, by_id=row is not None, undone=undone)
    return Meant(owner=owner, facts=())


def _undone(transaction: Transaction, owner: Owner, key: str, value: str, keys: Keys) -> Evidence | None:
    """Give what an undo takes away: the last piece that still stands about a value, or about any."""
    rows, spec = transaction.held_under(user_space(owner, "evidence"), key), keys.spec(key)
    said = in_order(from_value(Evidence, row.value) for row in rows)
    said = tuple(piece for piece in said if piece.act != "undo" or is_own(piece))
    if not said or spec is None:
        return None
    form = partial(identity, key=key, spec=spec)
    standing = without_undone(said, form=form)
    asked = replace(said[-1], id="", act="undo", value=value)
    left = {piece.id for piece in without_undone((*said, asked), form=form)}
    return next((piece for piece in standing if piece.id not in left), None)


def _check(meant: Meant, change: MarkFact) -> None:
    """Refuse what would change nothing; what nobody holds is for the store to refuse."""
    if not meant.facts:
        return
    if change.act == "undo" and meant.undone is None:
        raise CommandError(f"Cannot undo {change.which!r}: nothing that was said about it still stands.")
    applies = APPLIES_TO.get(change.act, ())
    if applies and not meant.by_id and not any(fact.status in applies for fact in meant.facts):
        raise CommandError(
            f"Cannot {change.act} {change.which!r}: nothing under this key is believed. Give a value's id, as "
            "`jiyi facts --all --json` lists it, or set a value with `jiyi profile correct`."
        )


def _advice(act: Act, spec: KeySpec | None) -> str:
    """Say what to do when a correction may not be kept."""
    if act != "correct":
        return ""
    if spec is None:
        return " `jiyi facts --all` lists the keys in use; families of your own go into a file of KEYS_FILES."
    if spec.values:
        return f" Give one of: {', '.join(spec.values)}."
    return " Give the bare value, in a few words."
