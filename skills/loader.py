"""The skill library: every sound skill from some folders, read again when a file changes."""

from __future__ import annotations

import logging
import os
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from memory.namespaces import SHARED_AGENT, label_of
from skills.agent_skill import read_agent_skill, with_body
from skills.inside import check_inside
from skills.places import Found, Stamp, is_label, stamps_of
from skills.registry import Tool
from skills.skill_file import Fault, ReadFile, Skill, UnreadableError, read_skill_file

PACKAGED = Path(__file__).parent / "library"
HOME_SKILLS = "skills"
"""The folder in a home that is always looked at, where there is one; it is the user's own and never made."""

log = logging.getLogger(__name__)


def logged(fault: Fault) -> None:
    """Tell the log what was left out."""
    log.warning("Skill left out: %s: %s", fault.file, fault.reason)


@dataclass(frozen=True, kw_only=True)
class _Snapshot:
    """What the library is at one moment; replaced as a whole, so readers never see half of it."""

    stamps: Mapping[Found, Stamp | None] = field(default_factory=dict)
    files: Mapping[Found, ReadFile] = field(default_factory=dict)
    skills: tuple[Skill, ...] = ()
    shared: tuple[Skill, ...] = ()
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


class SkillLibrary:
    """Skills from YAML files and Agent-Skills folders, as they are now.

    Nothing is read before the first `refresh`. A refresh looks at each file's time and size and reads only what
    changed; it touches the disk, so on an event loop call it through `asyncio.to_thread`. Where two skills have one
    id, the one of the earlier folder, then of the earlier file name, stays; an agent's own wins over the shared one.

    Args:
        dirs: Folders or single files, the first has precedence. Of a folder count its `.yaml` and `.yml` files, its
            folders with a `SKILL.md`, and for one agent alone what stands so in `agents/<agent>`.
        tools: The tools that skills may name, by name.
        optional: Those of the folders that need not be there.
        on_fault: Told each new fault once.
    """

    def __init__(
        self,
        dirs: Sequence[Path],
        *,
        tools: Mapping[str, Tool],
        optional: Sequence[Path] = (),
        on_fault: Callable[[Fault], None] = logged,
    ) -> None:
        self._dirs = tuple(dirs)
        self._optional = frozenset(optional)
        self._tools = dict(tools)
        self._on_fault = on_fault
        self._lock = threading.Lock()
        self._now = _Snapshot()

    @classmethod
    def of_home(
        cls,
        home: Path,
        dirs: Sequence[Path] = (),
        *,
        tools: Mapping[str, Tool],
        on_fault: Callable[[Fault], None] = logged,
    ) -> SkillLibrary:
        """Give the library of a home: the folders that were named, then the home's own, then what comes with Jiyi."""
        own = home / HOME_SKILLS
        return cls([*dirs, own, PACKAGED], tools=tools, optional=[own], on_fault=on_fault)

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Give the shared skills of the last refresh, in the order of folders and file names."""
        return self._now.shared

    @property
    def every_skill(self) -> tuple[Skill, ...]:
        """Give the shared skills and those of all agents."""
        return self._now.skills

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Give what was left out at the last refresh or since, and why."""
        return self._now.faults

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """Give what was passed over in skills that were kept."""
        return self._now.warnings

    def for_agent(self, agent: str) -> tuple[Skill, ...]:
        """Give what an agent sees: its own skills, then the shared ones whose id it has not itself.

        The agent's name, which anybody may choose, is only compared with the names of folders that are there; it is
        written there as in namespaces (`memory.namespaces.label_of`), so no two agents share a folder.
        """
        now, label = self._now, label_of(unicodedata.normalize("NFC", agent))
        if label == SHARED_AGENT:
            return now.shared
        own = tuple(skill for skill in now.skills if skill.agent == label)
        taken = {skill.id for skill in own}
        return own + tuple(skill for skill in now.shared if skill.id not in taken)

    def refresh(self) -> None:
        """Bring skills and faults up to date with the files; each new fault is told once."""
        with self._lock:
            stamps = stamps_of(self._dirs, optional=self._optional)
            if stamps != self._now.stamps:
                self._take(_snapshot(stamps, self._read(stamps)))

    def with_bodies(self, skills: Iterable[Skill]) -> tuple[Skill, ...]:
        """Give these skills with their bodies, read at most once; touches the disk.

        One whose body is refused or cannot be read is not among them: it has become a fault, until its file changes.
        """
        with self._lock:
            loaded = (self._loaded(skill) for skill in skills)
            return tuple(skill for skill in loaded if skill is not None)

    def examine(self) -> None:
        """Refresh, and read the body of every skill too, so that `faults` names all that is wrong."""
        self.refresh()
        self.with_bodies(self.every_skill)

    def _loaded(self, skill: Skill) -> Skill | None:
        if skill.folder is None:
            return skill
        found = next((found for found in self._now.files if found.file == skill.source), None)
        read = self._now.files[found] if found else ReadFile()
        known = next((one for one in read.skills if one.id == skill.id), None)
        if found is None or known is None or known.body is not None:
            return known
        try:
            known = with_body(known, found)
            read = replace(read, skills=(known,))
        except UnreadableError as error:
            known, read = None, ReadFile(faults=(Fault(file=found.file, reason=str(error)),))
        self._take(_snapshot(self._now.stamps, {**self._now.files, found: read}))
        return known

    def _read(self, stamps: Mapping[Found, Stamp | None]) -> dict[Found, ReadFile]:
        before = self._now
        return {
            found: before.files[found] if stamp == before.stamps.get(found) else self._read_one(found)
            for found, stamp in stamps.items()
            if stamp is not None
        }

    def _read_one(self, found: Found) -> ReadFile:
        if not is_label(found.agent):
            reason = f"is for no agent: call its folder under agents/ {label_of(found.agent)!r}"
            return ReadFile(faults=(Fault(file=found.file, reason=reason),))
        if found.is_agent_skill:
            return read_agent_skill(found, self._tools)
        return self._read_yaml(found)

    def _read_yaml(self, found: Found) -> ReadFile:
        """Read a YAML file; one that was named itself may be a link to anywhere."""
        try:
            if found.file != found.place:
                check_inside(found)
        except UnreadableError as error:
            return ReadFile(faults=(Fault(file=found.file, reason=str(error)),))
        return read_skill_file(found.file, self._tools, agent=found.agent)

    def _take(self, new: _Snapshot) -> None:
        before, self._now = self._now, new
        for fault in new.faults:
            if fault not in before.faults:
                self._on_fault(fault)
        for warning in new.warnings:
            if warning not in before.warnings:
                log.info("Skill: %s: %s", warning.file, warning.reason)


