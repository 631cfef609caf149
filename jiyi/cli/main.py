"""The command `jiyi`: its subcommands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from jiyi import __version__
from jiyi.cli.bench.app import bench
from jiyi.cli.chat import chat
from jiyi.cli.doctor import doctor
from jiyi.cli.export import export
from jiyi.cli.facts import facts
from jiyi.cli.failures import Commands
from jiyi.cli.ingest import ingest
from jiyi.cli.output import say
from jiyi.cli.profile import profile
from jiyi.cli.recall import recall
from jiyi.cli.reindex import reindex
from jiyi.cli.review import review
from jiyi.cli.skills import skills
from jiyi.cli.stats import stats
from jiyi.cli.threads import threads
from jiyi.cli.why import why

app = typer.Typer(
    name="jiyi",
    cls=Commands,
    help="Jiyi (记忆): an agent that remembers its users across conversations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (chat, recall, facts, why, ingest, export, stats, doctor, reindex):
    app.command()(command)
app.add_typer(profile)
app.add_typer(review)
app.add_typer(skills)
app.add_typer(threads)
app.add_typer(bench)


def run() -> None:
    """Run the command line of this process."""
    app(prog_name="jiyi")


def _version(wanted: bool) -> None:
    if wanted:
        say(f"jiyi {__version__}")
        raise typer.Exit


@app.callback()
def _jiyi(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Take the options that stand before a subcommand."""


if __name__ == "__main__":
    run()
