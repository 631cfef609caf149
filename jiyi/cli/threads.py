"""`jiyi threads`: a user's conversations: listed, read through, taken back, branched off, deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from jiyi.cli.options import JsonOption, UserOption, agent_named
from jiyi.cli.output import say_json, tell, well_formed
from jiyi.cli.threads_opening import threads_opened
from jiyi.cli.threads_output import (
    branched_json,
    deleted_json,
    line_json,
    rewound_json,
    say_branched,
    say_deleted,
    say_line,
    say_rewound,
    say_shown,
    shown_json,
)

if TYPE_CHECKING:
    from jiyi.threads.threads import Threads

threads = typer.Typer(
    name="threads",
    help="A user's conversations: list them, read them, go back in them, branch off, delete.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Done = TypeVar("Done")

Which = Annotated[str, typer.Argument(metavar="THREAD", help="Its name or id, as `jiyi threads list` gives it.")]
OneAgent = Annotated[
    str | None, typer.Option("--agent", callback=agent_named, help="Only what this agent remembers; else what all do.")
]
Memories = Annotated[bool, typer.Option("--memories", help="Also forget what was remembered of it.")]


@threads.command("list")
def list_(
    user: UserOption,
    agent: OneAgent = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the threads, the one last written first."""
    found = _with(lambda opened: opened.list(user=user, agent=agent, limit=limit), write=False)
    if as_json:
        say_json({"user": user, "threads": [line_json(one) for one in found]})
        return
    if not found:
        tell("There is no thread.")
    for one in found:
        say_line(one)


@threads.command()
def show(thread: Which, user: UserOption, agent: OneAgent = None, as_json: JsonOption = False) -> None:
    """Print the whole conversation, its turns numbered; a turn that was taken back is marked, with the id to go back to."""
    shown = _with(lambda opened: opened.show(well_formed(thread), user=user, agent=agent), write=False)
    if as_json:
        say_json(shown_json(user, shown))
    else:
        say_shown(shown)


@threads.command()
def rewind(
    thread: Which,
    to: Annotated[str, typer.Option(metavar="TURN", help="A turn's number, or the id of one that was taken back.")],
    user: UserOption,
    agent: OneAgent = None,
    memories: Memories = False,
    as_json: JsonOption = False,
) -> None:
    """Go back to the end of a turn; what came after it is kept beside, and what was remembered of it stays."""
    done = _with(lambda opened: opened.rewind(well_formed(thread), to=to, user=user, agent=agent, memories=memories))
    if as_json:
        say_json(rewound_json(user, done))
    else:
        say_rewound(done)


@threads.command()
def branch(
    thread: Which,
    at: Annotated[str, typer.Option(metavar="TURN", help="A turn's number, or the id of one that was taken back.")],
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="What the new thread is called.")],
    user: UserOption,
    as_json: JsonOption = False,
) -> None:
    """Begin a new thread from the end of a turn; the old one stays as it is."""
    done = _with(lambda opened: opened.branch(well_formed(thread), at=at, name=well_formed(name), user=user))
    if as_json:
        say_json(branched_json(user, done))
    else:
        say_branched(user, done)


@threads.command()
def delete(
    thread: Which, user: UserOption, agent: OneAgent = None, memories: Memories = False, as_json: JsonOption = False
) -> None:
    """Delete a thread with all its checkpoints; what was remembered of it stays unless --memories is given."""
    done = _with(lambda opened: opened.delete(well_formed(thread), user=user, agent=agent, memories=memories))
    if as_json:
        say_json(deleted_json(user, done))
    else:
        say_deleted(done)


def _with(work: Callable[[Threads], Awaitable[Done]], *, write: bool = True) -> Done:
    async def done() -> Done:
        async with threads_opened(write=write) as opened:
            return await work(opened)

    return asyncio.run(done())
