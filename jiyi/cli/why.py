"""`jiyi why`: what a fact rests on: who said what, when."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from shlex import quote
from typing import Annotated, Any

import typer

from graph.clock import utc_now
from jiyi.cli.facts import fact_json, fact_line, language_of
from jiyi.cli.failures import CommandError
from jiyi.cli.opening import store_to_read
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption
from jiyi.cli.output import day_and_time, one_line, say, say_json, well_formed
from memory.keys import Keys, Language
from memory.kinds import Evidence, Fact, to_value
from memory.namespaces import Owner
from store.profile import evidence_of, facts_of


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """A fact and what it rests on, oldest first."""

    fact: Fact
    evidence: tuple[Evidence, ...]


def why(
    fact: Annotated[str, typer.Argument(help="A fact's id, or a key such as user.diet.")],
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    as_json: JsonOption = False,
) -> None:
    """Say why FACT is believed, or no longer is: each piece of evidence with its words, time and source."""
    owner, wanted = Owner(user=user, agent=agent), well_formed(fact)
    found, keys = asyncio.run(_grounds(owner, wanted))
    if not found:
        raise CommandError(
            f"Cannot explain {wanted!r}: user {user!r} has no fact of this id or key. "
            f"`jiyi facts --all --json --user {quote(user)}` lists them with their ids."
        )
    if as_json:
        language = language_of(one.fact for one in found)
        say_json({"user": user, "facts": [_json(one, keys, language) for one in found]})
    else:
        for one in found:
            _say(one)


async def _grounds(owner: Owner, wanted: str) -> tuple[list[Grounds], Keys]:
    async with store_to_read() as store:
        held = await facts_of(store, owner, active_only=False)
        meant = [fact for fact in held if wanted in (fact.id, fact.key)]
        first_believed = sorted(meant, key=lambda fact: fact.status != "active")
        evidence = await evidence_of(store, owner, first_believed)
        return [Grounds(fact=fact, evidence=evidence[fact.id]) for fact in first_believed], store.policies.keys


def _json(one: Grounds, keys: Keys, language: Language) -> dict[str, Any]:
    shown = fact_json(one.fact, keys, utc_now(), language)
    return {**shown, "evidence": [to_value(piece) for piece in one.evidence]}


def _say(one: Grounds) -> None:
    say(fact_line(one.fact))
    for piece in one.evidence:
        act = "" if piece.act == "state" else f" [{piece.act}]"
        quote = f"“{one_line(piece.quote)}”" if piece.quote else "(no words)"
        said = f"  {day_and_time(piece.said_at)}  {piece.source}  {quote}  ({piece.confidence:.2f}){act}"
        say(f"{said}  {one_line(piece.thread_id)}")
