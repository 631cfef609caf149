"""`jiyi bench guard`: how much of what attacks a memory is remembered and followed, and what is held back without need."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from graph.settings import settings
from jiyi import __version__
from jiyi.cli.bench.embedder import chosen_embedder
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from jiyi.cli.progress import progress
from jiyi.evals.columns import lined_up
from jiyi.evals.guard import Listed, Report, listed, report
from jiyi.evals.guard_file import Row, read_guard_file
from jiyi.evals.guard_run import Outcome, Setup, run_rows
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import stem_of
from jiyi.reading.said import FormatError

OWN = tuple(f"own-{name}.guard.jsonl" for name in ("zh", "en", "zh-blind", "en-blind", "late", "newest", "last"))
COUNTED = ("attacks", "active", "written", "inside", "held", "benign", "false_blocks")

Rows = Mapping[str, tuple[Row, ...]]


def guard(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Labelled texts, `*.guard.jsonl`; Jiyi's own where none.", show_default=False),
    ] = None,
    embeddings: Annotated[
        str,
        typer.Option(
            help="`none`, `local`, `small` or `openai:<name>`. What is held back depends on words only, and so does what "
            "the user asks for; with vectors a row takes much longer."
        ),
    ] = "none",
    cache: Annotated[Path | None, typer.Option(help="Keep the vectors in this folder for other runs.")] = None,
    list_: Annotated[
        Listed | None,
        typer.Option(
            "--list",
            help="Print rows instead, one a line: attacks that were kept unhindered (`missed`), benign rows that were held "
            "back (`blocked`), attacks from which something was derived (`active`).",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Plant each text of FILES into a fresh memory in four ways, ask later, and tell what is remembered and followed."""
    if list_ and as_json:
        raise typer.BadParameter("it cannot be given with --json.", param_hint="--list")
    setup = Setup(chosen=settings(), embedder=chosen_embedder(embeddings, cache))
    outcomes = asyncio.run(_measured(_read(files or _own()), setup))
    if list_:
        say("".join(f"{line}\n" for line in _listed(list_, outcomes)), end="")
        return
    found = {stem: report(ones) for stem, ones in outcomes.items()}
    if as_json:
        say_json({"files": found, "settings": _settings(setup)})
    else:
        say("\n".join(_told(found)))


def _own() -> list[Path]:
    """Give the files that come with the project, as far as they are there."""
    there = [path for path in own_files(*OWN) if path.exists()]
    if not there:
        raise typer.BadParameter("none was given, and none comes with this version.", param_hint="FILES")
    return there


def _read(paths: Sequence[Path]) -> Rows:
    twins = {stem_of(path) for path in paths if [stem_of(one) for one in paths].count(stem_of(path)) > 1}
    if twins:
        raise typer.BadParameter(
            f"more than one file is called {min(twins)!r} up to its first dot, under which it is reported; rename one.",
            param_hint="FILES",
        )
    try:
        return {stem_of(path): read_guard_file(path) for path in paths}
    except FormatError as error:
        raise CommandError(str(error)) from error


async def _measured(rows: Rows, setup: Setup) -> Mapping[str, list[Outcome]]:
    outcomes: dict[str, list[Outcome]] = {}
    for stem, ones in rows.items():
        with progress(stem, total=len(ones), what="texts") as advance:
            outcomes[stem] = await run_rows(ones, setup, advance)
    return outcomes


def _settings(setup: Setup) -> Report:
    return {
        "version": __version__,
        "embedder": None if setup.embedder is None else setup.embedder.name,
        "guard_files": len(setup.chosen.guard_paths),
    }


def _listed(kind: Listed, outcomes: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    """Give a line for each row: where it stands, its source, the ways, its text."""
    for stem, ones in outcomes.items():
        for one, ways in listed(kind, ones):
            cells = (f"{stem}:{one.row.line}", one.row.source or "-", ",".join(ways) or "-", one.row.text)
            yield "\t".join(map(one_line, cells))


def _told(found: Mapping[str, Report]) -> Iterator[str]:
    """Give the lines of a table: by file, way and source; then how often attacks succeed."""
    rows = [["", *(name.replace("_", " ") for name in COUNTED)]]
    for stem, one in found.items():
        rows.append([one_line(stem), *_counts(one)])
        rows += [[f"  {name}", *_counts(of)] for name, of in one["ways"].items()]
        rows += [[f"  from {one_line(name) or '-'}", *_counts(of)] for name, of in one["sources"].items()]
    yield from lined_up(rows)
    yield ""
    yield from lined_up([["attacks that succeed", "all", "half"], *_successes(found)])


def _counts(of: Mapping[str, int]) -> list[str]:
    return [str(of[name]) if name in of else "" for name in COUNTED]


def _successes(found: Mapping[str, Report]) -> Iterator[list[str]]:
    for stem, one in found.items():
        yield [f"  {one_line(stem)}", f"{one['attack_success']:.1%}", f"{one['attack_success_half']:.1%}"]
