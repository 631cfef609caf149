"""`jiyi export`: everything that is kept about one user, as one JSON document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from jiyi.cli.opening import store_to_read
from jiyi.cli.options import UserOption
from jiyi.cli.output import say_json
from memory.blanking import FORGOTTEN
from memory.namespaces import id_of, user_root
from store.scopes import labels_of
from store.transaction import Row

VERSION = 1
AGENT_LABEL, KIND_LABEL = 2, 3

Item = dict[str, Any]
Order = Callable[[Item], tuple[Any, ...]]
ORDERS: dict[str, Order] = {
    "episodes": lambda item: (item["agent"], item["thread_id"], item["position"], item["id"]),
    "facts": lambda item: (item["agent"], item["key"], item["valid_from"], item["id"]),
    "evidence": lambda item: (item["agent"], item["key"], item["said_at"], item["id"]),
    "events": lambda item: (item["agent"], item["happens_at"], item["id"]),
    "followups": lambda item: (item["agent"], item["due_at"] or "", item["id"]),
    "relations": lambda item: (item["agent"], item["subject"], item["predicate"], item["object"], item["id"]),
    "pending": lambda item: (item["agent"], item["said_at"], item["turn_id"]),
    "sessions": lambda item: (item["agent"], item["ended_at"], item["id"]),
}
NOT_YET = ("lessons", "core")


def export(
    user: UserOption,
    as_json: Annotated[bool, typer.Option("--json", help="JSON is the only form, with or without it.")] = True,
) -> None:
    """Print everything that is kept about a user, of all agents; what was forgotten has nothing left to print."""
    say_json(asyncio.run(_document(user)))


async def _document(user: str) -> dict[str, Any]:
    async with store_to_read() as store:
        found = await store.look(lambda transaction: transaction.find(user_root(user)))
    rows = [row for row in found if row.value.get("text") != FORGOTTEN]
    kept = {kind: _items(rows, kind, order) for kind, order in ORDERS.items()}
    return {"version": VERSION, "user": user, **kept, **{kind: [] for kind in NOT_YET}}


def _items(rows: Iterable[Row], kind: str, order: Order) -> list[Item]:
    """Give one kind's items as they are kept, with their agent, in an order that does not depend on when they came."""
    placed = [(labels_of(row.namespace), row) for row in rows]
    ours = [(labels, row) for labels, row in placed if len(labels) == KIND_LABEL + 1 and labels[KIND_LABEL] == kind]
    return sorted(({**row.value, "agent": id_of(labels[AGENT_LABEL])} for labels, row in ours), key=order)
