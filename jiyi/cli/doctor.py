"""`jiyi doctor`: is everything as it should be, and what to do where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer
from pydantic import SecretStr, ValidationError

from graph.clock import utc_now
from graph.settings import REMOTE, STORE_FILE, Settings, settings
from jiyi.cli.checks.addresses import MASKED, shown_address
from jiyi.cli.checks.check import Check, looked
from jiyi.cli.checks.chroma import check_chroma
from jiyi.cli.checks.clock import check_clock
from jiyi.cli.checks.databases import checks_of_databases
from jiyi.cli.checks.embedder import NOT_ASKED, check_embedder
from jiyi.cli.checks.home import check_disk, check_home, checks_of_home
from jiyi.cli.checks.memories import check_memories
from jiyi.cli.checks.model import check_models
from jiyi.cli.checks.policy_files import check_policies
from jiyi.cli.checks.skill_files import check_skills
from jiyi.cli.checks.tagger import check_tagger
from jiyi.cli.checks.tokens import check_tokens
from jiyi.cli.checks.versions import check_versions
from jiyi.cli.failures import told
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from memory.seams import Embedder
from store.embed.choice import UnknownEmbedderError, embedder_named

SET_BY_THE_SERVER = frozenset({"langgraph_api_url"})
OfflineOption = Annotated[
    bool,
    typer.Option("--offline", "--no-network", help="Ask no endpoint whether it is there: nothing leaves the machine."),
]


def doctor(as_json: JsonOption = False, offline: OfflineOption = False) -> None:
    """Check home, databases, settings, models, embedder and skills; status 1 where a check fails.

    Endpoints are asked which models they have, never a question; a remote embedder embeds one sentence of ours.
    """
    try:
        chosen, checks = settings(), []
    except ValidationError as error:
        advice = "Correct it in the environment or in .env."
        chosen, checks = None, [Check(name="settings", status="fail", found=told(error), advice=advice)]
    checks = [check_versions(), *checks, *(_checks(chosen, offline=offline) if chosen else ())]
    good = all(check.status != "fail" for check in checks)
    shown = _shown(chosen) if chosen else {}
    if as_json:
        home = str(chosen.jiyi_home) if chosen else None
        say_json({"ok": good, "home": home, "settings": shown, "checks": [asdict(check) for check in checks]})
    else:
        _say(checks, shown)
    if not good:
        raise typer.Exit(1)


def _checks(chosen: Settings, *, offline: bool) -> Iterator[Check]:
    home = chosen.jiyi_home
    at_home = check_home(home)
    yield at_home
    usable = at_home.status != "fail"
    if usable:
        yield from checks_of_home(home)
        yield from checks_of_databases(home)
    yield from check_models(chosen, ask=not offline)
    yield check_tokens(chosen)
    yield from check_chroma(chosen, ask=not offline)
    try:
        embedder = embedder_named(chosen.embeddings, endpoint=chosen.embeddings_endpoint)
    except UnknownEmbedderError as error:
        yield Check(name="embedder", status="fail", found=str(error), advice="Set EMBEDDINGS to local, small or none.")
        embedder = None
    else:
        yield _embedding(embedder, ask=not (offline and chosen.embeddings.startswith(REMOTE)))
    yield looked("tagger", partial(check_tagger, chosen.tagger))
    name = embedder.name if embedder else None
    if usable:
        yield from check_memories(home / STORE_FILE, embedder=name, now=utc_now(), timezone=chosen.jiyi_timezone)
    else:
        yield check_clock(None, utc_now(), timezone=chosen.jiyi_timezone)
    yield looked("disk", partial(check_disk, home))
    yield check_policies(chosen)
    yield looked("skills", partial(check_skills, chosen))


def _embedding(embedder: Embedder | None, *, ask: bool) -> Check:
    return asyncio.run(check_embedder(embedder)) if ask else NOT_ASKED


def _shown(chosen: Settings) -> dict[str, str]:
    """Give the settings by their environment variables, without anything secret."""
    fields = sorted(set(type(chosen).model_fields) - SET_BY_THE_SERVER)
    return {name.upper(): _masked(getattr(chosen, name)) for name in fields}


def _masked(value: object) -> str:
    if isinstance(value, SecretStr):
        return MASKED
    text = "" if value is None else str(value)
    return shown_address(text) if "://" in text else text


def _say(checks: list[Check], shown: Mapping[str, str]) -> None:
    for check in checks:
        say(f"{check.status:<4}  {check.name}: {one_line(check.found)}")
        if check.advice:
            say(f"      -> {one_line(check.advice)}")
    say("settings:")
    for name, value in shown.items():
        say(f"      {name}={one_line(value)}")
