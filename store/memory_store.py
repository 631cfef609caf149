"""MemoryStore: LangGraph's store on SQLite, with hybrid search, filters and atomic changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from memory.kinds import Kind
from memory.policies import Policies, default_policies
from memory.seams import Clock, Embedder
from store.after_writes import AfterWrites
from store.baselines import Baselines
from store.connect import Synchronous
from store.database import Database
from store.holders import Holders
from store.indexing import Indexer
from store.listing import list_namespaces
from store.media_files import MediaFiles
from store.ranking import Ranking
from store.scopes import labels_of
from store.search import Found, HybridSearch, Query, all_matching, first_fitting
from store.semantic import EmbedderNamed, SemanticSearch
from store.texts import texts_at, texts_of
from store.transaction import Row, Transaction
from store.vectors import ExactIndex, VectorIndex

log = logging.getLogger(__name__)
Outcome = TypeVar("Outcome")


CLEARED = "cleared"


class MemoryStore(BaseStore):
    """Keeps items in one SQLite file; async, with sync calls allowed from other threads.

    Attributes:
        supports_ttl: Items may expire; an expired one is never returned.
        policies: What may be kept of what is said, for `store.apply`; the store's own methods keep what they are given.
        media: Where the bytes are that turns refer to, for `store.apply` to delete those of forgotten turns.
        holder: The name under which this open store holds leases.
    """

    supports_ttl = True

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        embedder: Embedder | None = None,
        own_texts: Embedder | None = None,
        others: EmbedderNamed = lambda _: None,
        index: Callable[[Database], VectorIndex] = ExactIndex,
        synchronous: Synchronous = "NORMAL",
        policies: Policies | None = None,
        media: MediaFiles | None = None,
    ) -> None:
        self.path = path
        self.media = media
        self.policies = policies or default_policies()
        self.clock = clock
        self.embedder = embedder
        self.database = Database(path, synchronous=synchronous)
        self.index = index(self.database)
        self.indexer = Indexer(self.database, embedder)
        self.after_writes = AfterWrites(self.indexer, embedder)
        baselines = Baselines(own_texts)
        self.ranking = Ranking(self.database, self.index, embedder, baselines)
        self._search = HybridSearch(self.database, self._semantic(baselines, others))
        self.holders = Holders(path.parent / "holders")
        self.holder = ""
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def opened(self, *, keeps_up: bool = True) -> AsyncIterator[MemoryStore]:
        """Open the file, and close it at the end.

        Args:
            keeps_up: Meanwhile index what waits for its vectors; False for a look that changes nothing.
        """
        await self.database.open()
        self._loop = asyncio.get_running_loop()
        try:
            async with self.holders.joined() as self.holder, self._kept_up() if keeps_up else nullcontext():
                yield self
        finally:
            await self.database.close()

    @asynccontextmanager
    async def _kept_up(self) -> AsyncIterator[None]:
        await self.transact("", lambda transaction: transaction.sweep())
        keeping_up = asyncio.create_task(self.indexer.keep_up(), name="index-what-waits")
        try:
            async with self.index.running(), self.after_writes.running():
                yield
        finally:
            keeping_up.cancel()
            with suppress(asyncio.CancelledError):
                await keeping_up

    def _semantic(self, baselines: Baselines, others: EmbedderNamed) -> SemanticSearch | None:
        if self.embedder is None:
            return None
        return SemanticSearch(self.database, self.index, self.embedder, baselines=baselines, others=others)

    async def transact(self, user: str, change: Callable[[Transaction], Outcome]) -> Outcome:
        """Run a function over the store in one transaction: nobody else writes meanwhile, in any process.

        Args:
            user: Whose memory it is about (for the lock where storage has one per user).
            change: Reads and writes through the transaction only; runs on the database's thread; when it
                raises, nothing is kept.
        """
        now = self.clock()
        return await self.database.write(lambda connection: change(Transaction(connection, now=now)))

    async def look(self, view: Callable[[Transaction], Outcome]) -> Outcome:
        """Run a function that only reads; it sees one state of the store."""
        now = self.clock()
        return await self.database.read(lambda connection: view(Transaction(connection, now=now)))

    async def find(
        self, prefix: Sequence[str], query: str, *, wanted: Mapping[str, Any] | None = None, limit: int = 10
    ) -> list[Found]:
        """Search below a prefix, best first, with the parts of each score."""
        return await self._search.search(
            Query(prefix=tuple(prefix), text=query, wanted=wanted, now=self.clock().timestamp(), limit=limit)
        )

    async def matching(self, prefix: Sequence[str], wanted: Mapping[str, Any]) -> set[int]:
        """Give the ids of the items that lie below a prefix, live, and match a filter."""
        place = Query(prefix=tuple(prefix), text="", wanted=wanted, now=self.clock().timestamp(), limit=0)
        return await self.database.read(lambda connection: all_matching(connection, place))

    async def fitting(
        self, prefix: Sequence[str], order: Sequence[int], *, wanted: Mapping[str, Any] | None = None, limit: int
    ) -> list[Row]:
        """Read the first items of an order that lie below a prefix, live, and match a filter, in that order."""
        place = Query(prefix=tuple(prefix), text="", wanted=wanted, now=self.clock().timestamp(), limit=limit)
        return await self.database.read(lambda connection: first_fitting(connection, order, place))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations from a thread that is not the event loop's.

        Raises:
            RuntimeError: Called on the event loop's own thread, which would wait for itself.
        """
        if self._loop is None:
            raise RuntimeError("Cannot use the store: open it first (`async with store.opened():`).")
        with suppress(RuntimeError):
            if asyncio.get_running_loop() is self._loop:
                raise asyncio.InvalidStateError(
                    "Cannot call the store's sync methods on the event loop's thread: await `aget`, `aput`, … there."
                )
        return asyncio.run_coroutine_threadsafe(self.abatch(ops), self._loop).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations: all reads on the state before, then all writes in one transaction.

        Raises:
            InvalidNamespaceError: A label is blank, not a string, or holds a dot.
            FilterError: A filter cannot be understood.
            TypeError: A value cannot be written as JSON; then nothing of the batch was written.
        """
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results = [await self._answer(op) for op in asked]
        puts = [op for op in asked if isinstance(op, PutOp)]
        if puts:
            await self.transact("", lambda transaction: _write_all(transaction, puts))
            await self.after_writes.index()
        return results

    async def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return await self._get(op)
        if isinstance(op, SearchOp):
            return await self._searched(op)
        if isinstance(op, ListNamespacesOp):
            return await self.look(lambda transaction: list_namespaces(transaction, op))
        if isinstance(op, PutOp):
            return None
        raise TypeError(f"Cannot execute {op!r}: the store knows GetOp, PutOp, SearchOp and ListNamespacesOp.")

    async def _get(self, op: GetOp) -> Item | None:
        row = await self.look(lambda transaction: transaction.get(op.namespace, op.key))
        if row is None:
            return None
        await self._refresh([row], wanted=op.refresh_ttl)
        return _item(row)

    async def _searched(self, op: SearchOp) -> list[SearchItem]:
        shown: list[tuple[Row, float | None]]
        if not op.query:
            rows = await self.look(lambda transaction: transaction.find(op.namespace_prefix, op.filter))
            newest = sorted(rows, key=lambda row: (row.updated_at, row.id), reverse=True)
            shown = [(row, None) for row in newest[op.offset : op.offset + op.limit]]
        else:
            found = await self.find(op.namespace_prefix, op.query, wanted=op.filter, limit=op.offset + op.limit)
            shown = [(one.row, one.fused.score) for one in found[op.offset :]]
        await self._refresh([row for row, _ in shown], wanted=op.refresh_ttl)
        return [_search_item(row, score) for row, score in shown]

    async def _refresh(self, rows: Sequence[Row], *, wanted: bool) -> None:
        living = [row for row in rows if wanted and row.ttl_minutes is not None]
        if living:
            await self.transact("", lambda transaction: transaction.refresh(living))


def _write_all(transaction: Transaction, puts: Sequence[PutOp]) -> None:
    for op in puts:
        if op.value is None:
            transaction.delete(op.namespace, op.key)
        else:
            texts = tuple(_texts(op))
            transaction.put(op.namespace, op.key, _as_stranger(op), texts=texts, ttl_minutes=op.ttl)


def _as_stranger(op: PutOp) -> dict[str, Any]:
    """Give what is put without the mark of having passed a review: that is made by a verdict only."""
    return {name: value for name, value in (op.value or {}).items() if not (name == CLEARED and _is_memory(op))}


def _is_memory(op: PutOp) -> bool:
    kinds: tuple[Kind, ...] = ("episodes", "facts")
    return op.namespace[:1] == ("users",) and op.namespace[-1] in kinds


def _texts(op: PutOp) -> Iterator[str]:
    if op.index is False or op.value is None:
        return iter(())
    if op.index is None:
        return iter(texts_of(op.value))
    return iter(texts_at(op.value, op.index))


def _item(row: Row) -> Item:
    return Item(
        value=row.value,
        key=row.key,
        namespace=labels_of(row.namespace),
        created_at=row.created_at,  # type: ignore[arg-type]  # LangGraph parses ISO texts here
        updated_at=row.updated_at,  # type: ignore[arg-type]
    )


def _search_item(row: Row, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=labels_of(row.namespace),
        key=row.key,
        value=row.value,
        created_at=row.created_at,  # type: ignore[arg-type]
        updated_at=row.updated_at,  # type: ignore[arg-type]
        score=score,
    )
