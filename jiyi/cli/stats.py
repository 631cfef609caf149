"""`jiyi stats`: how much is kept about a user, and how often what was refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, get_args

from jiyi.cli.opening import store_to_read
from jiyi.cli.options import JsonOption, UserOption
from jiyi.cli.output import say, say_json
from memory.blanking import FORGOTTEN
from memory.kinds import Kind
from memory.namespaces import user_root
from store.scopes import labels_of
from store.transaction import Transaction


def stats(user: UserOption, as_json: JsonOption = False) -> None:
    """Count what is kept about a user, and what the gate turned away, by reason."""
    counted = asyncio.run(_counted(user))
    if as_json:
        say_json({"user": user, **counted})
        return
    for kind, number in counted["kept"].items():
        say(f"{kind}  {number}")
    for reason, number in counted["refused"].items():
        say(f"refused: {reason}  {number}")


async def _counted(user: str) -> dict[str, Any]:
    async with store_to_read() as store:
        return await store.look(lambda transaction: _count(transaction, user))


def _count(transaction: Transaction, user: str) -> dict[str, Any]:
    kept = (row for row in transaction.find(user_root(user)) if row.value.get("text") != FORGOTTEN)
    found = Counter(labels_of(row.namespace)[-1] for row in kept)
    refused = transaction.refusals(user)
    return {
        "kept": {kind: found.get(kind, 0) for kind in get_args(Kind)},
        "refused": dict(sorted(refused.items(), key=lambda each: (-each[1], each[0]))),
    }
