"""The report of a recall run: all numbers of one file, as values that are printed or written as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jiyi.evals.ablation import WHOLE, Worth, worths
from jiyi.evals.bootstrap import Interval, intervals
from jiyi.evals.metrics import Scored, by_category, macro, micro, percentile
from jiyi.evals.recall_run import Asked, CorpusRun

DECIMALS = 4
DECIMALS_MS = 2

Report = dict[str, Any]
"""What `--json` prints of one file, and what the table and the chart are made from."""


def report(runs: Sequence[CorpusRun], *, signals: Sequence[str] = (), write_is_timed: bool = True) -> Report:
    """Put together all that was measured on one file.

    Args:
        runs: One for each corpus, at least one query of them with gold.
        signals: Which were left out in turn; their worth is reported.
        write_is_timed: False where vectors came from a cache, so that the time of writing says nothing.
    """
    scored = _scored(runs, WHOLE)
    turns = sum(run.turns for run in runs)
    took = [one.took_ms for run in runs for one in run.asked]
    wrote = round(sum(run.wrote_ms for run in runs) / max(turns, 1), DECIMALS_MS)
    found: Report = {
        "corpora": len(runs),
        "queries": len(scored),
        "micro": _rounded(micro(scored)),
        "macro": _rounded(macro(scored)),
        "categories": {name: {**_rounded(micro(ones)), "n": len(ones)} for name, ones in by_category(scored).items()},
        "query_ms": {f"p{percent}": round(percentile(took, percent), DECIMALS_MS) for percent in (50, 95)},
        "write_ms_per_turn": wrote if write_is_timed else None,
        "bytes_per_turn": round(sum(run.size_bytes for run in runs) / max(turns, 1)),
        "after_gate": _after_gate([one for run in runs for one in run.asked]),
        "intervals": {kind: _rounded_pairs(pairs) for kind, pairs in intervals(scored).items()},
    }
    if signals:
        found["ablation"] = _ablation(worths({name: _scored(runs, name) for name in (WHOLE, *signals)}))
    return found


def _scored(runs: Sequence[CorpusRun], variant: str) -> list[Scored]:
    return [one for run in runs for one in run.scored(variant)]


def _after_gate(asked: Sequence[Asked]) -> Report:
    """Measure what reaches the prompt.

    `recall` is of what was recalled and fits the budget; `recall_shown` also counts what is shown around it. `precision`
    is over all that was injected for queries with gold. The tokens and `nothing_injected` are over all queries.
    """
    with_gold = [one for one in asked if one.query.gold]
    tokens = [one.injected.tokens for one in asked]
    kept = sum(len(one.injected.kept) for one in with_gold)
    hits = sum(len(set(one.injected.kept) & set(one.query.gold)) for one in with_gold)
    return {
        "recall": _mean([_share(frozenset(one.injected.kept), one.query.gold) for one in with_gold]),
        "recall_shown": _mean([_share(one.injected.shown, one.query.gold) for one in with_gold]),
        "precision": round(hits / kept, DECIMALS) if kept else None,
        "injected": _mean([float(len(one.injected.kept)) for one in asked]),
        "tokens": {f"p{percent}": int(percentile(tokens, percent)) for percent in (50, 95)},
        "nothing_injected": _mean([float(not one.injected.kept) for one in asked]),
    }


def _share(shown: frozenset[str], gold: Sequence[str]) -> float:
    return len(shown & set(gold)) / len(set(gold))


def _ablation(found: Sequence[Worth]) -> Report:
    return {one.signal: {**_rounded(one.values), "intervals": _rounded_pairs(one.intervals)} for one in found}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(len(values), 1), DECIMALS)


def _rounded(means: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, DECIMALS) for name, value in means.items()}


def _rounded_pairs(pairs: Mapping[str, Interval]) -> dict[str, list[float]]:
    return {name: [round(end, DECIMALS) for end in pair] for name, pair in pairs.items()}
