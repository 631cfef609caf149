"""`jiyi bench changes`: whether what is said anew takes the place of what it changes, and what is kept of what is not to be."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graph.settings import settings
from jiyi.cli.bench.embedder import chosen_embedder
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from jiyi.cli.progress import progress
from jiyi.evals.changes import Report, junk_report, report
from jiyi.evals.changes_file import Junk, Pair, read_changes_file, read_junk_file
from jiyi.evals.changes_recall import run_recall
from jiyi.evals.changes_run import BESIDE, run_junk, run_pairs
from jiyi.evals.columns import lined_up
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.evals.own_files import own_files
from jiyi.evals.recall_file import stem_of
from jiyi.reading.said import FormatError
from store.tag.choice import tagger_named

OWN = ("own-a.changes.jsonl", "own-b.changes.jsonl", "own.junk.jsonl")
CHANGES, JUNK = ".changes.jsonl", ".junk.jsonl"
NONE = "–"
SHARES = ("first", "before_old", "shown", "shown_first", "shown_before_old", "only_old_shown")


@dataclass(frozen=True, kw_only=True)
class _Read:
    """What is measured, by the file's name up to its first dot."""

    changes: Mapping[str, tuple[Pair, ...]]
    junk: Mapping[str, tuple[Junk, ...]]


def changes(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Pairs of messages, `*.changes.jsonl`, and messages to keep nothing of, `*.junk.jsonl`; Jiyi's own where none.",
            show_default=False,
        ),
    ] = None,
    embeddings: Annotated[
        str | None, typer.Option(help="`local`, `small`, `openai:<name>` or `none`; as set where not given.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Keep the messages' vectors in this folder for other runs.")
    ] = None,
    beside: Annotated[int, typer.Option(min=0, help="How many other facts are known meanwhile.")] = BESIDE,
    labelled: Annotated[
        bool, typer.Option("--labelled", help="Read as a model would that reads each message as it is labelled.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Say both messages of each pair of FILES, days apart; tell which value is believed then, what else changed, and which is recalled."""
    read = _read(files or own_files(*OWN))
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as folder:
        found = asyncio.run(_measured(read, chosen_embedder(embeddings, cache or Path(folder)), beside, labelled))
    if as_json:
        say_json(found)
    else:
        say("\n".join(_told(found)))


def _read(paths: Sequence[Path]) -> _Read:
    strange = [path.name for path in paths if not path.name.endswith((CHANGES, JUNK))]
    if strange:
        raise typer.BadParameter(
            f"{strange[0]!r} ends neither in {CHANGES!r} nor in {JUNK!r}; rename it to what it holds.",
            param_hint="FILES",
        )
    pairs, junk = ([path for path in paths if path.name.endswith(end)] for end in (CHANGES, JUNK))
    _refuse_twins(pairs)
    _refuse_twins(junk)
    try:
        return _Read(
            changes={stem_of(path): read_changes_file(path) for path in pairs},
            junk={stem_of(path): read_junk_file(path) for path in junk},
        )
    except FormatError as error:
        raise CommandError(str(error)) from error


def _refuse_twins(paths: Sequence[Path]) -> None:
    twins = [stem for stem, times in Counter(map(stem_of, paths)).items() if times > 1]
    if twins:
        raise typer.BadParameter(
            f"more than one file is called {twins[0]!r} up to its first dot, under which it is reported; rename one.",
            param_hint="FILES",
        )


async def _measured(read: _Read, embedder: WatchedEmbedder | None, beside: int, labelled: bool) -> Report:
    timezone, tagger = settings().jiyi_timezone, tagger_named(settings().tagger)
    files, junk = {}, {}
    for stem, pairs in read.changes.items():
        with progress(stem, total=2 * len(pairs), what="pairs said and asked") as advance:
            courses = await run_pairs(
                pairs, timezone=timezone, tagger=tagger, labelled=labelled, beside=beside, on_done=advance
            )
            ranks = await run_recall(
                pairs, embedder=embedder, timezone=timezone, tagger=tagger, labelled=labelled, on_done=advance
            )
        files[stem] = report(courses, ranks)
    for stem, messages in read.junk.items():
        with progress(stem, total=len(messages), what="messages") as advance:
            junk[stem] = junk_report(await run_junk(messages, timezone=timezone, tagger=tagger, on_done=advance))
    return {
        "files": files,
        "junk": junk,
        "settings": {
            **{name: part.name if part else None for name, part in (("embedder", embedder), ("tagger", tagger))},
            "labelled": labelled,
        },
    }


def _told(found: Report) -> Iterator[str]:
    """Give the lines that tell of it."""
    for stem, one in found["files"].items():
        yield f"{one_line(stem)}:"
        yield from lined_up(list(_pairs(one["pairs"])))
        beside, replay = one["collateral"], one["replay"]
        yield (
            f"beside: {beside['changed']} of {beside['beside']} other facts changed, "
            f"{beside['overwritten']} of them under keys the messages speak of"
        )
        yield f"said again: {replay['grown']} facts more, {replay['turned']} turned"
        yield from lined_up([["recall", "n", *(name.replace("_", " ") for name in SHARES)], *_shares(one["recall"])])
        yield ""
    for stem, one in found["junk"].items():
        yield f"{one_line(stem)}, of which nothing is to be kept:"
        yield from lined_up([["", "messages", "leaving", "share", "facts"], *_junk(one)])


def _pairs(groups: Mapping[str, Report]) -> Iterator[list[str]]:
    counted = ("n", "learned", "updated", "missed", "lost", "to_review")
    yield ["pairs", *(name.replace("_", " ") for name in counted), "share missed"]
    for name, one in groups.items():
        yield [one_line(name), *(str(one[what]) for what in counted), _share(one["share_missed"])]


def _shares(recall: Mapping[str, Report]) -> Iterator[list[str]]:
    for name, one in recall.items():
        yield [name, str(one["n"]), *(_share(one[what]) for what in SHARES)]


def _junk(one: Report) -> Iterator[list[str]]:
    for name, part in (("all", one), *one["kinds"].items()):
        yield [one_line(name), str(part["n"]), str(part["leaving"]), _share(part["share_leaving"]), str(part["facts"])]


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.1%}"
