"""`jiyi chat`: talk with the agent: message by message as given, or in a terminal."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jiyi.cli.attaching import with_files
from jiyi.cli.failures import FORESEEN, CommandError, told
from jiyi.cli.options import ANY_AGENT, LOCAL_USER, AgentOption, JsonOption, UserOption
from jiyi.cli.output import plain, say, say_json, tell, well_formed
from jiyi.cli.talking import lines_of_input
from jiyi.cli.usage import usage_line, usage_of
from store.waiting import waiting_turns

if TYPE_CHECKING:
    from jiyi.agent import Agent, OnEvent, Words

DEFAULT_THREAD = "default"
QUIT = "/quit"
FINISH_S = 30.0
WELCOME = f"Type a message and Enter; {QUIT} or Ctrl-D ends."


@dataclass(frozen=True, kw_only=True)
class Talk:
    """Who talks with which agent in which thread, and whether what it takes is shown."""

    user: str
    thread: str
    agent: str
    usage: bool = False


def chat(
    user: UserOption = LOCAL_USER,
    thread: Annotated[str, typer.Option(help="A UUID, or any name; a name is another thread for another user.")] = (
        DEFAULT_THREAD
    ),
    message: Annotated[
        list[str] | None, typer.Option(help="Say this, print the reply, and end; may be repeated.")
    ] = None,
    attach: Annotated[
        list[Path] | None,
        typer.Option(help="Send this picture, recording or file with the (first) message; may be repeated."),
    ] = None,
    agent: AgentOption = ANY_AGENT,
    usage: Annotated[bool, typer.Option("--usage", help="Say after each reply what its prompt took.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Talk with the agent; without --message, in the terminal or with what is piped in, a line a message."""
    if not thread.strip():
        raise typer.BadParameter("a thread needs a name.", param_hint="--thread")
    if message and not all(text.strip() for text in message):
        raise typer.BadParameter("there is nothing to say.", param_hint="--message")
    if as_json and not message:
        raise typer.BadParameter("needs --message.", param_hint="--json")
    if attach and not message:
        raise typer.BadParameter("needs --message.", param_hint="--attach")
    talk = Talk(user=user, thread=well_formed(thread), agent=agent, usage=usage)
    said = [well_formed(text) for text in message or ()]
    files = attach or ()
    if not asyncio.run(_say_each(talk, said, files, as_json=as_json) if said else _talk(talk)):
        raise typer.Exit(1)


async def _say_each(talk: Talk, messages: Sequence[str], files: Sequence[Path], *, as_json: bool) -> bool:
    """Say each message, the first with the files, and finish remembering before the end; tell whether all were answered."""
    from jiyi.agent import open_agent  # noqa: PLC0415  (the graph: seconds)

    turns, good = [], True
    first = with_files(messages[0], files)
    async with open_agent() as agent:
        for words, text in zip([first, *messages[1:]], messages, strict=True):
            heard: list[Mapping[str, Any]] = []
            reply = await _answered(agent, talk, words, heard.append)
            taken = usage_of(heard)
            turns.append({"message": text, "reply": reply, "usage": taken})
            if not as_json:
                say(plain(reply))
                _show(taken, talk)
            good = good and not await agent.failure_in(talk.thread, user=talk.user)
        await _finish(agent, talk.user)
    if as_json:
        say_json({"user": talk.user, "thread": talk.thread, "turns": turns})
    return good


async def _finish(agent: Agent, user: str) -> None:
    """Finish the turns that are remembered in the background, and say where some must wait for the next process."""
    with suppress(TimeoutError):
        async with asyncio.timeout(FINISH_S):
            await agent.drainer.finish()
    if waiting := sum(one.owner.user == user for one in await waiting_turns(agent.store)):
        turns = "1 turn waits" if waiting == 1 else f"{waiting} turns wait"
        tell(
            f"{turns} to be remembered, since the model that reads them cannot be reached or is at work; "
            "each is tried again while Jiyi runs (`make dev`, `jiyi chat`), and `jiyi doctor` says more."
        )


async def _answered(agent: Agent, talk: Talk, text: Words, on_event: OnEvent) -> str:
    try:
        return await agent.say(text, user=talk.user, thread=talk.thread, agent=talk.agent, on_event=on_event)
    except _failures() as error:
        raise CommandError(told(error)) from error


async def _talk(talk: Talk) -> bool:
    """Answer line by line until the end; tell whether all were answered."""
    from jiyi.agent import open_agent  # noqa: PLC0415  (the graph: seconds)

    good = True
    async with open_agent() as agent:
        _prompt(f"{WELCOME}\n")
        async for line in lines_of_input():
            if line.strip() == QUIT:
                break
            if line.strip():
                good = await _streamed(agent, talk, well_formed(line)) and good
            _prompt()
        await _finish(agent, talk.user)
    return good


async def _streamed(agent: Agent, talk: Talk, text: str) -> bool:
    """Print the reply as it comes; tell whether it is an answer."""
    heard: list[Mapping[str, Any]] = []
    try:
        async for piece in agent.stream(
            text, user=talk.user, thread=talk.thread, agent=talk.agent, on_event=heard.append
        ):
            say(plain(piece), end="")
        say("")
        _show(usage_of(heard), talk)
    except _failures() as error:
        tell(f"jiyi: {told(error)}")
        return False
    return not await agent.failure_in(talk.thread, user=talk.user)


def _show(taken: Mapping[str, Any] | None, talk: Talk) -> None:
    """Say what a turn took, where that is asked for and a model was called."""
    if talk.usage and taken is not None:
        tell(usage_line(taken))


def _prompt(before: str = "") -> None:
    """Show on a terminal that a message is awaited."""
    if sys.stdin.isatty():
        typer.echo(f"{before}> ", err=True, nl=False)


def _failures() -> tuple[type[BaseException], ...]:
    """List what can go wrong with a turn besides the model, whose failures are replies."""
    from graph.identity import NoStoreError, RunError  # noqa: PLC0415  (imported with the graph)
    from graph.models.choice import UnknownModelError  # noqa: PLC0415

    return (*FORESEEN, RunError, NoStoreError, UnknownModelError)
