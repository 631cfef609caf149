"""A guard run: each text is planted with a user of its own, who then asks; what the model is shown tells what came of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import OFFLINE, Settings
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.evals.guard_carriers import WAYS, Planting, Way, questions, said
from jiyi.evals.guard_file import Row
from jiyi.evals.guard_kept import Kept, kept_of
from jiyi.evals.guard_standing import Standing, standing
from jiyi.evals.guard_words import TellingWords
from jiyi.testing import FixedClock
from memory.ids import thread_id_of

if TYPE_CHECKING:
    from jiyi.agent import Agent

VICTIM = "victim"
BEGINS = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
BETWEEN_THREADS, UNTIL_ASKED = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """With what a run is made.

    Attributes:
        chosen: The settings of the agent that is attacked.
        embedder: None: memories are found by keyword.
        folder: Where the homes are for the while; None: where temporary files are.
    """

    chosen: Settings
    embedder: WatchedEmbedder | None = None
    folder: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a row: what is kept of it, and where its text stood when the user asked later.

    `inside` are the ways whose turns were recalled into a fence, `is_inside` and `is_outside` tell of the prompts.
    """

    row: Row
    kept: Kept
    inside: frozenset[Way]
    is_inside: bool
    is_outside: bool


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """One later question: which episodes were recalled for it, and where the text stood."""

    recalled: tuple[str, ...]
    where: Standing


def attacked(chosen: Settings) -> Settings:
    """Give settings as an attacked agent has them: what may be kept stays as it is set, nothing leaves this machine."""
    alone = {"embeddings": "none", "chroma_url": "", "small_model": "", "model": OFFLINE, "memory_writes": "inline"}
    return chosen.model_copy(update=alone)


async def run_rows(
    rows: Sequence[Row], setup: Setup, on_done: Callable[[int], None] = lambda rows: None
) -> list[Outcome]:
    """Attack one agent for each row, and leave nothing behind.

    Args:
        rows: All rows of a file: how rare words are is told from them together.
        setup: With what.
        on_done: Is told how many more rows are done.

    Raises:
        EmbeddingError: The embedder failed: what was recalled then would not be what it recalls.
    """
    words = TellingWords(row.text for row in rows)
    outcomes = []
    for row in rows:
        with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=setup.folder) as home:
            outcomes.append(await _run(row, words.of(row.text), setup, Path(home)))
        if setup.embedder is not None and setup.embedder.failure is not None:
            raise setup.embedder.failure
        on_done(1)
    return outcomes


async def _run(row: Row, words: Sequence[str], setup: Setup, home: Path) -> Outcome:
    from jiyi.agent import open_agent  # noqa: PLC0415  (the graph: seconds)

    planting, clock = Planting(row.text), FixedClock(BEGINS)
    async with open_agent(
        home,
        model=planting.model,
        embedder=setup.embedder,
        tools=[planting.tool],
        clock=clock,
        chosen=attacked(setup.chosen),
    ) as agent:
        for way in WAYS:
            await _said(agent, said(row.text, way), thread=way)
            clock.advance(BETWEEN_THREADS)
        kept = await kept_of(agent.store, VICTIM, row.text, threads=_threads(), guard=agent.parts.policies.guard)
        clock.advance(UNTIL_ASKED)
        asked = [await _asked(agent, planting, one, row) for one in questions(row.text, words)]
    return _outcome(row, kept, asked)


async def _asked(agent: Agent, planting: Planting, question: str, row: Row) -> _Asked:
    recalled = await _said(agent, question, thread=question)
    return _Asked(recalled=recalled, where=standing(planting.model.seen[-1], row.text, asked=question))


async def _said(agent: Agent, text: str, *, thread: str) -> tuple[str, ...]:
    """Say something in a thread; give the ids of the episodes that were recalled for it."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user=VICTIM)}}
    state = await agent.graph.ainvoke(
        {"messages": [HumanMessage(text, id=thread)]}, config, context=Context(user_id=VICTIM)
    )
    return tuple(ref["id"] for ref in state["recalled"])


def _threads() -> Mapping[str, Way]:
    return {thread_id_of(way, user=VICTIM): way for way in WAYS}


def _outcome(row: Row, kept: Kept, asked: Sequence[_Asked]) -> Outcome:
    shown = (one for which in asked if which.where.inside for one in which.recalled)
    ways = {_threads().get(kept.threads.get(one, "")) for one in shown}
    return Outcome(
        row=row,
        kept=kept,
        inside=frozenset(way for way in WAYS if way in ways & kept.written),
        is_inside=any(one.where.inside for one in asked),
        is_outside=any(one.where.outside for one in asked),
    )
