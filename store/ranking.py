"""Ranking in the store: the corpus and the vectors of a namespace, and how well each thing said in it answers a query."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.fusion import Baseline, semantic_score
from memory.ranking.corpus import Corpus, Floats
from memory.ranking.question import Question, question_of
from memory.ranking.ranked import Ranked, ranked
from memory.ranking.signals.meaning import Meant
from memory.ranking.signals.words import coverage
from memory.seams import Embedder, EmbeddingError
from store.baselines import Baselines
from store.corpora import Corpora
from store.database import Database
from store.scopes import scopes_under
from store.vectors import VectorIndex

log = logging.getLogger(__name__)
MOST_ROWS = 10_000
"""Above this many rows a partition is searched by its candidates alone: ranking takes time in proportion to all rows."""


@dataclass(frozen=True, kw_only=True)
class RankedSpace:
    """Everything that was said in a namespace, ranked for a query.

    Attributes:
        complete: Every row has its vector (or there is no embedder): nothing can be missed for want of one.
    """

    corpus: Corpus
    ranked: Ranked
    lexical: Floats
    cosines: Floats | None
    baseline: Baseline | None
    complete: bool

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
        if self.cosines is None or self.baseline is None:
            return 0.0
        return semantic_score(float(self.cosines[self.row_of[item]]), self.baseline)

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
        self, namespace: Sequence[str], query: str, *, now: datetime, without: frozenset[str] = frozenset()
    ) -> RankedSpace | None:
        """Rank what was said in a namespace; None where nothing was, or too much.

        Args:
            namespace: Whose, of which agent.
            query: A sentence, several, or a conversation of lines `Name: …`.
            now: When it is asked, aware.
            without: Groups of signals (`memory.ranking.table.GROUPS`) that do not count.
        """
        corpus = await self._corpora.corpus(namespace, most=MOST_ROWS)
        if not corpus:
            return None
        question = question_of(query, corpus.names)
        meant = await self._meant(namespace, corpus, question)
        baseline = await self._baseline(meant)
        found = await asyncio.to_thread(ranked, corpus, question, meant, without=without)
        return RankedSpace(
            corpus=corpus,
            ranked=found,
            lexical=coverage(corpus, question),
            cosines=None if meant is None else (meant.rows @ meant.whole).astype(np.float64),
            baseline=baseline,
            complete=self._embedder is None or (meant is not None and bool(meant.rows.any(axis=1).all())),
        )

    async def _baseline(self, meant: Meant | None) -> Baseline | None:
        if meant is None or self._embedder is None:
            return None
        try:
            return await self._baselines.of(self._embedder, meant.whole.tolist())
        except EmbeddingError as error:
            log.warning("Ranking without knowing what is unrelated: %s", error)
            return None

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
        )

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
