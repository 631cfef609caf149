"""`jiyi bench facts`: how many of the facts that messages state are remembered, and how much of what is remembered they state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from graph.settings import settings
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from jiyi.cli.progress import progress
from jiyi.evals.columns import lined_up
from jiyi.evals.facts import Report, report
from jiyi.evals.facts_file import Line, read_facts_file
from jiyi.evals.facts_run import take_all
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import stem_of
from jiyi.reading.said import FormatError
from store.tag.choice import tagger_named

OWN = "own*.facts.jsonl"
COUNTED = ("lines", "n", "proposed", "right", "found")
SHARED = ("precision", "precision_but_naming", "recall", "f1")
NONE = "–"

Files = Mapping[str, tuple[Line, ...]]


def facts(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Labelled messages, `*.facts.jsonl`; Jiyi's own where none, if it comes with any.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Remember each message of FILES for a user of its own; tell how many of its facts are then believed, and what else is."""
    found = asyncio.run(_measured(_read(files or _own())))
    if as_json:
        say_json({"files": found})
    else:
        say("\n".join(_told(found)))


def _own() -> list[Path]:
    """Give the files that come with the project, as far as they are there."""
    (folder,) = own_files("")
    there = sorted(folder.glob(OWN))
    if not there:
        raise typer.BadParameter("none was given, and none comes with this version.", param_hint="FILES")
    return there


def _read(paths: Sequence[Path]) -> Files:
    stems = [stem_of(path) for path in paths]
    twins = [stem for stem in stems if stems.count(stem) > 1]
    if twins:
        raise typer.BadParameter(
            f"more than one file is called {twins[0]!r} up to its first dot, under which it is reported; rename one.",
            param_hint="FILES",
        )
    try:
        return {stem_of(path): read_facts_file(path) for path in paths}
    except FormatError as error:
        raise CommandError(str(error)) from error


async def _measured(files: Files) -> Mapping[str, Report]:
    found, tagger = {}, tagger_named(settings().tagger)
    for stem, lines in files.items():
        with progress(stem, total=len(lines), what="messages") as advance:
            found[stem] = report(
                await take_all(lines, timezone=settings().jiyi_timezone, tagger=tagger, on_done=advance)
            )
    return found


def _told(found: Mapping[str, Report]) -> Iterator[str]:
    """Give the lines of a table, and below it how many drafts were refused for what reason."""
    rows = [["", "lines", "labelled", "proposed", "right", "found", "precision", "but naming", "recall", "F1"]]
    for stem, one in found.items():
        rows.append(
            [one_line(stem), *(str(one[name]) for name in COUNTED), *map(_share, (one[name] for name in SHARED))]
        )
    yield from lined_up(rows)
    for stem, one in found.items():
        if one["refused"]:
            told = ", ".join(f"{times} {reason.replace('_', ' ')}" for reason, times in one["refused"].items())
            yield f"{one_line(stem)}: refused {told}"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
