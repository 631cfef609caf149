"""The command line as a test uses it: run in this process, with what it prints told apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from graph.settings import settings
from jiyi.cli.main import app


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Read standard output as one JSON document."""
        return json.loads(self.out)


def jiyi(*args: str | Path, env: Mapping[str, str] | None = None, given: str | None = None) -> Ran:
    """Run `jiyi` without an embedder; an error that it does not foresee is raised here."""
    settings.cache_clear()  # each command is a process of its own
    chosen = {"EMBEDDINGS": "none", **(env or {})}
    done = CliRunner().invoke(app, [str(arg) for arg in args], env=chosen, input=given, prog_name="jiyi")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ran(status=done.exit_code, out=done.stdout, err=done.stderr)


def written(path: Path, *lines: object) -> Path:
    """Write values as JSON Lines."""
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    return path


def turn(name: str, text: str, **fields: str) -> dict[str, str]:
    """Make a turn of the turns format."""
    return {"id": name, "text": text, **fields}


def corpus(name: str, *turns: Mapping[str, str]) -> dict[str, object]:
    """Make a corpus of the turns format."""
    return {"id": name, "turns": list(turns)}


def episodes(user: str) -> list[dict[str, Any]]:
    """Give the episodes that are kept about a user."""
    found: list[dict[str, Any]] = jiyi("export", "--user", user).json["episodes"]
    return found


def texts(user: str) -> list[str]:
    """Give what was said, in the order of the export."""
    return [episode["text"] for episode in episodes(user)]


def told(user: str, path: Path, *said: str, days: Sequence[str] = ()) -> Ran:
    """Ingest messages of a user, one a day where days are given."""
    at = [*days, *[""] * (len(said) - len(days))]
    turns = [turn(f"{path.stem}-{number}", text, at=at[number]) for number, text in enumerate(said)]
    return jiyi("ingest", written(path, corpus(path.stem, *turns)), "--user", user)
