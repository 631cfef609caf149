"""`jiyi bench recall`: how well recall finds the turns that answer, and what it costs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from graph.clock import utc_now
from graph.settings import settings
from jiyi import __version__
from jiyi.cli.bench.embedder import chosen_embedder
from jiyi.cli.bench.recall_table import summary, table
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import say, say_json, tell
from jiyi.cli.progress import progress
from jiyi.evals.ablation import WHOLE, variants
from jiyi.evals.ablation_chart import ablation_chart
from jiyi.evals.bootstrap import DRAWS, SEED
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.evals.metrics import DEPTH
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import Corpus, read_recall_file, stem_of
from jiyi.evals.recall_report import Report, report
from jiyi.evals.recall_run import RANKED, Bench, run_corpus
from jiyi.reading.said import FormatError
from memory.recalled import SIGNALS

Corpora = tuple[Corpus, ...]
OWN = ("own.recall.jsonl", "own-held-out.recall.jsonl")


def recall(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Labelled corpora, `*.recall.jsonl`; Jiyi's own where none.", show_default=False),
    ] = None,
    embeddings: Annotated[
        str | None, typer.Option(help="`local`, `small`, `openai:<name>` or `none`; as set where not given.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Measure again without each signal in turn.")] = False,
    chart: Annotated[Path | None, typer.Option(help="Draw the ablation as SVG into this file.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Keep the turns' vectors in this folder for other runs.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write each corpus of FILES into a store of its own, ask its queries, and compare what is recalled with the gold."""
    named = _by_stem(files or own_files(*OWN))
    bench = _bench(chosen_embedder(embeddings, cache), ablate=ablate or chart is not None)
    corpora = {stem: _read(path) for stem, path in named.items()}
    found = asyncio.run(_measured(corpora, bench, write_is_timed=cache is None))
    if as_json:
        say_json({"files": found, "settings": _settings(bench, cache)})
    else:
        for stem, one in found.items():
            say("\n".join([*table(stem, one), ""]))
        say("\n".join(["All files:", *summary(found)]))
    if chart is not None:  # last, so that a folder that is not there costs no numbers
        chart.write_text(ablation_chart(found), encoding="utf-8")


def _by_stem(files: Sequence[Path]) -> dict[str, Path]:
    twins = [stem for stem, times in Counter(map(stem_of, files)).items() if times > 1]
    if twins:
        raise typer.BadParameter(
            f"more than one file is called {twins[0]!r} up to its first dot, under which it is reported; rename one.",
            param_hint="FILES",
        )
    return {stem_of(file): file for file in files}


def _bench(embedder: WatchedEmbedder | None, *, ablate: bool) -> Bench:
    asked_for = variants(RANKED, SIGNALS if ablate else ())
    return Bench(embedder=embedder, variants=asked_for, clock=utc_now, timezone=settings().jiyi_timezone)


def _read(path: Path) -> Corpora:
    try:
        return read_recall_file(path, ZoneInfo(settings().jiyi_timezone))
    except FormatError as error:
        raise CommandError(str(error)) from error


async def _measured(corpora: Mapping[str, Corpora], bench: Bench, *, write_is_timed: bool) -> dict[str, Report]:
    signals = [name for name in bench.variants if name != WHOLE]
    if not write_is_timed:
        tell("Vectors may come from the cache, so the time of writing is not reported.")
    found: dict[str, Report] = {}
    for stem, ones in corpora.items():
        steps = sum(len(one.conversation.said) + len(one.queries) for one in ones)
        with progress(stem, total=steps, what="turns and queries") as advance:
            runs = [await run_corpus(one, bench, advance) for one in ones]
        found[stem] = report(runs, signals=signals, write_is_timed=write_is_timed)
    return found


def _settings(bench: Bench, cache: Path | None) -> Report:
    return {
        "version": __version__,
        "embedder": None if bench.embedder is None else bench.embedder.name,
        "timezone": bench.timezone,
        "limit": DEPTH,
        "cache": cache is not None,
        "bootstrap": {"draws": DRAWS, "seed": SEED},
    }
