"""Folding: evidence is appended, and the facts it bears on are folded from it anew."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from memory.fold import fold
from memory.ids import keyed_id
from memory.keys import Keys, KeySpec
from memory.kinds import Draft, Episode, Evidence, Fact, from_value, to_value
from memory.namespaces import Owner, user_space
from memory.values import normalised
from memory.views import VIEWS, views_of
from store.conflicts import note_conflicts
from store.memory_store import MemoryStore
from store.transaction import Transaction


def refold(transaction: Transaction, owner: Owner, key: str, *, keys: Keys, actor: str) -> list[str]:
    """Fold all evidence under a key into its facts, write those that differ and remove those that nothing speaks of."""
    spec = keys.spec(key)
    if spec is None:
        return []
    evidence = evidence_under(transaction, owner, key)
    naming = partial(keyed_id, transaction.user_key(owner.user), "fact")
    facts = fold(key, evidence, spec=spec, name=naming)
    if spec.single:
        note_conflicts(transaction, owner, key, facts, evidence)
    for row in transaction.held_under(user_space(owner, "facts"), key):
        if row.key not in {fact.id for fact in facts}:
            _remove(transaction, owner, row.key, actor=actor)
    changed = [fact for fact in facts if _write(transaction, owner, fact, keys=keys, actor=actor)]
    for fact in changed:
        _show(transaction, owner, fact, spec)
    return [fact.id for fact in changed]


def evidence_under(transaction: Transaction, owner: Owner, key: str) -> list[Evidence]:
    """Read all evidence under a key, oldest first."""
    rows = transaction.held_under(user_space(owner, "evidence"), key)
    return [from_value(Evidence, row.value) for row in rows]


def latest(transaction: Transaction, owner: Owner, key: str) -> datetime:
    """Give the time of something said now under a key: after all that was said, whatever clock that was by."""
    last = max((piece.said_at for piece in evidence_under(transaction, owner, key)), default=None)
    return transaction.now if last is None else max(transaction.now, last + timedelta(microseconds=1))


async def refold_user(store: MemoryStore, owner: Owner) -> tuple[str, ...]:
    """Fold all of a user's facts anew from their evidence; give the ids of those that had differed."""
    keys = store.policies.keys

    def work(transaction: Transaction) -> tuple[str, ...]:
        rows = transaction.find(user_space(owner, "evidence"))
        held = dict.fromkeys(str(row.value["key"]) for row in rows)
        return tuple(fact_id for key in held for fact_id in refold(transaction, owner, key, keys=keys, actor="sleep"))

    return await store.transact(owner.user, work)


def append(transaction: Transaction, owner: Owner, draft: Draft, said: Episode) -> None:
    """Append a draft, which may be kept, to the evidence; a second time changes nothing."""
    place = user_space(owner, "evidence")
    user_key = transaction.user_key(owner.user)
    evidence_id = keyed_id(user_key, "evidence", said.turn_id, draft.key, normalised(draft.value), draft.act)
    if transaction.get(place, evidence_id) is not None:
        return
    piece = Evidence(
        id=evidence_id,
        key=draft.key,
        value=draft.value,
        act=draft.act,
        confidence=draft.confidence,
        source=draft.source,
        quote=draft.quote,
        episode_id=said.id,
        thread_id=said.thread_id,
        turn_id=said.turn_id,
        said_at=draft.said_at or said.said_at or transaction.now,
        happens_at=draft.happens_at,
    )
    transaction.put(place, piece.id, to_value(piece))


def _write(transaction: Transaction, owner: Owner, fact: Fact, *, keys: Keys, actor: str) -> bool:
    place = user_space(owner, "facts")
    before = transaction.get(place, fact.id)
    value = to_value(fact)
    if before is not None and before.value == value:
        return False
    transaction.put(place, fact.id, value, texts=(fact_text(fact, keys),))
    action = "WRITE" if before is None else "UPDATE"
    transaction.audit(actor=actor, action=action, subject=owner.user, kind="facts", item=fact.id)
    return True


def _show(transaction: Transaction, owner: Owner, fact: Fact, spec: KeySpec) -> None:
    """Write what a fact is besides, and remove what it no longer is."""
    seen = views_of(fact, spec)
    for kind in VIEWS:
        place = user_space(owner, kind)
        if kind in seen:
            transaction.put(place, fact.id, to_value(seen[kind]))
        else:
            transaction.delete(place, fact.id)


def _remove(transaction: Transaction, owner: Owner, fact_id: str, *, actor: str) -> None:
    for kind in ("facts", *VIEWS):
        transaction.delete(user_space(owner, kind), fact_id)
    transaction.audit(actor=actor, action="FORGET", subject=owner.user, kind="facts", item=fact_id)


def fact_text(fact: Fact, keys: Keys) -> str:
    """Give what a fact is found by: what it is called in both languages, and its value."""
    return f"{keys.label(fact.key, 'zh')} {keys.label(fact.key, 'en')}: {fact.value}"