def _snapshot(stamps: Mapping[Found, Stamp | None], files: Mapping[Found, ReadFile]) -> _Snapshot:
    missing = tuple(_missing(found.file) for found, stamp in stamps.items() if stamp is None)
    skills, doubles = _without_doubles(files.values())
    broken = tuple(fault for read in files.values() for fault in read.faults)
    warnings = tuple(warning for read in files.values() for warning in read.warnings)
    return _Snapshot(
        stamps=stamps,
        files=files,
        skills=skills,
        shared=tuple(skill for skill in skills if skill.agent == SHARED_AGENT),
        faults=missing + broken + doubles,
        warnings=warnings,
    )


def _missing(place: Path) -> Fault:
    there = os.path.lexists(place)
    return Fault(file=place, reason="cannot be listed" if there else "there is no such folder or file")


def _without_doubles(files: Iterable[ReadFile]) -> tuple[tuple[Skill, ...], tuple[Fault, ...]]:
    first: dict[tuple[str, str], Skill] = {}
    faults: list[Fault] = []
    for read in files:
        for skill in read.skills:
            other = first.setdefault((skill.agent, skill.id), skill)
            if other is not skill:
                reason = f"skill {skill.id!r} is defined in {other.source} already; the first one stays"
                faults.append(Fault(file=skill.source, reason=reason))
    return tuple(first.values()), tuple(faults)
