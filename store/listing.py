"""Listing namespaces: which places hold anything, matched by label."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.store.base import ListNamespacesOp, MatchCondition

from store.scopes import labels_of
from store.transaction import Transaction


def list_namespaces(transaction: Transaction, op: ListNamespacesOp) -> list[tuple[str, ...]]:
    """List the namespaces that match every condition, in order, cut to the wanted depth, each once."""
    conditions = op.match_conditions or ()
    paths = transaction.connection.execute(
        "SELECT DISTINCT namespace FROM items WHERE expires_at IS NULL OR expires_at > ?",
        (transaction.now.timestamp(),),
    )
    matching = (labels for (path,) in paths if _matches_all(labels := labels_of(path), conditions))
    cut = sorted({labels[: op.max_depth] for labels in matching})
    return cut[op.offset : op.offset + op.limit]


def _matches_all(labels: Sequence[str], conditions: Sequence[MatchCondition]) -> bool:
    return all(_matches(labels, condition) for condition in conditions)


def _matches(labels: Sequence[str], condition: MatchCondition) -> bool:
    pattern = condition.path
    if len(labels) < len(pattern):
        return False
    if condition.match_type == "prefix":
        part = labels[: len(pattern)]
    elif condition.match_type == "suffix":
        part = labels[len(labels) - len(pattern) :]
    else:
        raise ValueError(f"Cannot match namespaces by {condition.match_type!r}: use 'prefix' or 'suffix'.")
    return all(wanted in ("*", label) for wanted, label in zip(pattern, part, strict=True))
