"""Metrics of a ranking against its gold: pure, each 0..1 and higher is better."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

CUTS = (1, 5, 10, 20, 50)
GAIN_CUT = 10
DEPTH = max(CUTS)
NAMES = (
    *(f"recall@{k}" for k in CUTS),
    *(f"recall_all@{k}" for k in CUTS),
    f"ndcg@{GAIN_CUT}",
    "mrr",
)

Means = Mapping[str, float]
"""A mean of each metric, by its name."""


@dataclass(frozen=True, kw_only=True)
class Scored:
    """What one query scored: in which corpus it was asked, of which category it is, and each metric by name."""

    corpus: str
    category: str
    values: Means


def recall_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Say which share of the gold is within the first k."""
    return len(set(ranked[:k]) & set(gold)) / len(set(gold))


def recall_all_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Say whether all of the gold is within the first k: 1 or 0."""
    return float(set(gold) <= set(ranked[:k]))


def ndcg_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Say how much is gained within the first k, as a share of what the best order would gain.

    A hit gains 1 / log2(rank + 1). The best order has all gold first, of which at most k count.
    """
    wanted = set(gold)
    gained = sum(_gain(rank) for rank, one in enumerate(ranked[:k], start=1) if one in wanted)
    best = sum(_gain(rank) for rank in range(1, min(len(wanted), k) + 1))
    return gained / best


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Give 1 / rank of the first hit; 0 where there is none."""
    wanted = set(gold)
    return next((1 / rank for rank, one in enumerate(ranked, start=1) if one in wanted), 0.0)


def measured(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Give every metric of one ranking by its name.

    Args:
        ranked: Ids, best first, none twice.
        gold: The ids that hold the answer, at least one.
    """
    return {
        **{f"recall@{k}": recall_at(k, ranked, gold) for k in CUTS},
        **{f"recall_all@{k}": recall_all_at(k, ranked, gold) for k in CUTS},
        f"ndcg@{GAIN_CUT}": ndcg_at(GAIN_CUT, ranked, gold),
        "mrr": reciprocal_rank(ranked, gold),
    }


def micro(scored: Collection[Scored]) -> dict[str, float]:
    """Give the mean of each metric over the queries, at least one."""
    names = next(iter(scored)).values
    return {name: sum(one.values[name] for one in scored) / len(scored) for name in names}


def by_category(scored: Collection[Scored]) -> dict[str, list[Scored]]:
    """Put the queries of each category together, in the order of the categories' names."""
    names = sorted({one.category for one in scored})
    return {name: [one for one in scored if one.category == name] for name in names}


def macro(scored: Collection[Scored]) -> dict[str, float]:
    """Give the mean of the categories' means of each metric; every category counts the same."""
    means = [micro(group) for group in by_category(scored).values()]
    return {name: sum(one[name] for one in means) / len(means) for name in means[0]}


def percentile(values: Collection[float], percent: int) -> float:
    """Give the least value that so many percent of them do not exceed; 0 where there are none."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * percent / 100), 1) - 1] if ordered else 0.0


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)
