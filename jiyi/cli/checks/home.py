"""The home: where it is, how large, who may read it, whether its key is whole, and whether there is room."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from graph.secret import SECRET_FILE, SecretError, read_secret
from graph.settings import MEDIA_FOLDER, ORDERS_FILE, STORE_FILE, THREADS_FILE
from jiyi.cli.checks.check import GIB, Check, looked, size

OTHERS_BITS = 0o077
LEAST_FREE_BYTES, LITTLE_FREE_BYTES = GIB // 10, GIB
DATABASES = (STORE_FILE, THREADS_FILE, ORDERS_FILE)
FOLDERS = ("cache", "chroma", MEDIA_FOLDER)
BESIDE = ("-wal", "-shm")
ELSEWHERE = "Set JIYI_HOME to a directory that the user who runs Jiyi may use."


def check_home(home: Path) -> Check:
    """See that the home is a directory that can be used; one that is not there yet is made at the first use."""
    where = partial(Check, name="home", measured={"home": str(home)})
    try:
        there, place = home.exists(), nearest(home)
        usable = place.is_dir() and os.access(place, os.R_OK | os.W_OK | os.X_OK)
    except OSError as error:
        return where(status="fail", found=f"{home} cannot be looked at: {error}", advice=ELSEWHERE)
    if not place.is_dir():
        return where(status="fail", found=f"{place} is no directory", advice=ELSEWHERE)
    if not usable:
        advice = f"Run as its owner, give it to the user who runs this (chown), or: {ELSEWHERE}"
        return where(status="fail", found=f"{place} cannot be read and written by this user", advice=advice)
    found = str(home) if there else f"{home} does not exist yet; it is made when something is kept"
    return where(status="ok", found=found)


def nearest(path: Path) -> Path:
    """Give the path, or the nearest above it that is there."""
    return next(place for place in (path, *path.absolute().parents) if os.path.exists(place))


def checks_of_home(home: Path) -> Iterator[Check]:
    """Look at what stands in the home besides what its databases hold."""
    yield looked("sizes", partial(check_sizes, home))
    yield looked("permissions", partial(check_permissions, home))
    yield looked("key", partial(check_key, home))


def check_sizes(home: Path) -> Check:
    """Say how large each database is, with its log, and each folder, and all of it together."""
    files = {name: _file_bytes(home, name) for name in DATABASES}
    folders = {f"{name}/": _folder_bytes(home / name) for name in FOLDERS}
    there = {name: number for name, number in {**files, **folders}.items() if number is not None}
    total = sum(there.values())
    told = ", ".join(f"{name} {size(number)}" for name, number in there.items()) or "nothing is kept yet"
    found = f"{told}; {size(total)} in all" if there else told
    return Check(name="sizes", status="ok", found=found, measured={**there, "total": total})


def check_key(home: Path) -> Check:
    """See that the secret by which threads' owners are named is whole."""
    path = home / SECRET_FILE
    if not path.exists():
        if not (home / THREADS_FILE).exists():
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


def check_disk(home: Path) -> Check:
    """See that there is room to write, in the home or where it will be."""
    place = nearest(home)
    return disk_with(shutil.disk_usage(place).free, place)


def disk_with(free: int, place: Path) -> Check:
    """Judge how many bytes are free at a place."""
    found, measured = f"{free / GIB:.1f} GiB free at {place}", {"free": free}
    if free < LEAST_FREE_BYTES:
        advice = "Make room, or move the home: writing will fail soon."
        return Check(name="disk", status="fail", found=found, advice=advice, measured=measured)
    if free < LITTLE_FREE_BYTES:
        advice = "Make room before it runs out."
        return Check(name="disk", status="warn", found=found, advice=advice, measured=measured)
    return Check(name="disk", status="ok", found=found, measured=measured)


def _file_bytes(home: Path, name: str) -> int | None:
    """Add up a database and what SQLite keeps beside it; None where it is not there."""
    if not (home / name).exists():
        return None
    parts = [home / f"{name}{end}" for end in ("", *BESIDE)]
    return sum(path.stat().st_size for path in parts if path.exists())


def _folder_bytes(folder: Path) -> int | None:
    if not folder.is_dir():
        return None
    return sum(_bytes_if_there(path) for path in folder.rglob("*"))


def _bytes_if_there(path: Path) -> int:
    """Give a file's size; a live process may have taken it away since it was listed."""
    try:
        return path.lstat().st_size if path.is_file() else 0
    except FileNotFoundError:
        return 0
