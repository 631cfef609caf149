"""Confidence intervals by bootstrap: what the means would have been with other conversations of the same kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jiyi.evals.metrics import Scored

SEED = 20_260_501
DRAWS = 2_000
LOW, HIGH = 2.5, 97.5

Interval = tuple[float, float]
Array = NDArray[np.float64]


def intervals(scored: Sequence[Scored], *, seed: int = SEED, draws: int = DRAWS) -> dict[str, dict[str, Interval]]:
    """Give the 95 % intervals of the `micro` and `macro` mean of each metric.

    Whole conversations are drawn with replacement, since queries about the same one stand or fall together; where
    there is only one, its queries are drawn. A category that a draw does not hold is left out of its macro mean.

    Args:
        scored: At least one, all with the same metrics.
        seed: The same gives the same intervals.
        draws: How often as many are drawn as there are.
    """
    names = list(scored[0].values)
    sums, counts = _totals(scored, names)
    units = len(sums)
    weights = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
    drawn, held = np.tensordot(weights, sums, axes=1), weights @ counts
    return {"micro": _named(names, _micro(drawn, held)), "macro": _named(names, _macro(drawn, held))}


def _totals(scored: Sequence[Scored], names: Sequence[str]) -> tuple[Array, Array]:
    """Sum and count by unit, category (and metric): all that a mean of any draw is made of."""
    corpora = [one.corpus for one in scored]
    drawn = corpora if len(set(corpora)) > 1 else [str(number) for number in range(len(scored))]
    units = {name: at for at, name in enumerate(dict.fromkeys(drawn))}
    categories = {name: at for at, name in enumerate(sorted({one.category for one in scored}))}
    sums = np.zeros((len(units), len(categories), len(names)))
    counts = np.zeros((len(units), len(categories)))
    for unit, one in zip(drawn, scored, strict=True):
        sums[units[unit], categories[one.category]] += [one.values[name] for name in names]
        counts[units[unit], categories[one.category]] += 1
    return sums, counts


def _micro(drawn: Array, held: Array) -> Array:
    means: Array = drawn.sum(axis=1) / held.sum(axis=1)[:, None]
    return means


def _macro(drawn: Array, held: Array) -> Array:
    means = drawn / np.maximum(held, 1)[:, :, None]
    there = (held > 0).sum(axis=1)
    result: Array = means.sum(axis=1) / there[:, None]
    return result


def _named(names: Sequence[str], means: Array) -> dict[str, Interval]:
    low, high = np.percentile(means, [LOW, HIGH], axis=0)
    return {name: (float(low[at]), float(high[at])) for at, name in enumerate(names)}
