"""Learn the weights of ranking's signals from labelled questions, and write memory/ranking/weights.yaml.

    python -m bench.train_ranking ../shared/bench/{locomo,memdaily-zh,madial-zh,madial-en}.recall.jsonl \
        jiyi/evals/data/own.recall.jsonl --write

One linear model for all dialogue: weights that all situations (`memory.ranking.ranked.situation_of`) share, and what each
adds to them, held small by a penalty of its own. A softmax over a question's candidates gives each row a share; what is
minimised is the mean of -log(share) over the gold rows, so that all of several answers are wanted, with each file and category
weighing by n^-0.4. Each file is cut into five folds (by corpus, or by question where there is one corpus); printed are the
figures over all folds, each by the weights of the other four. Written are those of all. No randomness but the sample of easy
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
from typing import get_args
from zoneinfo import ZoneInfo

import numpy as np
import yaml
from numpy.typing import NDArray

from jiyi.evals.metrics import Scored, by_category, macro, measured, micro
from jiyi.evals.recall_file import Corpus as Labelled
from jiyi.evals.recall_file import read_recall_file, stem_of
from memory.anchors import ANCHORS
from memory.ranking.corpus import Corpus, Floats, Said, corpus_of
from memory.ranking.question import Question, question_of
from memory.ranking.ranked import WEIGHTS, Kind, Situation, situation_of
from memory.ranking.signals.meaning import Meant
from memory.ranking.table import GROUPS, signals_of
from store.embed.local import LocalEmbedder
from store.kept_episodes import searched_text

SEED, FOLDS = 0, 5
HARD, EASY_SHARE, FIRST_SIGNALS = 70, 0.08, 8
STEPS, RATE, EVENING = 200, 0.1, -0.4
L2_SHARED, L2_OWN = 2e-3, 5e-3
LEAST_WEIGHT = 0.015
EVERYWHERE_ALIKE = (*GROUPS["when"], *GROUPS["codes"])
"""Signals that mean the same in all situations: one that no question of a situation needed would be learned as useless there."""
EXPECTED = {"last_time": 0.6, "first_time": 0.5, "codes": 3.0}
"""Towards what the penalty draws a weight instead of 0: only a handful of questions ask for the last time, or name a code."""
NEVER_AGAINST = (*GROUPS["words"], *GROUPS["letters"], *GROUPS["meaning"])
"""Signals that fitting better never counts against: alike as they are, some would else be learned as the difference of two."""
SITUATIONS: tuple[Situation, ...] = get_args(Situation)
OUT = Path(__file__).parents[1] / "memory" / "ranking" / WEIGHTS

Learned = Mapping[Situation, Floats]
"""Weights by situation, in the order of the signals' names."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question: its signals (rows x names), which rows are gold, where it is from."""

    signals: NDArray[np.float32]
    gold: tuple[int, ...]
    stem: str
    category: str
    situation: Situation
    fold: int


@dataclass(frozen=True, kw_only=True)
class Pack:
    """The candidates of all questions of one situation, one after the other.

    Attributes:
        signals: Candidates x names.
        gold: Each candidate's share of its question's gold.
        starts: Where each question begins.
        counts: How much each question counts; all packs together sum to 1.
    """

    signals: Floats
    gold: Floats
    starts: NDArray[np.int64]
    counts: Floats

    def slope(self, weights: Floats) -> Floats:
        """Give the gradient of the loss at some weights."""
        of = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(self.gold)]))
        scores = self.signals @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, self.starts)[of])
        shares = powers / np.add.reduceat(powers, self.starts)[of]
        gradient: Floats = self.signals.T @ ((shares - self.gold) * self.counts[of])
        return gradient


