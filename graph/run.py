"""Run: who speaks where and when, worked out once at the beginning of each node."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from langgraph.runtime import Runtime

from graph.context import Context
from graph.context_check import check_context
from graph.identity import context_of, now_of, owner_of, store_of, thread_of, timezone_of
from graph.parts import Parts, PartsSource
from memory.namespaces import Owner
from memory.window import WindowPolicy
from store.memory_store import MemoryStore


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of the graph as its nodes see it."""

    parts: Parts
    owner: Owner
    thread_id: str
    store: MemoryStore
    context: Context
    now: datetime
    timezone: str

    @property
    def writes(self) -> bool:
        """Tell whether this run may add to memory."""
        return self.context.memory == "on"

    @property
    def reads(self) -> bool:
        """Tell whether this run may use memory."""
        return self.context.memory != "off"

    @property
    def inline(self) -> bool:
        """Tell whether memories are written before the run ends: where nobody chose, unless a model extracts them."""
        by_itself = "background" if self.parts.extractor else "inline"
        return (self.context.memory_writes or self.parts.settings.memory_writes or by_itself) == "inline"

    @property
    def window(self) -> WindowPolicy:
        """Say how the thread is cut, and so what of it is folded."""
        return WindowPolicy(strategy=self.context.window, max_tokens=self.parts.settings.window_tokens)

    def uses(self, layer: str) -> bool:
        """Tell whether a layer of memory goes into the prompt."""
        return self.reads and layer in self.context.layers


def run_of(runtime: Runtime[Context], source: PartsSource) -> Run:
    """Work out whose run this is, in which thread, with which store, and when.

    Raises:
        BlankIdError: Nobody was named where somebody must be.
        RunError: There is no thread, or a field of the run's context has a value that means nothing.
        NoStoreError: The graph runs without Jiyi's store.
    """
    parts = source()
    check_context(context_of(runtime))
    return Run(
        parts=parts,
        owner=owner_of(runtime, parts.settings),
        thread_id=thread_of(runtime),
        store=store_of(runtime),
        context=context_of(runtime),
        now=now_of(runtime, parts.clock),
        timezone=timezone_of(runtime, parts.settings),
    )
