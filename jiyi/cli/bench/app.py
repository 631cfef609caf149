"""`jiyi bench`: its subcommands, put together."""

from __future__ import annotations

import typer

from jiyi.cli.bench.abstention import abstention
from jiyi.cli.bench.changes import changes
from jiyi.cli.bench.facts import facts
from jiyi.cli.bench.guard import guard
from jiyi.cli.bench.pii import pii
from jiyi.cli.bench.recall import recall
from jiyi.cli.bench.window import window

bench = typer.Typer(
    name="bench",
    help="Measure on labelled files how well and how fast Jiyi does.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


bench.command()(recall)
bench.command()(abstention)
bench.command()(pii)
bench.command()(guard)
bench.command()(facts)
bench.command()(changes)
bench.command()(window)
