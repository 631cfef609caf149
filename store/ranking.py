"""Ranking in the store: the corpus and the vectors of a namespace, and how well each thing said in it answers a query."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.ranking.abstention import CERTAIN, Help, helps
from memory.ranking.corpus import Corpus, Floats
from memory.ranking.evidence import evidence, repeated
from memory.ranking.question import Question, question_of
from memory.ranking.ranked import Ranked, ranked
from memory.ranking.signals.meaning import Meant, nearness
from memory.ranking.signals.words import coverage
from memory.seams import Embedder, EmbeddingError
from store.baselines import Baselines
from store.corpora import Corpora
from store.database import Database
from store.scopes import path_of, scopes_under
from store.vectors import VectorIndex

log = logging.getLogger(__name__)
MOST_ROWS = 10_000
"""Above this many rows a partition is searched by its candidates alone: ranking takes time in proportion to all rows."""


@dataclass(frozen=True, kw_only=True)
class RankedSpace:
    """Everything that was said in a namespace, ranked for a query.

    Attributes:
        complete: Nothing waits for its vector (or there is no embedder): nothing can be missed for want of one.
        help: How likely it is that anything there helps with the query.
    """

    corpus: Corpus
    ranked: Ranked
    lexical: Floats
    near: Floats | None
    complete: bool
    help: Help

    @cached_property
    def best(self) -> list[int]:
        """Give all items' ids, best first; of equals the newer comes first."""
        order = np.lexsort((-self.corpus.items, -self.ranked.scores))
        return [int(item) for item in self.corpus.items[order]]

    @cached_property
    def row_of(self) -> Mapping[int, int]:
        """Give the row of each item."""
        return {int(item): row for row, item in enumerate(self.corpus.items)}

    def score(self, item: int) -> float:
        """Say how well an item answers, 0..1."""
        return float(self.ranked.scores[self.row_of[item]])

    def words_of(self, item: int) -> float:
        """Say which share of the query's telling words stand in an item, 0..1."""
        return float(self.lexical[self.row_of[item]])

    def meaning_of(self, item: int) -> float:
        """Say how far an item is nearer to the query in meaning than what has nothing to do with it, 0..1."""
        return 0.0 if self.near is None else min(max(float(self.near[self.row_of[item]]), 0.0), 1.0)

    def signals_of(self, item: int) -> Mapping[str, float]:
        """Say what each group of signals adds for an item, in log odds."""
        return {group: float(values[self.row_of[item]]) for group, values in self.ranked.groups.items()}


class Ranking:
    """Scores everything that was said in a namespace against a query, by all signals that there are.

    Only vectors of the embedder that is at work now count; while there are none, words do it alone.
    """

    def __init__(self, database: Database, index: VectorIndex, embedder: Embedder | None, baselines: Baselines) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._baselines = baselines
        self._corpora = Corpora(database)

    async def ranked(
        self,
        namespace: Sequence[str],
        query: str,
        *,
        now: datetime,
        without: frozenset[str] = frozenset(),
        not_turn: str | None = None,
        among: Collection[int] | None = None,
    ) -> RankedSpace | None:
        """Rank what was said in a namespace; None where nothing was, or too much.

        Args:
            namespace: Whose, of which agent.
            query: A sentence, several, or a conversation of lines `Name: …`.
            now: When it is asked, aware.
            without: Groups of signals (`memory.ranking.table.GROUPS`) that do not count.
            not_turn: The turn in which it is asked, where that is kept already: that it is found there says nothing.
            among: Only these items, as if nothing else had been said; None for all.
        """
        corpus = await self._corpora.corpus(namespace, most=MOST_ROWS)
        if among is not None and len(among) <= MOST_ROWS:
            corpus = await (asyncio.to_thread(corpus.only, among) if corpus else self._corpora.some(namespace, among))
        if not corpus:
            return None
        question = question_of(query, corpus.names, now=now)
        waiting = await self._waiting(
            namespace
        )  # before the vectors are read: what gets its own meanwhile is not missed
        meant = await self._meant(namespace, corpus, question)
        return await asyncio.to_thread(_ranked_space, corpus, question, meant, waiting, without, not_turn)

    async def _waiting(self, namespace: Sequence[str]) -> set[int]:
        if self._embedder is None:
            return set()
        return await self._database.read(lambda connection: _waiting(connection, namespace))

    async def _meant(self, namespace: Sequence[str], corpus: Corpus, question: Question) -> Meant | None:
        if self._embedder is None:
            return None
        texts = list(dict.fromkeys((question.text, question.last, *question.pieces)))
        try:
            made = await self._embedder.embed_queries(texts)
        except EmbeddingError as error:
            log.warning("Ranking by words only: %s", error)
            return None
        vectors = {text: np.asarray(vector, dtype=np.float32) for text, vector in zip(texts, made, strict=True)}
        rows = await self._rows(namespace, corpus, len(vectors[question.text]))
        if not rows.any():
            return None
        return Meant(
            rows=rows,
            whole=vectors[question.text],
            last=vectors[question.last],
            pieces=np.stack([vectors[piece] for piece in question.pieces]),
            anchors=await self._anchors(self._embedder, length=rows.shape[1]),
        )

    async def _anchors(self, embedder: Embedder, *, length: int) -> NDArray[np.float32] | None:
        try:
            return await self._baselines.anchors(embedder, length=length)
        except EmbeddingError as error:
            log.warning("Ranking without knowing what is unrelated: %s", error)
            return None

    async def _rows(self, namespace: Sequence[str], corpus: Corpus, length: int) -> NDArray[np.float32]:
        """Give each row of the corpus its vector, zeros where there is none yet."""
        rows = np.zeros((len(corpus), length), dtype=np.float32)
        scopes = await self._database.read(lambda connection: scopes_under(connection, namespace))
        for scope in scopes:
            model = self._embedder.name if self._embedder else ""
            items, vectors = await self._index.vectors(model=model, scope=scope, length=length)
            known, places = np.unique(items, return_index=True)  # the first part of each
            here = np.isin(corpus.items, known)
            rows[here] = vectors[places[np.searchsorted(known, corpus.items[here])]]
        return rows


def _ranked_space(
    corpus: Corpus,
    question: Question,
    meant: Meant | None,
    waiting: set[int],
    without: frozenset[str],
    not_turn: str | None,
) -> RankedSpace:
    """Judge all rows; takes milliseconds a thousand rows, and belongs in a thread."""
    found = ranked(corpus, question, meant, without=without)
    near = None if meant is None else nearness(corpus, meant)
    itself = _itself(corpus, question, not_turn)
    seen = evidence(corpus, question, found.scores, near=near, left_out=itself)
    return RankedSpace(
        corpus=corpus,
        ranked=found,
        lexical=coverage(corpus, question),
        near=near,
        complete=not waiting.difference(corpus.items[itself].tolist()),
        help=CERTAIN if question.only_time else helps(seen),
    )


def _itself(corpus: Corpus, question: Question, not_turn: str | None) -> NDArray[np.bool_]:
    """Tell which rows are the question itself: those of its turn, and the lines before it that it was completed from."""
    if not_turn is None:
        return np.zeros(len(corpus), dtype=bool)
    return np.array([one.turn == not_turn for one in corpus.said]) | repeated(corpus, question)


def _waiting(connection: sqlite3.Connection, namespace: Sequence[str]) -> set[int]:
    """Give the items of a namespace that wait for their vectors."""
    rows = connection.execute(
        "SELECT items.id FROM unindexed JOIN items ON items.id = unindexed.item WHERE items.namespace = ?",
        (path_of(namespace),),
    )
    return {int(row[0]) for row in rows}
