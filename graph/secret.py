"""The secret: by which a home names its users where their ids must not stand."""

from __future__ import annotations

import asyncio
import os
import secrets
from pathlib import Path

from graph.settings import Settings
from memory.ids import keyed_id
from store.connect import PRIVATE_FILE, make_private_directory
from store.errors import StoreError

SECRET_FILE = "key"  # noqa: S105  (a file's name)
SECRET_BYTES = 32


class SecretError(StoreError):
    """The home's secret is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"Cannot name users: {str(path)!r} does not hold the {SECRET_BYTES * 2} hexadecimal digits that were written "
            "there. Restore the file from a backup: with another secret nobody's threads are found again. Without a "
            "backup, delete it together with threads.db to begin new threads; memories stay."
        )


async def secret_of(settings: Settings) -> bytes:
    """Give `JIYI_KEY`, or the home's own secret, made at first use and readable by its owner only."""
    if settings.jiyi_key is not None:
        return settings.jiyi_key.get_secret_value().encode()
    return await asyncio.to_thread(_kept_secret, settings.jiyi_home)


def owner_name(secret: bytes, user: str) -> str:
    """Name a user by a keyed hash: the same in every process of this home, and nothing to anybody else."""
    return keyed_id(secret, "owner", user)


def read_secret(path: Path) -> bytes:
    """Read a home's secret.

    Raises:
        SecretError: The file does not hold what was written there.
    """
    try:
        secret = bytes.fromhex(path.read_bytes().decode("ascii").strip())
    except ValueError as error:
        raise SecretError(path) from error
    if len(secret) != SECRET_BYTES:
        raise SecretError(path)
    return secret


def _kept_secret(home: Path) -> bytes:
    make_private_directory(home)
    path = home / SECRET_FILE
    new = path.with_name(f"{SECRET_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    if not path.exists():
        _write(new, secrets.token_bytes(SECRET_BYTES).hex())
        try:
            os.link(new, path)  # whole or not at all, and never over another process's
        except FileExistsError:
            pass
        finally:
            new.unlink()
    return read_secret(path)


def _write(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
