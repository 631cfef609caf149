"""`jiyi facts`: the profile: what is believed about a user, or was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

import typer

from graph.clock import utc_now
from jiyi.cli.opening import store_to_read
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption, moment
from jiyi.cli.output import iso, one_line, say, say_json, tell
from memory.decay import effective_confidence
from memory.keys import Keys, Language, default_keys
from memory.kinds import Fact
from memory.namespaces import Owner
from memory.words import has_cjk
from store.profile import facts_as_of, facts_of

DECIMALS = 4


def facts(
    user: UserOption,
    agent: AgentOption = ANY_AGENT,
    as_of: Annotated[str | None, typer.Option("--as-of", help="As they were believed on that day.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what was superseded, retracted or is only proposed.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the facts that are believed about a user."""
    when = moment(as_of, "--as-of", end_of_day=True)
    owner, keys = Owner(user=user, agent=agent), default_keys()
    found = asyncio.run(_found(owner, when, keys, everything=everything))
    now = when or utc_now()
    if as_json:
        language = language_of(found)
        say_json({"user": user, "facts": [fact_json(fact, keys, now, language) for fact in found]})
        return
    if not found:
        tell("No fact is believed.")
    for fact in found:
        say(fact_line(fact))


async def _found(owner: Owner, when: datetime | None, keys: Keys, *, everything: bool) -> tuple[Fact, ...]:
    async with store_to_read() as store:
        if when is None:
            return await facts_of(store, owner, active_only=not everything)
        held = await facts_as_of(store, owner, when, keys=keys)
    shown = [fact for fact in held if everything or fact.status == "active"]
    return tuple(sorted(shown, key=lambda fact: (fact.key, fact.valid_from, fact.value)))


def language_of(facts: Iterable[Fact]) -> Language:
    """Say in which language a user's facts are labelled: Chinese where any value is."""
    return "zh" if any(has_cjk(fact.value) for fact in facts) else "en"


def fact_json(fact: Fact, keys: Keys, now: datetime, language: Language) -> dict[str, Any]:
    """Give a fact as it is printed with `--json`."""
    return {
        "id": fact.id,
        "key": fact.key,
        "label": keys.label(fact.key, language),
        "value": fact.value,
        "confidence": round(fact.confidence, DECIMALS),
        "effective_confidence": round(_effective(fact, keys, now), DECIMALS),
        "status": fact.status,
        "valid_from": iso(fact.valid_from),
        "valid_to": iso(fact.valid_to),
        "first_seen": iso(fact.first_seen),
        "last_confirmed": iso(fact.last_confirmed),
        "sensitivity": fact.sensitivity,
        "pinned": fact.pinned,
        "evidence": list(fact.evidence),
    }


def fact_line(fact: Fact) -> str:
    """Give a fact in a line for people; what is not believed now says what it is."""
    until = f" until {fact.valid_to:%Y-%m-%d}" if fact.valid_to else ""
    aside = "" if fact.status == "active" else f"  [{fact.status}{until}]"
    pinned = "  [pinned]" if fact.pinned else ""
    return f"{one_line(fact.key)}  {one_line(fact.value)}  ({fact.confidence:.2f}){aside}{pinned}"


def _effective(fact: Fact, keys: Keys, now: datetime) -> float:
    spec = keys.spec(fact.key)
    return fact.confidence if spec is None else effective_confidence(fact, spec=spec, now=now)
