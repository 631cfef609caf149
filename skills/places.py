"""Places: which files in the given folders may hold skills, whose they are, and when they were changed.

A folder may hold YAML files, Agent-Skills folders (`<name>/SKILL.md`) or both, may be such a folder itself, and may
hold a folder `agents` with one folder for each agent that has skills of its own.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory.namespaces import SHARED_AGENT, id_of, label_of

SUFFIXES = frozenset({".yaml", ".yml"})
SKILL_MD = "SKILL.md"
AGENTS = "agents"

Stamp = tuple[int, int]
UNSEEN: Stamp = (-1, -1)
"""The stamp of what is there and cannot be looked at, such as a link that leads nowhere."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A file that may hold skills, the place it was found in, and the label of the agent whose it is."""

    file: Path
    place: Path
    agent: str = SHARED_AGENT

    @property
    def is_agent_skill(self) -> bool:
        """Tell whether it is the SKILL.md of a folder (also one whose name is nearly that)."""
        return self.file.name.lower() == SKILL_MD.lower()


def is_label(name: str) -> bool:
    """Tell whether a folder's name is one that `label_of` can give, so that it is some agent's."""
    try:
        return name.startswith("~") or label_of(id_of(name)) == name
    except UnicodeError:
        return False


def stamps_of(places: Sequence[Path], *, optional: Collection[Path] = ()) -> dict[Found, Stamp | None]:
    """Say when each skill file was changed and how long it is; None for a place that is missing or cannot be listed.

    A place that is given twice, under whatever name, or beside the folder that it is in, counts once.
    """
    stamps: dict[Path, tuple[Found, Stamp | None]] = {}
    for place in places:
        real = _real(place)
        for found, stamp in _stamps_in(place, place in optional).items():
            stamps.setdefault(real / found.file.relative_to(place), (found, stamp))
    return dict(stamps.values())


def _real(place: Path) -> Path:
    """Follow the links that lead to a place, but not a file that is a link itself: where it leads is judged later."""
    if place.is_dir():
        return Path(os.path.realpath(place))
    return Path(os.path.realpath(place.parent)) / place.name


def _stamps_in(place: Path, optional: bool) -> dict[Found, Stamp | None]:
    try:
        found = [Found(file=place, place=place)] if place.is_file() else list(_found_in(place))
    except FileNotFoundError:
        return {} if optional else {Found(file=place, place=place): None}
    except OSError:
        return {Found(file=place, place=place): None}
    return {one: stamp for one in found if (stamp := _stamp(one.file)) is not None}


def _found_in(place: Path) -> Iterator[Found]:
    yield from (Found(file=file, place=place) for file in _files_in(place))
    for folder in _folders_in(place / AGENTS):
        yield from (Found(file=file, place=place, agent=_label(folder)) for file in _listed(folder))


def _folders_in(folder: Path) -> list[Path]:
    return [one for one in _entries(folder) if one.is_dir()] if folder.is_dir() else []


def _label(folder: Path) -> str:
    return unicodedata.normalize("NFC", folder.name)


def _listed(folder: Path) -> list[Path]:
    """Give an agent's skill files; the folder itself where it cannot be listed, to be named as a fault."""
    try:
        return list(_files_in(folder))
    except OSError:
        return [folder]


def _files_in(folder: Path) -> Iterator[Path]:
    """Give a folder's skill files by name: YAML files and the SKILL.md of each folder in it, and its own first."""
    yield from _skill_md(folder)
    for entry in _entries(folder):
        if entry.suffix.lower() in SUFFIXES and entry.is_file():
            yield entry
        else:
            yield from _skill_md(entry)


def _entries(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))


def _skill_md(folder: Path) -> list[Path]:
    """Give the folder's SKILL.md; one that is written `skill.md` is given too, to be named as a fault."""
    names = (SKILL_MD, SKILL_MD.lower())
    return [folder / name for name in names if os.path.lexists(folder / name)][:1]


def _stamp(file: Path) -> Stamp | None:
    """Give time and size, or None for a file that went away while the folder was being read."""
    try:
        status = file.stat()
    except OSError:
        return UNSEEN if file.is_symlink() else None
    return status.st_mtime_ns, status.st_size
