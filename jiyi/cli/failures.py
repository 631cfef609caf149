"""Failures: what a command can foresee becomes one line on standard error and exit status 1.

RuntimeError
└── CommandError            what was asked for cannot be done; the text says what to do
"""

from __future__ import annotations

import sqlite3
from typing import Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from graph.compression import MissingExtraError
from graph.policies import PolicyFileError
from jiyi.cli.output import tell
from memory.keys import KeysError
from memory.namespaces import BlankIdError
from memory.seams import EmbeddingError
from store.embed.choice import UnknownEmbedderError
from store.errors import StoreError


class CommandError(RuntimeError):
    """What was asked for cannot be done."""


FORESEEN: tuple[type[Exception], ...] = (
    CommandError,
    StoreError,
    EmbeddingError,
    UnknownEmbedderError,
    BlankIdError,
    KeysError,
    PolicyFileError,
    MissingExtraError,
    ValidationError,
    sqlite3.Error,
    OSError,
)


class Commands(TyperGroup):
    """Runs a subcommand; a foreseen failure ends it with one line and status 1, any other with its traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read our output has seen enough
            raise
        except FORESEEN as error:
            tell(f"jiyi: {told(error)}")
            raise typer.Exit(1) from error


def told(error: BaseException) -> str:
    """Say in one line what went wrong."""
    if isinstance(error, ValidationError):
        return _told_fields(error)
    if isinstance(error, sqlite3.Error):
        return f"The database cannot be used: {error}. Run `jiyi doctor` to see what is wrong."
    return " ".join(str(error).split()) or type(error).__name__


def _told_fields(error: ValidationError) -> str:
    faults = [f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()]
    if error.title == "Settings":
        faults = [fault.upper() if ":" not in fault else _named(fault) for fault in faults]
        return f"Cannot read the settings: {'; '.join(faults)}. Correct them in the environment or in .env."
    return f"Cannot read a kept {error.title}: {'; '.join(faults)}. Run `jiyi doctor`."


def _named(fault: str) -> str:
    name, _, rest = fault.partition(":")
    return f"{name.upper()}:{rest}"
