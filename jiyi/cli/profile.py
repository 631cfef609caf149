"""`jiyi profile`: what is known of a user in a glance, and how they mend it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Annotated, Any

import typer

from graph.clock import utc_now
from jiyi.cli.facts import fact_json, fact_line, facts_json
from jiyi.cli.mending import mended
from jiyi.cli.opening import store_to_read
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption
from jiyi.cli.output import day_and_time, iso, one_line, plain, say, say_json, well_formed
from memory.blanking import FORGOTTEN
from memory.changes import MarkFact
from memory.keys import Keys, Language
from memory.kinds import Act, Episode, Fact, Kind, to_value
from memory.namespaces import BlankIdError, Owner, checked_id, in_reach, user_space
from memory.portrait import Portrait, Tally, portrait_of, tally_line, told_in
from store.kept_episodes import ROOMS
from store.profile import facts_of
from store.readable import episodes_of
from store.reviewing import reviews_of
from store.transaction import Transaction

profile = typer.Typer(name="profile", rich_markup_mode=None)

WhichFact = Annotated[str, typer.Argument(metavar="FACT", help="A fact's id, or a key such as user.diet.")]


@dataclass(frozen=True, kw_only=True)
class Known:
    """What a portrait is drawn from."""

    facts: tuple[Fact, ...]
    tally: Tally
    keys: Keys
    language: Language | None

    def portrait(self, now: datetime, *, sensitive: bool) -> Portrait:
        """Draw the user as of now."""
        return portrait_of(self.facts, self.tally, keys=self.keys, language=self.language, now=now, sensitive=sensitive)


@profile.callback(invoke_without_command=True)
def show(
    ctx: typer.Context,
    user: Annotated[str | None, typer.Option("--user", help="Whose memory.")] = None,
    agent: AgentOption = ANY_AGENT,
    sensitive: Annotated[bool, typer.Option("--sensitive", help="Also what is sensitive.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what is known of a user in a glance; its subcommands mend that."""
    if ctx.invoked_subcommand is not None:
        if user is not None or sensitive or as_json or agent != ANY_AGENT:
            raise typer.BadParameter(f"Options stand behind the subcommand: `jiyi profile {ctx.invoked_subcommand} …`.")
        return
    owner = Owner(user=_named(user, ctx), agent=agent)
    known = asyncio.run(_known(owner))
    if as_json:
        say_json(_json(owner, known, sensitive=sensitive))
    else:
        _say(known, sensitive=sensitive)


@profile.command()
def pin(fact: WhichFact, user: UserOption, agent: AgentOption = ANY_AGENT, as_json: JsonOption = False) -> None:
    """Keep FACT for good: it does not fade, and does not yield to what is said later."""
    _mend(Owner(user=user, agent=agent), fact, "pin", as_json=as_json)


@profile.command()
def confirm(fact: WhichFact, user: UserOption, agent: AgentOption = ANY_AGENT, as_json: JsonOption = False) -> None:
    """Say that FACT still holds: it is surer, as of now."""
    _mend(Owner(user=user, agent=agent), fact, "confirm", as_json=as_json)


@profile.command()
def correct(
    key: Annotated[str, typer.Argument(help="A key such as user.diet, held already or not.")],
    value: Annotated[str, typer.Argument(help="What holds from now on.")],
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    as_json: JsonOption = False,
) -> None:
    """Say that under KEY it is VALUE; where that can be only one thing, the old one becomes history."""
    _mend(Owner(user=user, agent=agent), key, "correct", value, as_json=as_json)


@profile.command()
def retract(fact: WhichFact, user: UserOption, agent: AgentOption = ANY_AGENT, as_json: JsonOption = False) -> None:
    """Take FACT back: it is believed no more, and stays as history."""
    _mend(Owner(user=user, agent=agent), fact, "retract", as_json=as_json)


@profile.command()
def undo(fact: WhichFact, user: UserOption, agent: AgentOption = ANY_AGENT, as_json: JsonOption = False) -> None:
    """Undo the last thing said about FACT, in a conversation or here, and say what that was."""
    _mend(Owner(user=user, agent=agent), fact, "undo", as_json=as_json)


def _named(user: str | None, ctx: typer.Context) -> str:
    if user is None:
        ctx.fail("Missing option '--user'.")
    try:
        return checked_id(user, "user id")
    except BlankIdError as error:
        raise typer.BadParameter(str(error), param_hint="--user") from error


async def _known(owner: Owner) -> Known:
    async with store_to_read() as store:
        held = await facts_of(store, owner, active_only=False)
        waiting = await reviews_of(store, owner)
        said = await store.look(lambda transaction: _said(transaction, owner))
        guard, keys = store.policies.guard, store.policies.keys
    believed = tuple(fact for fact in held if fact.status == "active")
    shown = tuple(fact for fact in believed if not guard.withholds(fact.value, cleared=fact.cleared))
    heard = [episode for room in said.values() for episode in room]
    words = [episode.text for episode in heard if episode.speaker != "assistant"]
    tally = Tally(
        episodes=len(said["episodes"]),
        facts=len(believed),
        past=len(held) - len(believed),
        waiting=len(waiting),
        last_at=max((episode.said_at for episode in heard if episode.said_at is not None), default=None),
    )
    return Known(facts=shown, tally=tally, keys=keys, language=told_in(shown, words, keys=keys))


def _said(transaction: Transaction, owner: Owner) -> dict[Kind, list[Episode]]:
    """Give what was said, by the room it stands in."""
    rows = {room: [transaction.find(user_space(place, room)) for place in in_reach(owner)] for room in ROOMS}
    said = {room: episodes_of(chain.from_iterable(found)) for room, found in rows.items()}
    return {room: [one for one in found if one.text != FORGOTTEN] for room, found in said.items()}


def _say(known: Known, *, sensitive: bool) -> None:
    say(plain(known.portrait(utc_now(), sensitive=sensitive).text))
    if not known.tally.is_new or known.tally.waiting:
        say(tally_line(known.tally, known.language))


def _json(owner: Owner, known: Known, *, sensitive: bool) -> dict[str, Any]:
    now, tally = utc_now(), known.tally
    portrait = known.portrait(now, sensitive=sensitive)
    return {
        "user": owner.user,
        "new": tally.is_new,
        "language": known.language,
        "portrait": portrait.text,
        "facts": [fact_json(fact, known.keys, now, known.language or "en") for fact in portrait.facts],
        "counts": {"episodes": tally.episodes, "facts": tally.facts, "waiting": tally.waiting},
        "last_interaction": iso(tally.last_at),
    }


def _mend(owner: Owner, which: str, act: Act, value: str = "", *, as_json: bool) -> None:
    change = MarkFact(which=well_formed(which), act=act, value=well_formed(value))
    held, undone = asyncio.run(mended(owner, change))
    if as_json:
        undid = {"undone": to_value(undone)} if undone else {}
        say_json({**facts_json(owner.user, held, utc_now()), **undid})
        return
    if undone:
        say(f"undone: {undone.act}  {one_line(undone.value) or '(every value)'}  {day_and_time(undone.said_at)}")
    for fact in held.facts:
        say(fact_line(fact))
