"""Somebody at the other end of the line: what a client does with the SDK, in a few words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_sdk.client import LangGraphClient

from memory.kinds import Kind
from memory.namespaces import Owner, user_space

AGENT = "agent"
LOOK_AGAIN_S = 0.3


@dataclass(frozen=True, kw_only=True)
class Said:
    """What came of a message: the reply, in which thread, and all the channels."""

    reply: str
    thread: str
    values: Mapping[str, Any]


class Client:
    """A client of one server; whose memory a run uses is said with each message."""

    def __init__(self, sdk: LangGraphClient) -> None:
        self.sdk = sdk

    async def thread(self) -> str:
        """Begin a thread."""
        return str((await self.sdk.threads.create())["thread_id"])

    async def say(
        self, text: str, *, user: str = "", thread: str | None = None, id: str | None = None, **options: Any
    ) -> Said:
        """Say something, in a new thread unless one is given, and wait for the whole reply.

        Args:
            text: What is said.
            user: Who says it; nobody: no context at all, as in Studio's first run.
            thread: Where; None for a new thread.
            id: The message's id; None to have one made.
            **options: Further options of the run.
        """
        where = thread or await self.thread()
        said = message(text, **({"id": id} if id else {}))
        values = await self.sdk.runs.wait(where, AGENT, input=said, **{**context(user), **options})
        assert isinstance(values, dict)
        return Said(reply=str(values["messages"][-1]["content"]), thread=where, values=values)

    async def items(self, user: str, kind: Kind) -> list[dict[str, Any]]:
        """List what of one kind is kept about a user."""
        found = await self.sdk.store.search_items(user_space(Owner(user=user), kind), limit=200)
        return [dict(item["value"]) for item in found["items"]]

    async def facts(self, user: str) -> dict[str, list[str]]:
        """Give the values that are believed about a user."""
        held: dict[str, list[str]] = {}
        for fact in await self.items(user, "facts"):
            if fact["status"] == "active":
                held.setdefault(fact["key"], []).append(fact["value"])
        return held

    async def texts(self, user: str, *, speaker: str = "user") -> list[str]:
        """Give what was said to or by a user, sorted."""
        episodes = await self.items(user, "episodes")
        return sorted(episode["text"] for episode in episodes if episode["speaker"] == speaker)

    async def settled(self, user: str) -> bool:
        """Wait until no turn of a user waits to be remembered."""

        async def nothing_waits() -> bool:
            return not await self.items(user, "pending")

        return await becomes_true(nothing_waits)


def message(text: str, **fields: str) -> dict[str, Any]:
    """Make a run's input of what a user says."""
    return {"messages": [{"role": "user", "content": text, **fields}]}


def context(user: str, **fields: Any) -> dict[str, Any]:
    """Make a run's option that says who speaks; nobody: no context at all."""
    chosen = {**({"user_id": user} if user else {}), **fields}
    return {"context": chosen} if chosen else {}


async def becomes_true(question: Callable[[], Awaitable[bool]], *, timeout_s: float = 25.0) -> bool:
    """Ask again and again until the answer is yes; tell whether it came in time."""
    deadline = time.monotonic() + timeout_s
    while not await question():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(LOOK_AGAIN_S)
    return True
