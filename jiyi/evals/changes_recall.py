"""Recall of what has changed: whether the newest statement is found before the one that it took the place of."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from pathlib import Path

from langchain_core.messages import HumanMessage

from graph.settings import STORE_FILE
from jiyi.evals.changes_file import Pair
from jiyi.evals.changes_model import as_labelled
from jiyi.evals.changes_run import FIRST_AT, OWNER, SECOND_AT, Listener, OnDone
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.testing import FixedClock
from memory.context_query import in_context
from memory.ids import turn_id_of
from memory.recalled import Recalled
from memory.seams import Tagger
from store.memory_store import MemoryStore
from store.recall import recall
from store.wanted import Wanted

TOGETHER = 21
"""So many pairs share a memory: beside one there are 40 turns of others."""
RANKED = Wanted(gated=False, limit=2 * TOGETHER)
AS_THE_NODE = Wanted()
APART = timedelta(hours=1)
ASKED_AT = SECOND_AT + timedelta(days=15)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Pairs that one user says, no two under one key; of those of `asked` something is asked, the rest fill it up."""

    asked: tuple[Pair, ...]
    said: tuple[Pair, ...]


@dataclass(frozen=True, kw_only=True)
class Ranks:
    """Where both statements of a pair rank, from 1; None where one is not found.

    `new` and `old` are of the bare ranking, `new_shown` and `old_shown` of what would be shown to a model.
    """

    pair: Pair
    new: int | None
    old: int | None
    new_shown: int | None
    old_shown: int | None


def grouped(pairs: Sequence[Pair], *, together: int = TOGETHER) -> list[Group]:
    """Put the pairs of each language into memories of so many, as far as there are as many under other keys."""
    groups: list[list[Pair]] = []
    for pair in pairs:
        fitting = (group for group in groups if len(group) < together and _fits(pair, group))
        group = next(fitting, None)
        if group is None:
            groups.append([pair])
        else:
            group.append(pair)
    return [Group(asked=tuple(group), said=tuple(_filled(group, pairs, together))) for group in groups]


def _filled(group: Sequence[Pair], pairs: Iterable[Pair], together: int) -> Iterator[Pair]:
    said: list[Pair] = []
    for pair in chain(group, pairs):
        if len(said) < together and pair not in said and (pair in group or _fits(pair, [*group, *said])):
            said.append(pair)
            yield pair


def _fits(pair: Pair, group: Sequence[Pair]) -> bool:
    return group[0].language == pair.language and all(one.key != pair.key for one in group)


async def run_recall(
    pairs: Sequence[Pair],
    *,
    embedder: WatchedEmbedder | None = None,
    timezone: str = "UTC",
    folder: Path | None = None,
    tagger: Tagger | None = None,
    labelled: bool = False,
    on_done: OnDone = lambda pairs: None,
) -> list[Ranks]:
    """Let users say both messages of many pairs, then ask for each; leave nothing behind.

    Args:
        pairs: What is said.
        embedder: None: memories are found by keyword.
        timezone: In which "tomorrow" is meant (IANA name).
        folder: Where the memories are for the while; None: where temporary files are.
        tagger: Marks facts besides the rules; None: the rules read alone.
        labelled: Read besides as a model would that reads each message as it is labelled.
        on_done: Is told how many more pairs are done.

    Raises:
        EmbeddingError: The embedder failed: what was measured then would not be its recall.
    """
    found: list[Ranks] = []
    for group in grouped(pairs):
        with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=folder) as home:
            store = MemoryStore(Path(home) / STORE_FILE, clock=FixedClock(ASKED_AT), embedder=embedder)
            async with store.opened(keeps_up=False):
                model = {text: said for pair in group.said if labelled for text, said in as_labelled(pair).items()}
                await _say(store, group, Listener(timezone=timezone, tagger=tagger, model=model))
                found += [await _ranks(store, pair) for pair in group.asked]
        if embedder is not None and embedder.failure is not None:
            raise embedder.failure
        on_done(len(group.asked))
    order = {pair.id: at for at, pair in enumerate(pairs)}
    return sorted(found, key=lambda one: order[one.pair.id])


async def _say(store: MemoryStore, group: Group, listener: Listener) -> None:
    """Say all first messages, an hour apart, then all second ones, each in a thread of its own."""
    for number, pair in enumerate(group.said):
        at, thread = FIRST_AT + number * APART, _thread(pair, "first")
        await listener.remember(store, OWNER, pair.first, said_at=at, thread_id=thread, message_id=thread)
    for number, pair in enumerate(group.said):
        at, thread = SECOND_AT + number * APART, _thread(pair, "second")
        await listener.remember(store, OWNER, pair.second, said_at=at, thread_id=thread, message_id=thread)


async def _ranks(store: MemoryStore, pair: Pair) -> Ranks:
    query = in_context([HumanMessage(pair.ask)])
    ranked = await recall(store, OWNER, query, RANKED, now=ASKED_AT)
    shown = await recall(store, OWNER, query, AS_THE_NODE, now=ASKED_AT)
    return Ranks(
        pair=pair,
        new=_rank(ranked, pair, "second"),
        old=_rank(ranked, pair, "first"),
        new_shown=_rank(shown, pair, "second"),
        old_shown=_rank(shown, pair, "first"),
    )


def _rank(found: Sequence[Recalled], pair: Pair, which: str) -> int | None:
    turn = turn_id_of(_thread(pair, which), _thread(pair, which))
    return next((rank for rank, one in enumerate(found, start=1) if one.turn_id == turn), None)


def _thread(pair: Pair, which: str) -> str:
    return f"{pair.id}-{which}"
