"""A recall run: each corpus is written into a store of its own by ingest's code, then asked through the one recall."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from langchain_core.messages import HumanMessage

from graph.settings import STORE_FILE
from jiyi.evals.ablation import WHOLE
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.evals.injecting import Injected, injected
from jiyi.evals.metrics import DEPTH, Scored, measured
from jiyi.evals.recall_file import Corpus, Query
from jiyi.reading.keeping import keep_conversations
from memory.context_query import in_context
from memory.namespaces import SHARED_AGENT, Owner
from memory.seams import Clock
from store.memory_store import MemoryStore
from store.recall import recall
from store.wanted import Wanted

OWNER = Owner(user="bench", agent=SHARED_AGENT)
RANKED = Wanted(gated=False, limit=DEPTH)
AS_THE_NODE = Wanted()
WARM_UP = "warm up / 热身"
MS = 1000.0

Timer = Callable[[], float]
"""Gives seconds that only ever grow."""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """With what a run is made.

    Attributes:
        embedder: None: memories are found by keyword.
        variants: What is wanted of each query, by name; the whole comes first.
        clock: The time, for the stores.
        timezone: In which "tomorrow" is meant (IANA name).
        timer: Measures the cost.
        folder: Where the stores are for the while; None: where temporary files are.
    """

    embedder: WatchedEmbedder | None
    variants: Mapping[str, Wanted]
    clock: Clock
    timezone: str = "UTC"
    timer: Timer = perf_counter
    folder: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A query, what each variant ranked for it, how long the whole one took, and what the prompt would hold."""

    query: Query
    ranked: Mapping[str, tuple[str, ...]]
    took_ms: float
    injected: Injected


@dataclass(frozen=True, kw_only=True)
class CorpusRun:
    """What came of one corpus: the cost of writing it, and its queries."""

    name: str
    turns: int
    wrote_ms: float
    size_bytes: int
    asked: tuple[Asked, ...]

    def scored(self, variant: str = WHOLE) -> list[Scored]:
        """Score the queries that have gold by one variant."""
        return [
            Scored(
                corpus=self.name,
                category=one.query.category,
                values=measured(one.ranked[variant], one.query.gold),
            )
            for one in self.asked
            if one.query.gold
        ]


async def run_corpus(corpus: Corpus, bench: Bench, on_done: Callable[[int], None] = lambda steps: None) -> CorpusRun:
    """Write a corpus into a fresh store, ask all its queries, and leave nothing behind.

    Args:
        corpus: What was said, and what is asked.
        bench: With what.
        on_done: Is told how many more turns and queries are done.

    Raises:
        EmbeddingError: The embedder failed: what was measured then would not be its recall.
    """
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=bench.folder) as home:
        path = Path(home) / STORE_FILE
        async with opened(path, bench) as store:
            wrote_ms = await _write(store, corpus, bench, on_done)
            asked = await _ask_all(store, corpus, bench, on_done)
        size = path.stat().st_size
    turns = len(corpus.conversation.said)
    return CorpusRun(name=corpus.name, turns=turns, wrote_ms=wrote_ms, size_bytes=size, asked=asked)


@asynccontextmanager
async def opened(path: Path, bench: Bench) -> AsyncIterator[MemoryStore]:
    """Open a store as a run uses it: nothing is indexed beside it."""
    store = MemoryStore(path, clock=bench.clock, embedder=bench.embedder)
    async with store.opened(keeps_up=False):
        yield store


async def _write(store: MemoryStore, corpus: Corpus, bench: Bench, on_done: Callable[[int], None]) -> float:
    started = bench.timer()
    await keep_conversations(store, OWNER, [corpus.conversation], timezone=bench.timezone, on_kept=on_done)
    refuse_failures(bench)
    return (bench.timer() - started) * MS


async def _ask_all(
    store: MemoryStore, corpus: Corpus, bench: Bench, on_done: Callable[[int], None]
) -> tuple[Asked, ...]:
    await recall(store, OWNER, WARM_UP, RANKED, now=bench.clock())
    asked = []
    for query in corpus.queries:
        asked.append(await _ask(store, corpus, query, bench))
        on_done(1)
    refuse_failures(bench)
    return tuple(asked)


async def _ask(store: MemoryStore, corpus: Corpus, query: Query, bench: Bench) -> Asked:
    """Ask as the node does; the first asking is the one that is timed, since it embeds the query."""
    text, now = in_context([HumanMessage(query.text)]), corpus.asked_at(query)
    ranked: dict[str, tuple[str, ...]] = {}
    took: list[float] = []
    for name, wanted in bench.variants.items():
        started = bench.timer()
        ranked[name] = tuple(one.id for one in await recall(store, OWNER, text, wanted, now=now))
        took.append((bench.timer() - started) * MS)
    found = await recall(store, OWNER, text, AS_THE_NODE, now=now)
    return Asked(query=query, ranked=ranked, took_ms=took[0], injected=await injected(store, OWNER, query.text, found))


def refuse_failures(bench: Bench) -> None:
    """Raise what the embedder failed with, where it did: what was measured then is another's recall."""
    if bench.embedder is not None and bench.embedder.failure is not None:
        raise bench.embedder.failure
