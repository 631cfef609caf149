"""`jiyi facts`: the profile: what is believed about a user, or was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import typer

from graph.clock import utc_now
from jiyi.cli.opening import store_to_read
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption, UserOption, moment
from jiyi.cli.output import iso, one_line, say, say_json, tell
from memory.decay import effective_confidence
from memory.keys import Keys, Language
from memory.kinds import Fact
from memory.namespaces import Owner
from memory.words import has_cjk
from store.profile import facts_as_of, facts_of

DECIMALS = 4


@dataclass(frozen=True, kw_only=True)
class HeldFacts:
    """Facts, and the families that they are of: those that come with Jiyi and those of the settings."""

    facts: tuple[Fact, ...]
    keys: Keys


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
    held = asyncio.run(_held(Owner(user=user, agent=agent), when, everything=everything))
    if as_json:
        say_json(facts_json(user, held, when or utc_now()))
        return
    if not held.facts:
        tell("No fact is believed.")
    for fact in held.facts:
        say(fact_line(fact))


async def _held(owner: Owner, when: datetime | None, *, everything: bool) -> HeldFacts:
    async with store_to_read() as store:
        keys = store.policies.keys
        if when is None:
            return HeldFacts(facts=await facts_of(store, owner, active_only=not everything), keys=keys)
        then = await facts_as_of(store, owner, when, keys=keys)
    shown = [fact for fact in then if everything or fact.status == "active"]
    return HeldFacts(facts=tuple(sorted(shown, key=lambda fact: (fact.key, fact.valid_from, fact.value))), keys=keys)


def language_of(facts: Iterable[Fact]) -> Language:
    """Say in which language a user's facts are labelled: Chinese where any value is."""
    return "zh" if any(has_cjk(fact.value) for fact in facts) else "en"


def facts_json(user: str, held: HeldFacts, now: datetime) -> dict[str, Any]:
    """Give a user's facts as they are printed with `--json`."""
    language = language_of(held.facts)
    return {"user": user, "facts": [fact_json(fact, held.keys, now, language) for fact in held.facts]}


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