async def main(arguments: Sequence[str] | None = None) -> int:
    """Train with and without vectors, print what comes of it, and write the weights if wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args(arguments)
    kept = Kept(chosen.cache)
    kinds: tuple[Kind, ...] = get_args(Kind)
    table = {}
    for kind in kinds:
        names, asked = await read(chosen.files, kept if kind == "with_meaning" else None)
        tell(kind, asked, {fold: learned([one for one in asked if one.fold != fold], names) for fold in range(FOLDS)})
        table[kind] = {
            situation: {name: round(float(w), 2) for name, w in zip(names, own, strict=True) if abs(w) >= LEAST_WEIGHT}
            for situation, own in learned(asked, names).items()
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
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if path and path.exists():
            with np.load(path) as held:
                self._vectors = dict(zip(held["keys"].tolist(), held["vectors"], strict=True))

    async def vectors(self, side: str, texts: Sequence[str]) -> NDArray[np.float32]:
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
    """Measure the signals of all questions that have gold."""
    names: list[str] = []
    asked: list[Asked] = []
    for file in files:
        labelled = read_recall_file(file, ZoneInfo("UTC"))
        for number, one in enumerate(labelled):
            corpus, rows = corpus_from(one)
            vectors = (
                await kept.vectors("passage", [searched_text(said.speaker, said.text) for said in corpus.said])
                if kept
                else None
            )
            for at, query in enumerate(one.queries):
                if not query.gold:
                    continue
                question = question_of(query.text, corpus.names, now=one.asked_at(query))
                meant = await meant_of(question, vectors, kept) if kept and vectors is not None else None
                signals = signals_of(corpus, question, meant)
                names = names or list(signals)
                asked.append(
                    Asked(
                        signals=np.stack([signals[name] for name in names], 1).astype(np.float32),
                        gold=tuple(rows[turn] for turn in query.gold),
                        stem=stem_of(file),
                        category=query.category,
                        situation=situation_of(corpus, question),
                        fold=(number if len(labelled) > 1 else at) % FOLDS,
                    )
                )
        if kept:
            kept.save()
    return names, asked


def learned(asked: Sequence[Asked], names: Sequence[str]) -> Learned:
    """Minimise the loss by Adam over all questions at once."""
    packs, size = _packs(asked), len(names)
    expected = np.vstack([[EXPECTED.get(name, 0.0) for name in names], np.zeros((len(packs), size))])
    of_its_own = np.array([name not in EVERYWHERE_ALIKE for name in names])
    weights, mean, square = (
        np.zeros((1 + len(packs), size)) for _ in range(3)
    )  # shared first, then each situation's own
    penalty = np.array([L2_SHARED] + [L2_OWN] * len(packs))[:, None]
    fits = np.array([name in NEVER_AGAINST for name in names])
    for step in range(1, STEPS + 1):
        slopes = np.stack([pack.slope(weights[0] + own) for pack, own in zip(packs.values(), weights[1:], strict=True)])
        slope = np.vstack([slopes.sum(axis=0), slopes * of_its_own]) + penalty * (weights - expected)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights[0, fits] = np.maximum(weights[0, fits], 0.0)
        weights[1:, fits] = np.maximum(weights[1:, fits], -weights[0, fits])
    own_of = dict(zip(packs, weights[1:], strict=True))
    return {situation: weights[0] + own_of.get(situation, 0.0) for situation in SITUATIONS}


def tell(title: str, asked: Sequence[Asked], by_fold: Mapping[int, Learned]) -> None:
    """Print what the weights give on the questions that they have not seen, by file and category."""
    by_stem: dict[str, list[Scored]] = {}
    for one in asked:
        if one.gold:
            weights = by_fold[one.fold][one.situation]
            ranking = [str(row) for row in np.argsort(-(one.signals @ weights), kind="stable")[:50]]
            scores = measured(ranking, [str(row) for row in one.gold])
            by_stem.setdefault(one.stem, []).append(Scored(corpus=one.stem, category=one.category, values=scores))
    for stem, scored in by_stem.items():
        parts = {"micro": micro(scored), "macro": macro(scored)}
        parts |= {name: micro(ones) for name, ones in by_category(scored).items()}
        for name, means in parts.items():
            figures = "  ".join(
                f"{measure} {means[measure]:.3f}" for measure in ("ndcg@10", "recall@10", "recall_all@10")
            )
            print(f"{title:13} {stem:12} {name:14} {figures}", flush=True)  # noqa: T201


def corpus_from(labelled: Labelled) -> tuple[Corpus, Mapping[str, int]]:
    """Make the corpus of a labelled one, and say in which row each of its turns is."""
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


async def meant_of(question: Question, rows: NDArray[np.float32], kept: Kept) -> Meant:
    """Give the vectors of a question beside those of the rows."""
    made = await kept.vectors("query", [question.text, question.last, *question.pieces])
    anchors = await kept.vectors("passage", ANCHORS)
    return Meant(rows=rows, whole=made[0], last=made[1], pieces=made[2:], anchors=anchors)


def _packs(asked: Sequence[Asked]) -> Mapping[Situation, Pack]:
    """Take the candidates of each question, by situation."""
    random = np.random.default_rng(SEED)
    times = Counter((one.stem, one.category) for one in asked)
    counts = np.array([times[one.stem, one.category] ** EVENING for one in asked])
    counts = counts / counts.sum()
    chosen = [_candidates(one, random) for one in asked]
    packs: dict[Situation, Pack] = {}
    for situation in SITUATIONS:
        here = [at for at, one in enumerate(asked) if one.situation == situation]
        if here:
            packs[situation] = Pack(
                signals=np.concatenate([chosen[at][0] for at in here]),
                gold=np.concatenate([chosen[at][1] for at in here]),
                starts=np.cumsum([0, *(len(chosen[at][1]) for at in here[:-1])]),
                counts=counts[here],
            )
    return packs


def _candidates(one: Asked, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Give the signals of the gold, of the rows that look like it, and of some others; and the gold's shares."""
    rows = len(one.signals)
    hard = np.argsort(-one.signals[:, :FIRST_SIGNALS].sum(axis=1), kind="stable")[:HARD]
    easy = random.integers(0, rows, int(EASY_SHARE * rows) + 5)
    chosen = np.array(sorted({*hard.tolist(), *easy.tolist(), *one.gold}))
    gold = np.isin(chosen, one.gold).astype(np.float64)
    return one.signals[chosen].astype(np.float64), gold / gold.sum()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
