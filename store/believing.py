"""Believing: drafts pass the gate, become evidence, and the facts they bear on are folded anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.changes import Applied
from memory.gate import Refused, judge
from memory.guard.guard import Guard
from memory.keys import ASKED_FOR, Keys
from memory.kin import canonical_key
from memory.kinds import TAKES_AWAY, Draft
from memory.namespaces import Owner
from memory.policies import Policies
from store.folding import append, refold
from store.forgetting import Forgetting
from store.kept_episodes import QUARANTINED, Kept
from store.reviews import hold_back
from store.transaction import Transaction


def believe(
    transaction: Transaction,
    owner: Owner,
    drafts: Sequence[Draft],
    *,
    said: Kept,
    policies: Policies,
    actor: str,
    forgetting: Forgetting,
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
        forgetting: What forgets in this transaction.
    """
    kept: list[Draft] = []
    refused: list[str] = []
    for proposed in drafts:
        draft = replace(proposed, key=canonical_key(proposed.key))
        why = _poison(draft, said, policies.guard)
        verdict = _judged(draft, said, policies)
        if isinstance(verdict, Refused):
            refused.append(verdict.reason)
        elif why:
            hold_back(transaction, owner, said.episode, why=why, draft=verdict)
            refused.append(QUARANTINED)
        else:
            kept.append(_as_said(verdict, policies.keys))
    for reason in refused:
        transaction.count_refusal(owner.user, reason)
    done = Applied(refused=tuple(refused))
    for draft in kept:
        if draft.act == "forget":
            done += forgetting.asked(draft, said.episode)
        else:
            append(transaction, owner, draft, said.episode)
    changed = [
        fact_id
        for key in dict.fromkeys(draft.key for draft in kept if draft.act != "forget")
        for fact_id in refold(transaction, owner, key, keys=policies.keys, actor=actor)
    ]
    return done + Applied(facts=tuple(changed))


def _as_said(draft: Draft, keys: Keys) -> Draft:
    """Take a new wish about how to be answered for a correction of the last one: it holds at once."""
    spec = keys.spec(draft.key)
    return replace(draft, act="correct") if spec and spec.values and draft.act == "state" else draft


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
    if draft.act in TAKES_AWAY:
        return ""
    found = next(
        (attack for text in (draft.value, draft.quote) if (attack := guard.attack_in(text, source=draft.source))), None
    )
    if found is not None:
        return found.family
    return QUARANTINED if said.is_held else ""
