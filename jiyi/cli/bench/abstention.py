"""`jiyi bench abstention`: how well recall keeps silent where nothing in a memory helps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from graph.clock import utc_now
from graph.settings import settings
from jiyi import __version__
from jiyi.cli.bench.embedder import chosen_embedder
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from jiyi.cli.progress import progress
from jiyi.evals.abstention import Line, Report, askings, heard_of, line_of, refuse_strays, report
from jiyi.evals.columns import lined_up
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import Corpus, read_recall_file, stem_of
from jiyi.evals.recall_run import Bench
from jiyi.reading.fields import Part
from jiyi.reading.said import FormatError

CORPORA = ".recall.jsonl"
OWN = ("own-held-out.recall.jsonl", "never-said.jsonl", "small-talk.jsonl")
EXPECTED = 'one JSON object a line, {"text", "lang", "kind", "corpus"}, in UTF-8; correct that line'

Lines = Mapping[str, Sequence[Line]]


def abstention(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Labelled corpora, `*.recall.jsonl`, and lines that nothing in them answers, `*.jsonl`; Jiyi's own where none.",
            show_default=False,
        ),
    ] = None,
    embeddings: Annotated[
        str | None, typer.Option(help="`local`, `small`, `openai:<name>` or `none`; as set where not given.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Keep the turns' vectors in this folder for other runs.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask each corpus of FILES its queries, and what nothing in it answers; tell for how much nothing is recalled."""
    embedder = chosen_embedder(embeddings, cache)
    bench = Bench(embedder=embedder, variants={}, clock=utc_now, timezone=settings().jiyi_timezone)
    corpora, lines = _read(files or own_files(*OWN))
    found = asyncio.run(_measured(corpora, lines, bench))
    if as_json:
        say_json(found | {"settings": _settings(bench, cache)})
    else:
        say("\n".join(_told(found)))


def _read(paths: Sequence[Path]) -> tuple[list[Corpus], Lines]:
    zone = ZoneInfo(settings().jiyi_timezone)
    try:
        corpora = [one for path in paths if path.name.endswith(CORPORA) for one in read_recall_file(path, zone)]
        lines = {stem_of(path): list(_lines(path)) for path in paths if not path.name.endswith(CORPORA)}
        for stem, ones in lines.items():
            refuse_strays(ones, corpora, stem)
    except FormatError as error:
        raise CommandError(str(error)) from error
    if not corpora:
        raise typer.BadParameter("none of them holds corpora (`*.recall.jsonl`) to ask.", param_hint="FILES")
    return corpora, lines


def _lines(path: Path) -> Iterator[Line]:
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if raw.strip():
            where = f"{path}, line {number}"
            try:
                value = json.loads(raw.decode())
            except ValueError as error:
                raise FormatError(where, f"it cannot be read ({error})", EXPECTED) from error
            yield line_of(Part(value=value, where=where, expected=EXPECTED))


async def _measured(corpora: Sequence[Corpus], lines: Lines, bench: Bench) -> Report:
    steps = sum(len(one.conversation.said) + len(askings(one, lines)) for one in corpora)
    with progress("abstention", total=steps, what="turns and askings") as advance:
        heard = [one for corpus in corpora for one in await heard_of(corpus, lines, bench, advance)]
    return report(heard)


def _settings(bench: Bench, cache: Path | None) -> Report:
    return {
        "version": __version__,
        "embedder": None if bench.embedder is None else bench.embedder.name,
        "timezone": bench.timezone,
        "cache": cache is not None,
    }


def _told(found: Report) -> Iterator[str]:
    """Give the lines that tell of it."""
    yield "Nothing is recalled for:"
    yield from lined_up(list(_shares(found["files"])))
    yield "Keeping silent, told apart from the queries with gold:"
    yield from lined_up([["", "precision", "recall", "F1"], *_scores(found["keeping_silent"])])


def _shares(by_file: Mapping[str, Report]) -> Iterator[list[str]]:
    for file, one in by_file.items():
        yield [one_line(file), str(one["n"]), f"{one['silent']:.1%}"]
        for name, share in [*one["languages"].items(), *one["kinds"].items()]:
            yield [f"  {one_line(name)}", "", f"{share:.1%}"]


def _scores(by_file: Mapping[str, Mapping[str, float | None]]) -> Iterator[list[str]]:
    for file, one in by_file.items():
        yield [one_line(file), *("–" if value is None else f"{value:.3f}" for value in one.values())]
