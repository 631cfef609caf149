"""The skill library: every sound skill from some folders, read again when a file changes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skills.registry import Tool
from skills.skill_file import Fault, ReadFile, Skill, read_skill_file

PACKAGED = Path(__file__).parent / "library"
SUFFIXES = frozenset({".yaml", ".yml"})

log = logging.getLogger(__name__)

Stamp = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class _Snapshot:
    """What the library is at one moment; replaced as a whole, so readers never see half of it."""

    stamps: Mapping[Path, Stamp | None]
    files: Mapping[Path, ReadFile]
    skills: tuple[Skill, ...]
    faults: tuple[Fault, ...]


class SkillLibrary:
    """Skills from YAML files in folders, as they are now.

    Nothing is read before the first `refresh`. A refresh looks at each file's time and size and reads only what
    changed; it touches the disk, so on an event loop call it through `asyncio.to_thread`. Where two skills have one
    id, the one of the earlier folder, then of the earlier file name, stays.

    Args:
        dirs: Folders (their `.yaml` and `.yml` files, not their subfolders) or single files, the first has precedence.
        tools: The tools that skills may name, by name.
    """

    def __init__(self, dirs: Sequence[Path], *, tools: Mapping[str, Tool]) -> None:
        self._dirs = tuple(dirs)
        self._tools = dict(tools)
        self._lock = threading.Lock()
        self._now = _Snapshot(stamps={}, files={}, skills=(), faults=())

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Give the skills of the last refresh, in the order of folders and file names."""
        return self._now.skills

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Give what was left out at the last refresh, and why."""
        return self._now.faults

    def refresh(self) -> None:
        """Bring skills and faults up to date with the files; log each new fault once."""
        with self._lock:
            stamps = _stamps(self._dirs)
            if stamps == self._now.stamps:
                return
            before, self._now = self._now, self._read(stamps)
            for fault in self._now.faults:
                if fault not in before.faults:
                    log.warning("Skill left out: %s: %s", fault.file, fault.reason)

    def _read(self, stamps: Mapping[Path, Stamp | None]) -> _Snapshot:
        kept = {file: read for file, read in self._now.files.items() if stamps.get(file) == self._now.stamps[file]}
        files = {
            file: kept[file] if file in kept else read_skill_file(file, self._tools)
            for file, stamp in stamps.items()
            if stamp is not None
        }
        missing = tuple(
            Fault(file=place, reason="there is no such folder or file")
            for place, stamp in stamps.items()
            if stamp is None
        )
        skills, doubles = _without_doubles(files.values())
        broken = tuple(fault for read in files.values() for fault in read.faults)
        return _Snapshot(stamps=stamps, files=files, skills=skills, faults=missing + broken + doubles)


def _stamps(places: Sequence[Path]) -> dict[Path, Stamp | None]:
    """Say when each skill file was changed and how long it is; None for a place that does not exist."""
    stamps: dict[Path, Stamp | None] = {}
    for place in places:
        found = [place] if place.is_file() else sorted(_skill_files(place)) if place.is_dir() else None
        if found is None:
            stamps[place] = None
            continue
        for file in found:
            if (stamp := _stamp(file)) is not None:
                stamps.setdefault(file, stamp)
    return stamps


def _skill_files(folder: Path) -> Iterator[Path]:
    return (
        file
        for file in folder.iterdir()
        if file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file()
    )


def _stamp(file: Path) -> Stamp | None:
    """Give time and size, or None for a file that went away while the folder was being read."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size


def _without_doubles(files: Iterable[ReadFile]) -> tuple[tuple[Skill, ...], tuple[Fault, ...]]:
    first: dict[str, Skill] = {}
    faults: list[Fault] = []
    for read in files:
        for skill in read.skills:
            other = first.setdefault(skill.id, skill)
            if other is not skill:
                reason = f"skill {skill.id!r} is defined in {other.source} already; the first one stays"
                faults.append(Fault(file=skill.source, reason=reason))
    return tuple(first.values()), tuple(faults)
