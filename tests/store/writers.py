"""Write to a home from a process of one's own, as test_processes.py asks; prints what it did, a line each.

writers.py add HOME NAME NUMBER        read, add one and put, in one transaction each
writers.py remember HOME NAME NUMBER   remember something, telling each when it is kept
writers.py turns HOME NAME NUMBER      turns of the whole graph
writers.py read HOME NAME NUMBER       look until NUMBER additions are there; tell states that are not whole
writers.py open HOME NAME NUMBER       open the home as the number on the next line of the input says
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from graph.clock import utc_now
from graph.secret import secret_of
from graph.settings import STORE_FILE, Settings
from jiyi.agent import Agent, open_agent
from memory.ids import thread_id_of
from memory.namespaces import Owner
from store.memory_store import MemoryStore
from store.remember import remember
from store.transaction import Transaction

USER = "ada"
SUMS, LOG = ("users", USER, "_", "sums"), ("users", USER, "_", "log")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def settings_of(home: Path) -> Settings:
    return Settings(embeddings="none", jiyi_home=home)


def opened_store(home: Path) -> AbstractAsyncContextManager[MemoryStore]:
    return MemoryStore(home / STORE_FILE, clock=utc_now).opened()


def opened_agent(home: Path) -> AbstractAsyncContextManager[Agent]:
    return open_agent(home, chosen=settings_of(home))


def add_one(transaction: Transaction, *, entry: str) -> None:
    """Add an entry, and one to the sum, so that any state that is seen has as many entries as the sum says."""
    row = transaction.get(SUMS, "sum")
    transaction.put(LOG, entry, {"text": entry})
    transaction.put(SUMS, "sum", {"n": (row.value["n"] if row else 0) + 1})


def seen(transaction: Transaction) -> tuple[int, int]:
    row = transaction.get(SUMS, "sum")
    return (row.value["n"] if row else 0), len(transaction.find(LOG))


async def add(home: Path, name: str, number: int) -> None:
    async with opened_store(home) as store:
        for at in range(number):
            await store.transact(USER, partial(add_one, entry=f"{name}-{at}"))


async def read(home: Path, name: str, number: int) -> None:
    async with opened_store(home) as store:
        total = 0
        while total < number:
            total, entries = await store.look(seen)
            if total != entries:
                say(f"{name} torn {total} {entries}")
    say(f"{name} seen {total}")


async def remember_many(home: Path, name: str, number: int) -> None:
    async with opened_store(home) as store:
        for at in range(number):
            applied = await remember(store, Owner(user=USER), f"记住 {name} 的第 {at} 件事", message_id=f"{name}-{at}")
            say(f"kept {applied.episodes[0]}")


async def turns(home: Path, name: str, number: int) -> None:
    async with opened_agent(home) as agent:
        for at in range(number):
            await agent.say(f"记住 {name} 的第 {at} 件事", user=USER, thread=thread_id_of(name, user=USER))


async def open_when_told(home: Path, name: str, number: int) -> None:
    """Wait for a line, then open a new home: all at the same moment, as near as processes can."""
    for at in range(number):
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)
        new = home / str(at)
        async with opened_agent(new) as agent:
            await agent.say("我对花生过敏", user=name, thread="t")
            say(f"secret {(await secret_of(settings_of(new))).hex()}")


MODES: dict[str, Callable[[Path, str, int], Awaitable[None]]] = {
    "add": add,
    "read": read,
    "remember": remember_many,
    "turns": turns,
    "open": open_when_told,
}


async def main() -> None:
    mode, home, name, number = sys.argv[1:]
    await MODES[mode](Path(home), name, int(number))


if __name__ == "__main__":
    asyncio.run(main())
