"""An Agent-Skills folder: `<name>/SKILL.md`, whose front matter is read at once and whose body when it is shown.

---
name: water-plants                         # the folder's name
description: Water house plants. Use when asked how often to water, or why leaves turn yellow.
allowed-tools: plants.list                 # optional, as are the following; tools that we do not have are passed over
metadata:
  triggers: ["浇花", "water the plants"]   # ours: words that call it, as in a YAML skill
---
Markdown: how it is done. What stands beside it (scripts/, references/, assets/) is never run and never read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from memory.prompt_lines import whole_lines
from skills.bilingual import same
from skills.front_matter import FrontMatter, body_text_of, front_matter_of
from skills.inside import check_inside
from skills.places import SKILL_MD, Found
from skills.registry import Tool, find
from skills.skill_file import Body, Fault, ReadFile, Skill, UnreadableError, refusal_of
from skills.triggers import TriggerError, checked_trigger, spoken

MAX_NAME_CHARS = 64
MAX_DESCRIPTION_CHARS = 1024
LONGEST = {"description": MAX_DESCRIPTION_CHARS, "compatibility": 500}
MAX_BODY_CHARS = 8000
FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")

_NAME = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TOOL = re.compile(r"(?P<name>[^\s,()]+)(?:\([^)]*\))?")
_BETWEEN = re.compile(r"[,，、;；\n]+")


def read_agent_skill(found: Found, known_tools: Mapping[str, Tool]) -> ReadFile:
    """Read the front matter of a SKILL.md into a skill without its body; what is unsound is named, never raised."""
    try:
        _check_place(found)
        front = front_matter_of(found.file)
        skill = _skill(found, front, known_tools)
    except UnreadableError as error:
        return ReadFile(faults=(Fault(file=found.file, reason=str(error)),))
    warnings = tuple(Fault(file=found.file, reason=reason) for reason in _warnings(front.fields, known_tools))
    return ReadFile(skills=(skill,), warnings=warnings)


def with_body(skill: Skill, found: Found) -> Skill:
    """Read the body of an Agent-Skills folder, as much of it as may be shown.

    Raises:
        UnreadableError: It cannot be read, is no longer where it was, or is refused.
    """
    _check_place(found)
    text, more = body_text_of(found.file)
    if reason := refusal_of([text]):
        raise UnreadableError(reason)
    shown = whole_lines(text.strip(), MAX_BODY_CHARS)
    return replace(skill, body=Body(text=shown, cut=more or len(shown) < len(text.strip())))


def _check_place(found: Found) -> None:
    """See to it that the file is a file, under its right name, and in the folder that was given."""
    if found.file.name != SKILL_MD:
        raise UnreadableError(f"must be called {SKILL_MD}")
    check_inside(found)


def _skill(found: Found, front: FrontMatter, known_tools: Mapping[str, Tool]) -> Skill:
    problems = [*_name_problems(front.fields, found.file.parent), *_description_problems(front.fields)]
    if problems:
        raise UnreadableError("; ".join(problems))
    skill = Skill(
        id=_normal(str(front.fields["name"])),
        triggers=tuple(trigger for trigger, problem in _triggers(front.fields) if not problem),
        description=same(" ".join(str(front.fields["description"])[:MAX_DESCRIPTION_CHARS].split())),
        steps=(),
        tools=tuple(dict.fromkeys(tool.name for _, tool in _tools(front.fields, known_tools) if tool)),
        source=found.file,
        agent=found.agent,
        folder=found.file.parent,
    )
    if reason := refusal_of([front.text, skill.id, *map(spoken, skill.triggers), skill.description.zh]):
        raise UnreadableError(reason)
    return skill


def _name_problems(fields: Mapping[str, object], folder: Path) -> Iterator[str]:
    name = fields.get("name")
    if not isinstance(name, str):
        yield "`name` is missing" if name is None else f"`name` must be text, found {name!r:.60} (quote it?)"
    elif len(name) > MAX_NAME_CHARS:
        yield f"`name` has {len(name)} characters, more than {MAX_NAME_CHARS}"
    elif not _NAME.fullmatch(name) or name != name.lower():
        yield f"`name` must be lowercase letters and digits with single hyphens between them, found {name!r}"
    elif _normal(name) != _normal(folder.resolve().name) and _normal(name) != _normal(folder.name):
        yield f"`name` is {name!r} and its folder {folder.name!r}: they must be the same"


def _description_problems(fields: Mapping[str, object]) -> Iterator[str]:
    description = fields.get("description")
    if description is None or description == "":
        yield "`description` is missing"
    elif not isinstance(description, str):
        yield "`description` must be text (quote it?)"
    elif not description.strip():
        yield "`description` must not be blank"


def _warnings(fields: Mapping[str, object], known_tools: Mapping[str, Tool]) -> Iterator[str]:
    """Name what is passed over while the skill is kept."""
    unknown = [name for name, tool in _tools(fields, known_tools) if tool is None]
    if unknown:
        known = ", ".join(sorted(known_tools)) or "none"
        yield f"`allowed-tools` names tools that are not here: {', '.join(unknown)}. Known tools: {known}"
    yield from (f"`metadata.triggers`: {problem}" for _, problem in _triggers(fields) if problem)
    for name, longest in LONGEST.items():
        if len(text := str(fields.get(name, ""))) > longest:
            yield f"`{name}` has {len(text)} characters; the format allows {longest}, the rest is not read"
    if "triggers" in fields:
        yield "`triggers` is read under `metadata` only"
    for name in fields:
        if name not in FIELDS and (near := get_close_matches(name, FIELDS, n=1)):
            yield f"`{name}` is not a field of {SKILL_MD}, did you mean `{near[0]}`?"


def _tools(fields: Mapping[str, object], known_tools: Mapping[str, Tool]) -> Iterator[tuple[str, Tool | None]]:
    """Give each name in `allowed-tools`, in a list or in a line, with the tool of ours that it names."""
    for entry in _texts(fields.get("allowed-tools")):
        for named in _TOOL.finditer(entry):
            yield named["name"], find(known_tools.values(), named["name"])


def _triggers(fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Give each trigger with what is wrong with it, "" mostly; in one text they stand with commas between."""
    metadata = fields.get("metadata")
    listed = metadata.get("triggers") if isinstance(metadata, dict) else None
    pieces = [piece for text in _texts(listed) for piece in (_BETWEEN.split(text) if listed == text else [text])]
    for piece in pieces:
        if piece.strip():
            try:
                yield checked_trigger(piece), ""
            except TriggerError as error:
                yield piece, str(error)


def _texts(value: object) -> list[str]:
    """Give a text, or the texts of a list; nothing of anything else."""
    listed = value if isinstance(value, list) else [value]
    return [text for text in listed if isinstance(text, str)]


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)
