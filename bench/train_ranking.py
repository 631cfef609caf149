"""Learn the weights of ranking's signals from labelled questions, and write memory/ranking/weights.yaml.

    python -m bench.train_ranking ../shared/bench/{locomo,memdaily-zh,madial-zh,madial-en}.recall.jsonl --write

One linear model for all dialogue. A softmax over a question's candidates gives each row a share; what is minimised is the mean
of -log(share) over the gold rows, so that all of several answers are wanted, with each file and category weighing alike
(n^-0.75) and a small L2. Each file is cut into five folds (by corpus, or by question where there is one corpus); printed are
the figures of each fold by the weights of the other four. Written are those of all five. No randomness but the sample of easy
candidates, whose seed is fixed. `--cache FILE` keeps the vectors between runs.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import yaml

from jiyi.evals.metrics import Scored, macro, measured, micro
from jiyi.evals.recall_file import Corpus as Labelled
from jiyi.evals.recall_file import read_recall_file, stem_of
from memory.ranking.corpus import Corpus, Floats, Said, corpus_of
from memory.ranking.question import Question, question_of
from memory.ranking.ranked import WEIGHTS
from memory.ranking.signals.meaning import Meant
from memory.ranking.table import signals_of
from store.embed.local import LocalEmbedder

SEED, FOLDS = 0, 5
HARD, EASY_SHARE = 70, 0.08
STEPS, RATE, L2, EVENING = 150, 0.1, 2e-3, -0.75
LEAST_WEIGHT = 0.015
OUT = Path(__file__).parents[1] / "memory" / "ranking" / WEIGHTS


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question: its signals (rows x names), which rows are gold, where it is from."""

    signals: Floats
    gold: tuple[int, ...]
    group: str
    fold: int


