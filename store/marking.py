"""Marking: what a user says about a fact that they have before them, which becomes evidence like anything they say."""

from __future__ import annotations

from shlex import quote

from memory.changes import Applied, MarkFact
from memory.gate import Refused, judge
from memory.ids import keyed_id
from memory.kin import canonical_key
from memory.kinds import Draft, Evidence, Fact, from_value, stamp_of, to_value
from memory.namespaces import Owner, user_space
from memory.policies import Policies
from store.folding import latest, refold
from store.redacting import redacted
from store.transaction import Transaction

MARKED_CONFIDENCE = 0.9


class MarkError(ValueError):
    """There is no such fact, or what is said of it may not be kept."""


def mark(transaction: Transaction, owner: Owner, change: MarkFact, *, policies: Policies, actor: str) -> Applied:
    """Note what the user says about a fact and fold its key anew; give the facts that changed by it.

    Raises:
        MarkError: Nothing is held under this id or key, or a correction may not be kept.
    """
    key, value = _meant(transaction, owner, change)
    if change.act == "correct":
        value = _allowed(transaction, owner, key, value, policies)
    said_at = latest(transaction, owner, key)
    place = user_space(owner, "evidence")
    naming = ("evidence", "mark", key, value, change.act, stamp_of(said_at))
    piece = Evidence(
        id=keyed_id(transaction.user_key(owner.user), *naming),
        key=key,
        value=value,
        act=change.act,
        confidence=MARKED_CONFIDENCE,
        source="user",
        quote="",
        episode_id="",
        thread_id="",
        turn_id="",
        said_at=said_at,
    )
    transaction.put(place, piece.id, to_value(piece))
    return Applied(facts=tuple(refold(transaction, owner, key, keys=policies.keys, actor=actor)))


def _meant(transaction: Transaction, owner: Owner, change: MarkFact) -> tuple[str, str]:
    """Give the key and the value that are meant: those of a fact's id; of a key, the value given or all held."""
    row = transaction.get(user_space(owner, "facts"), change.which)
    if row is not None:
        fact = from_value(Fact, row.value)
        return fact.key, change.value.strip() or fact.value
    which = canonical_key(change.which)
    if not transaction.held_under(user_space(owner, "facts"), which) and change.act != "correct":
        raise MarkError(
            f"Cannot {change.act} {change.which!r}: user {owner.user!r} has no fact of this id or key. "
            f"`jiyi facts --all --json --user {quote(owner.user)}` lists them with their ids."
        )
    return which, change.value.strip()


def _allowed(transaction: Transaction, owner: Owner, key: str, value: str, policies: Policies) -> str:
    """Give a new value as it is kept: it passes what everything passes that a user says."""
    clean = redacted(transaction, owner, policies, value)
    draft = Draft(key=key, value=clean, confidence=MARKED_CONFIDENCE, quote=clean, act="correct")
    verdict = judge(draft, keys=policies.keys, heard=(clean,))
    attack = policies.guard.attack_in(clean, for_good=True)
    if isinstance(verdict, Refused) or attack is not None:
        why = verdict.reason if isinstance(verdict, Refused) else f"quarantined: {attack.family if attack else ''}"
        raise MarkError(f"Cannot correct {key!r} to {value!r}: it may not be kept ({why}).")
    return verdict.value
