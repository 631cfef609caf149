"""`jiyi bench pii`: how much of what is private is replaced, and how much else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from jiyi.cli.progress import Advance, progress
from jiyi.evals.columns import lined_up
from jiyi.evals.own_files import own_files
from jiyi.evals.pii import Report, report
from jiyi.evals.pii_file import Labelled, read_pii_file
from jiyi.evals.recall_file import stem_of
from jiyi.reading.said import FormatError

OWN = ("own-generated.pii.jsonl", "own-various.pii.jsonl", "own-secrets.pii.jsonl", "own-benign.pii.jsonl")
NONE = "–"


def pii(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Labelled texts, `*.pii.jsonl`; Jiyi's own where none.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Redact each text of FILES; tell by type how much of what is labelled is replaced, and how much else is."""
    found = {"files": _measured(files or own_files(*OWN))}
    if as_json:
        say_json(found)
    else:
        say("\n".join(_told(found["files"])))


def _measured(paths: list[Path]) -> Mapping[str, Report]:
    read = {stem_of(path): _read(path) for path in paths}
    with progress("pii", total=sum(map(len, read.values())), what="texts") as advance:
        return {stem: report(_told_of(cases, advance)) for stem, cases in read.items()}


def _told_of(cases: Iterable[Labelled], advance: Advance) -> Iterator[Labelled]:
    for case in cases:
        yield case
        advance(1)


def _read(path: Path) -> tuple[Labelled, ...]:
    try:
        return read_pii_file(path)
    except FormatError as error:
        raise CommandError(str(error)) from error


def _told(files: Mapping[str, Report]) -> Iterator[str]:
    """Give the lines of a table: by file and type."""
    rows = [["", "precision", "recall", "n"]]
    for stem, one in files.items():
        rows.append([one_line(stem), "", "", ""])
        rows += [[f"  {one_line(name)}", *_cells(scores)] for name, scores in one["types"].items()]
        rows.append(["  replaced outside", f"{one['over_redaction']:.2%}", "", ""])
    yield from lined_up(rows)


def _cells(scores: Mapping[str, float | None]) -> list[str]:
    shares = [NONE if scores[name] is None else f"{scores[name]:.3f}" for name in ("precision", "recall")]
    return [*shares, str(scores["n"])]