async def main(arguments: Sequence[str] | None = None) -> int:
    """Train with and without vectors, print what comes of it, and write the weights if wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args(arguments)
    kept = Kept(chosen.cache)
    table: dict[str, dict[str, float]] = {}
    for kind in ("with_meaning", "words_only"):
        names, asked = await read(chosen.files, kept if kind == "with_meaning" else None)
        for fold in range(FOLDS):
            weights = learned([one for one in asked if one.fold != fold])
            tell(f"{kind}, fold {fold}", asked, weights, fold)
        table[kind] = {
            n: round(float(w), 2) for n, w in zip(names, learned(asked), strict=True) if abs(w) >= LEAST_WEIGHT
        }
    if chosen.write:
        head = f"# Learned by bench/train_ranking.py (seed {SEED}) on {', '.join(stem_of(file) for file in chosen.files)}.\n"
        OUT.write_text(head + yaml.safe_dump(table, sort_keys=False), encoding="utf-8")
    return 0


class Kept:
    """Vectors by side and text, kept in a file between runs."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._embedder = LocalEmbedder()
        self._vectors: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}
        if path and path.exists():
            with np.load(path) as held:
                self._vectors = dict(zip(held["keys"].tolist(), held["vectors"], strict=True))

    async def vectors(self, side: str, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """Give the vectors of texts, embedding those that are new."""
        keys = [hashlib.blake2b(f"{side}\n{text}".encode(), digest_size=16).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        if new:
            embed = self._embedder.embed_queries if side == "query" else self._embedder.embed_passages
            made = await embed(list(new.values()))
            self._vectors |= {key: np.asarray(one, np.float32) for key, one in zip(new, made, strict=True)}
        return np.stack([self._vectors[key] for key in keys])

    def save(self) -> None:
        """Write what is kept."""
        if self._path:
            np.savez(self._path, keys=np.array(list(self._vectors)), vectors=np.stack(list(self._vectors.values())))


async def read(files: Iterable[Path], kept: Kept | None) -> tuple[list[str], list[Asked]]:
    """Measure the signals of all questions."""
    names: list[str] = []
    asked: list[Asked] = []
    for file in files:
        labelled = read_recall_file(file, ZoneInfo("UTC"))
        for number, one in enumerate(labelled):
            corpus, rows = _corpus(one)
            vectors = await kept.vectors("passage", [_searched(said) for said in corpus.said]) if kept else None
            for at, query in enumerate(one.queries):
                question = question_of(query.text, corpus.names)
                meant = await _meant(question, vectors, kept) if kept and vectors is not None else None
                signals = signals_of(corpus, question, meant)
                names = names or list(signals)
                group = f"{stem_of(file)}/{query.category}"
                fold = (number if len(labelled) > 1 else at) % FOLDS
                gold = tuple(rows[turn] for turn in query.gold)
                asked.append(Asked(signals=np.stack([signals[n] for n in names], 1), gold=gold, group=group, fold=fold))
        if kept:
            kept.save()
    return names, asked


def learned(asked: Sequence[Asked]) -> Floats:
    """Minimise the loss by Adam over all questions at once."""
    random = np.random.default_rng(SEED)
    times = Counter(one.group for one in asked)
    packs = [(*_candidates(one, random), times[one.group] ** EVENING) for one in asked if one.gold]
    total = sum(share for _, _, share in packs)
    weights, mean, square = (np.zeros(asked[0].signals.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = L2 * weights
        for signals, gold, share in packs:
            scores = signals @ weights
            shares = np.exp(scores - scores.max())
            slope = slope + share / total * (signals.T @ (shares / shares.sum() - gold))
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def tell(title: str, asked: Sequence[Asked], weights: Floats, fold: int) -> None:
    """Print what the weights give on a fold that they have not seen."""
    by_file: dict[str, list[Scored]] = {}
    for one in asked:
        if one.fold == fold and one.gold:
            ranking = [str(row) for row in np.argsort(-(one.signals @ weights), kind="stable")[:50]]
            file, _, category = one.group.partition("/")
            scores = measured(ranking, [str(row) for row in one.gold])
            by_file.setdefault(file, []).append(Scored(corpus=file, category=category, values=scores))
    for file, scored in by_file.items():
        every, each = micro(scored), macro(scored)
        figures = f"ndcg@10 {each['ndcg@10']:.3f} recall@10 {each['recall@10']:.3f}"
        print(f"{title}: {file} n={len(scored)} {figures} recall_all@10 {every['recall_all@10']:.3f}")  # noqa: T201


def _corpus(labelled: Labelled) -> tuple[Corpus, Mapping[str, int]]:
    said = [
        Said(
            item=number,
            text=turn.text,
            speaker=turn.speaker,
            thread=turn.session,
            position=number,
            said_at=turn.said_at.timestamp() if turn.said_at else None,
        )
        for number, turn in enumerate(labelled.conversation.said)
    ]
    corpus = corpus_of(said)
    row_of = {one.item: row for row, one in enumerate(corpus.said)}
    return corpus, {turn.name: row_of[number] for number, turn in enumerate(labelled.conversation.said)}


def _searched(said: Said) -> str:
    return said.text if said.speaker in ("user", "assistant") else f"{said.speaker}: {said.text}"


async def _meant(question: Question, rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], kept: Kept) -> Meant:
    made = await kept.vectors("query", [question.text, question.last, *question.pieces])
    return Meant(rows=rows, whole=made[0], last=made[1], pieces=made[2:])


def _candidates(one: Asked, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Give the signals of the gold, of the rows that look like it, and of some others; and the gold's shares."""
    rows = len(one.signals)
    hard = np.argsort(-one.signals[:, :8].sum(axis=1))[:HARD]
    easy = random.integers(0, rows, int(EASY_SHARE * rows) + 5)
    chosen = np.array(sorted({*hard.tolist(), *easy.tolist(), *one.gold}))
    gold = np.isin(chosen, one.gold).astype(np.float64)
    return one.signals[chosen], gold / gold.sum()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
