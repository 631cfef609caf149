"""Ranking in the store: the corpus and the vectors of a namespace, and how well each thing said in it answers a query."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.ranking.corpus import Corpus
from memory.ranking.question import Question, question_of
from memory.ranking.ranked import ranked
from memory.ranking.signals.meaning import Meant
from memory.seams import Embedder, EmbeddingError
from store.corpora import Corpora
from store.database import Database
from store.scopes import scopes_under
from store.vectors import VectorIndex

log = logging.getLogger(__name__)
MOST_ROWS = 10_000
"""Above this many rows a partition is searched by its candidates alone: ranking takes time in proportion to all rows."""


class Ranking:
    """Scores everything that was said in a namespace against a query, by all signals that there are.

    Only vectors of the embedder that is at work now count; while there are none, words do it alone.
    """

    def __init__(self, database: Database, index: VectorIndex, embedder: Embedder | None) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._corpora = Corpora(database)

    async def scores(
        self, namespace: Sequence[str], query: str, *, without: frozenset[str] = frozenset()
    ) -> dict[int, float]:
        """Give each item of a namespace its score, 0..1; nothing where it is empty or too large."""
        corpus = await self._corpora.corpus(namespace, most=MOST_ROWS)
        if not corpus:
            return {}
        question = question_of(query, corpus.names)
        meant = await self._meant(namespace, corpus, question)
        scores = await asyncio.to_thread(ranked, corpus, question, meant, without=without)
        return dict(zip(corpus.items.tolist(), scores.tolist(), strict=True))

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
