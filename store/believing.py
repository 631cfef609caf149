"""Believing: drafts pass the gate, become evidence, and the facts they bear on are folded anew."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from memory.changes import Applied
from memory.fold import fold
from memory.gate import Refused, judge
from memory.guard.guard import Guard
from memory.ids import keyed_id
from memory.keys import ASKED_FOR, Keys
from memory.kinds import Draft, Episode, Evidence, Fact, from_value, to_value
from memory.namespaces import Owner, user_space
from memory.policies import Policies
from memory.values import normalised
from store.conflicts import note_conflicts
from store.kept_episodes import QUARANTINED, Kept
from store.memory_store import MemoryStore
from store.reviews import hold_back
from store.transaction import Transaction


def believe(
    transaction: Transaction, owner: Owner, drafts: Sequence[Draft], *, said: Kept, policies: Policies, actor: str
) -> Applied:
    """Write what may be kept of a turn's drafts; give the facts that changed and why others were refused.

    What would give orders, and whatever stands in a message that does, is held back for review.

    Args:
        transaction: In which everything is written.
        owner: Whose memory it is.
        drafts: What was proposed from the user's words.
        said: The user's words, already kept as an episode.
        policies: What may be kept.
        actor: Who caused it, for the audit log.
    """
    kept: list[Draft] = []
    refused: list[str] = []
    for draft in drafts:
        why = _poison(draft, said, policies.guard)
        verdict = _judged(draft, said, policies)
        if isinstance(verdict, Refused):
            refused.append(verdict.reason)
        elif why:
            hold_back(transaction, owner, said.episode, why=why, draft=verdict)
            refused.append(QUARANTINED)
        else:
            kept.append(verdict)
    for reason in refused:
        transaction.count_refusal(owner.user, reason)
    for draft in kept:
        append(transaction, owner, draft, said.episode)
    changed = [
        fact_id
        for key in dict.fromkeys(draft.key for draft in kept)
        for fact_id in refold(transaction, owner, key, keys=policies.keys, actor=actor)
    ]
    return Applied(facts=tuple(changed), refused=tuple(refused))


def _judged(draft: Draft, said: Kept, policies: Policies) -> Draft | Refused:
    """Ask the gate, and for what the user only asked to be remembered the guard too: no order may stand for good."""
    verdict = judge(draft, keys=policies.keys, heard=(said.episode.text,))
    if isinstance(verdict, Refused) or verdict.key != ASKED_FOR:
        return verdict
    if policies.guard.attack_in(verdict.value, for_good=True) is None:
        return verdict
    return Refused(reason="permission_or_order", draft=verdict)


def _poison(draft: Draft, said: Kept, guard: Guard) -> str:
    """Say which family of attacks a draft, its words or the message around them belong to; "" for none.

    What only takes a fact back gives no orders.
    """
    if draft.act == "retract":
        return ""
    found = next(
        (attack for text in (draft.value, draft.quote) if (attack := guard.attack_in(text, source=draft.source))), None
    )
    if found is not None:
        return found.family
    return QUARANTINED if said.is_held else ""


def refold(transaction: Transaction, owner: Owner, key: str, *, keys: Keys, actor: str) -> list[str]:
    """Fold all evidence under a key into its facts and write those that differ; give their ids."""
    spec = keys.spec(key)
    if spec is None:
        return []
    held = transaction.held_under(user_space(owner, "evidence"), key)
    evidence = [from_value(Evidence, row.value) for row in held]
    naming = partial(keyed_id, transaction.user_key(owner.user), "fact")
    facts = fold(key, evidence, spec=spec, name=naming)
    if spec.single:
        note_conflicts(transaction, owner, key, facts, evidence)
    return [fact.id for fact in facts if _write(transaction, owner, fact, keys=keys, actor=actor)]


def latest(transaction: Transaction, owner: Owner, key: str) -> datetime:
    """Give the time of something said now under a key: after all that was said, whatever clock that was by."""
    held = transaction.held_under(user_space(owner, "evidence"), key)
    return max([transaction.now, *(from_value(Evidence, row.value).said_at for row in held)])


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


def fact_text(fact: Fact, keys: Keys) -> str:
    """Give what a fact is found by: what it is called in both languages, and its value."""
    return f"{keys.label(fact.key, 'zh')} {keys.label(fact.key, 'en')}: {fact.value}"
