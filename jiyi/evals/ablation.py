"""Ablation: what each signal of recall is worth, by leaving it out.

A signal is a name that `Wanted.without` understands; which there are stands in `memory.recalled.SIGNALS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jiyi.evals.bootstrap import Interval, intervals
from jiyi.evals.metrics import Scored, macro
from memory.recalled import SIGNALS
from store.wanted import Wanted

WHOLE = ""
"""The variant that leaves nothing out."""
MEASURES = ("ndcg@10", "recall@10", "recall_all@10")

LeavingOut = Callable[[Wanted, str], Wanted]
"""Gives what is wanted without one signal."""


@dataclass(frozen=True, kw_only=True)
class Worth:
    """What a signal adds to the macro mean of each measure (negative: it does harm), with 95 % intervals."""

    signal: str
    values: Mapping[str, float]
    intervals: Mapping[str, Interval]


def leaving_out(whole: Wanted, signal: str) -> Wanted:
    """Give what is wanted without one more signal."""
    return replace(whole, without=whole.without | {signal})


def variants(whole: Wanted, signals: Iterable[str] = SIGNALS, without: LeavingOut = leaving_out) -> dict[str, Wanted]:
    """Give what is wanted as a whole, then without each signal in turn, by the signal's name."""
    return {WHOLE: whole, **{signal: without(whole, signal) for signal in signals}}


def worths(scored: Mapping[str, Sequence[Scored]]) -> list[Worth]:
    """Compare every variant with the whole, query by query; what is worth most comes first.

    Args:
        scored: By variant, the same queries in the same order.
    """
    found = [_worth(signal, scored[WHOLE], ones) for signal, ones in scored.items() if signal != WHOLE]
    return sorted(found, key=lambda one: -one.values[MEASURES[0]])


def _worth(signal: str, whole: Sequence[Scored], without: Sequence[Scored]) -> Worth:
    gains = [_gain(one, other) for one, other in zip(whole, without, strict=True)]
    return Worth(signal=signal, values=macro(gains), intervals=intervals(gains)["macro"])


def _gain(whole: Scored, without: Scored) -> Scored:
    return replace(whole, values={name: whole.values[name] - without.values[name] for name in MEASURES})
