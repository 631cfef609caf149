"""The report of `jiyi bench recall` for people: tables of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jiyi.cli.output import one_line
from jiyi.evals.ablation import MEASURES
from jiyi.evals.columns import lined_up
from jiyi.evals.metrics import NAMES
from jiyi.evals.recall_report import Report

SHORT = {"recall_all@": "all@", "recall@": "r@"}
IN_INTERVALS = ("micro", "macro")
WRONG_PERSON = "adversarial"


def table(stem: str, found: Report) -> Iterator[str]:
    """Give the lines that tell of one file."""
    corpora = "1 corpus" if found["corpora"] == 1 else f"{found['corpora']} corpora"
    yield f"{one_line(stem)}: {corpora}, {found['queries']} queries with gold"
    yield "Before gate and budget:"
    yield from lined_up(list(_ranking(found)))
    yield "95 % intervals:"
    yield from lined_up(list(_intervals(found["intervals"])))
    yield "After gate and budget:"
    yield from _prompt(found["after_gate"])
    yield "Cost:"
    yield from _cost(found)
    if "ablation" in found:
        yield "What each signal is worth (macro, with its 95 % interval):"
        yield from lined_up(list(_ablation(found["ablation"])))


def summary(files: Mapping[str, Report]) -> Iterator[str]:
    """Give the lines that compare all files: each as a whole, and without the questions about the wrong person."""
    rows = [["", "n", *(f"{kind} {_short(name)}" for kind in IN_INTERVALS for name in MEASURES), "p50 ms", "p95 ms"]]
    for stem, found in files.items():
        took = [f"{found['query_ms'][name]:.0f}" for name in ("p50", "p95")]
        means = [f"{found[kind][name]:.3f}" for kind in IN_INTERVALS for name in MEASURES]
        rows.append([one_line(stem), str(found["queries"]), *means, *took])
        rest = {name: means for name, means in found["categories"].items() if name != WRONG_PERSON}
        if len(rest) < len(found["categories"]):
            rows.append(_pooled(f"  without {WRONG_PERSON}", list(rest.values())))
    yield from lined_up(rows)


def _pooled(title: str, categories: list[Report]) -> list[str]:
    total = sum(one["n"] for one in categories)
    pooled = [sum(one[name] * one["n"] for one in categories) / total for name in MEASURES]
    each = [sum(one[name] for one in categories) / len(categories) for name in MEASURES]
    return [title, str(total), *(f"{value:.3f}" for value in (*pooled, *each)), "", ""]


def _ranking(found: Report) -> Iterator[list[str]]:
    yield ["", "n", *map(_short, NAMES)]
    for kind in IN_INTERVALS:
        yield [kind, str(found["queries"]), *_numbers(found[kind])]
    for name, means in found["categories"].items():
        yield [f"  {one_line(name)}", str(means["n"]), *_numbers(means)]


def _numbers(means: Mapping[str, float]) -> list[str]:
    return [f"{means[name]:.3f}" for name in NAMES]


def _intervals(found: Report) -> Iterator[list[str]]:
    names = [*MEASURES, "mrr"]
    yield ["", *map(_short, names)]
    for kind in IN_INTERVALS:
        yield [kind, *(_reach(found[kind][name]) for name in names)]


def _prompt(after: Report) -> Iterator[str]:
    precision = "–" if after["precision"] is None else f"{after['precision']:.3f}"
    yield f"  recall {after['recall']:.3f} (with what is shown around it {after['recall_shown']:.3f}), precision {precision}"
    yield (
        f"  {after['injected']:.1f} memories a query, tokens p50 {after['tokens']['p50']}, p95 {after['tokens']['p95']}; "
        f"nothing injected for {after['nothing_injected']:.1%} of the queries"
    )


def _cost(found: Report) -> Iterator[str]:
    wrote = "–" if found["write_ms_per_turn"] is None else f"{found['write_ms_per_turn']:.1f} ms"
    took = found["query_ms"]
    yield f"  a query takes p50 {took['p50']:.1f} ms, p95 {took['p95']:.1f} ms, its embedding included"
    yield f"  writing a turn takes {wrote} and {found['bytes_per_turn']} bytes"


def _ablation(ablation: Report) -> Iterator[list[str]]:
    yield ["", *(cell for name in MEASURES for cell in (_short(name), ""))]
    for signal, worth in ablation.items():
        yield [
            signal,
            *(cell for name in MEASURES for cell in (_signed(worth[name]), _reach(worth["intervals"][name]))),
        ]


def _signed(value: float) -> str:
    return f"{round(value, 3) + 0.0:+.3f}"  # a rounded -0.0 becomes 0.0


def _reach(pair: list[float]) -> str:
    return f"[{pair[0]:.3f}, {pair[1]:.3f}]"


def _short(name: str) -> str:
    return next((name.replace(long, short) for long, short in SHORT.items() if name.startswith(long)), name)
