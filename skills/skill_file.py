"""A skill file: YAML with a list `skills`, read into skills and faults, one skill at a time.

skills:
  - id: cancel_order
    trigger: ["取消订单", "cancel my order"]
    description: {zh: "取消订单", en: "Cancel an order"}    # or one text
    steps: ["…", {zh: "…", en: "…"}]
    tools: [orderService.cancel]                           # optional, as are the following
    safety_checks: ["…"]
    language: zh                                           # the language of texts written in one only
    topics: [customer_service]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from skills.bilingual import Language, Text, same
from skills.screening import smuggled
from skills.triggers import checked_trigger, spoken

SKILL_ID = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"
MAX_FILE_BYTES = 256 * 1024


@dataclass(frozen=True, kw_only=True)
class Skill:
    """How to do one thing: when it is called for, in which steps, with which tools, minding what.

    `language` is "" where the texts are in both; `source` is the file it was read from.
    """

    id: str
    triggers: tuple[str, ...]
    description: Text
    steps: tuple[Text, ...]
    source: Path
    tools: tuple[str, ...] = ()
    safety_checks: tuple[Text, ...] = ()
    topics: tuple[str, ...] = ()
    language: Language | None = None

    def texts(self) -> Iterator[str]:
        """Give every text that a model may come to see."""
        yield from (spoken(trigger) for trigger in self.triggers)
        for text in (self.description, *self.steps, *self.safety_checks):
            yield from (text.zh, text.en)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong with a skill file, or with one skill in it, which is then left out."""

    file: Path
    reason: str


@dataclass(frozen=True, kw_only=True)
class ReadFile:
    """What a file gave: the skills that are sound, and what is wrong with the rest."""

    skills: tuple[Skill, ...] = ()
    faults: tuple[Fault, ...] = ()


def _written(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text.strip()


Written = Annotated[str, AfterValidator(_written)]


class _BothLanguages(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    zh: Written
    en: Written


Words = Written | _BothLanguages


class _Row(BaseModel):
    """A skill as it stands in the file."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: Annotated[str, Field(pattern=SKILL_ID)]
    trigger: Annotated[list[Annotated[str, AfterValidator(checked_trigger)]], Field(min_length=1)]
    description: Words
    steps: Annotated[list[Words], Field(min_length=1)]
    tools: list[Written] = []
    safety_checks: list[Words] = []
    topics: list[Written] = []
    language: Language | None = None

    @field_validator("tools", "safety_checks", "topics", mode="before")
    @classmethod
    def _empty(cls, value: object) -> object:
        """Read `tools:` with nothing behind it as an empty list."""
        return [] if value is None else value


def read_skill_file(file: Path, known_tools: Mapping[str, object]) -> ReadFile:
    """Read a file's skills; what is unsound is named, left out, and does not stop the rest."""
    try:
        rows = _rows(file)
    except _UnreadableError as error:
        return ReadFile(faults=(Fault(file=file, reason=str(error)),))
    skills: list[Skill] = []
    faults: list[Fault] = []
    for number, (line, row) in enumerate(rows, start=1):
        try:
            skills.append(_skill(row, file, known_tools))
        except _UnsoundError as error:
            faults.append(Fault(file=file, reason=f"line {line}, skill {_name(row, number)}: {error}"))
    return ReadFile(skills=tuple(skills), faults=tuple(faults))


class _UnreadableError(ValueError):
    """The file as a whole cannot be used."""


class _UnsoundError(ValueError):
    """One skill cannot be used."""


def _rows(file: Path) -> list[tuple[int, object]]:
    """Give each entry under `skills` with the line it begins on."""
    loader = yaml.SafeLoader(_content(file))
    try:
        node = loader.get_single_node()
        document = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        raise _UnreadableError(_syntax(error)) from error
    except (ValueError, RecursionError) as error:  # a date such as 2026-13-45; nesting without end
        raise _UnreadableError(f"holds a value that cannot be read: {error}") from error
    finally:
        loader.dispose()
    return list(zip(_lines(node), _listed(document), strict=True))


def _lines(node: yaml.Node | None) -> list[int]:
    """Say on which line each entry under `skills` begins; the last `skills:` counts, as in the document."""
    lines: list[int] = []
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value == "skills" and isinstance(value, yaml.SequenceNode):
            lines = [entry.start_mark.line + 1 for entry in value.value]
    return lines


def _content(file: Path) -> str:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise _UnreadableError(f"cannot be read: {error.strerror}") from error
    if len(raw) > MAX_FILE_BYTES:
        raise _UnreadableError(f"has {len(raw)} bytes, more than {MAX_FILE_BYTES}: split it")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"is not UTF-8 (byte {error.start}): save it as UTF-8") from error


def _syntax(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: not valid YAML: {error.problem}"
    return f"not valid YAML: {error}"


def _listed(document: object) -> list[object]:
    if not isinstance(document, dict) or "skills" not in document:
        raise _UnreadableError("has no list `skills:` at its top")
    listed = document["skills"]
    if not isinstance(listed, list):
        raise _UnreadableError(f"`skills:` must be a list, found {type(listed).__name__}")
    return listed


def _skill(row: object, file: Path, known_tools: Mapping[str, object]) -> Skill:
    try:
        read = _Row.model_validate(row)
    except ValidationError as error:
        raise _UnsoundError("; ".join(_problems(error))) from error
    for tool in read.tools:
        if tool not in known_tools:
            raise _UnsoundError(_unknown_tool(tool, known_tools))
    skill = Skill(
        id=read.id,
        triggers=tuple(read.trigger),
        description=_text(read.description),
        steps=tuple(map(_text, read.steps)),
        tools=tuple(read.tools),
        safety_checks=tuple(map(_text, read.safety_checks)),
        topics=tuple(read.topics),
        language=read.language,
        source=file,
    )
    return _screened(skill)


def _screened(skill: Skill) -> Skill:
    for text in skill.texts():
        if found := smuggled(text):
            raise _UnsoundError(
                f"refused, it seems to {found.attempt} ({found.words!r}); a skill explains how to do something, "
                "say it in other words if that is what is meant"
            )
    return skill


def _text(words: str | _BothLanguages) -> Text:
    return same(words) if isinstance(words, str) else Text(zh=words.zh, en=words.en)


def _name(row: object, number: int) -> str:
    return f"{row['id']!r:.60}" if isinstance(row, dict) and "id" in row else f"number {number}"


def _unknown_tool(tool: str, known_tools: Mapping[str, object]) -> str:
    near = get_close_matches(tool, known_tools, n=1)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    return f"unknown tool {tool!r}{meant} Known tools: {', '.join(sorted(known_tools)) or 'none'}"


def _problems(error: ValidationError) -> list[str]:
    """Name each field that is wrong once, with what was found there."""
    found: dict[str, str] = {}
    for problem in error.errors():
        where = _where(problem["loc"])
        found.setdefault(where, _problem(where, problem["type"], problem["msg"], problem["input"]))
    return list(found.values())


def _where(loc: tuple[int | str, ...]) -> str:
    """Write the path as `steps[2]`, without the names that pydantic gives to a union's members."""
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part + 1}]"
        elif part in _Row.model_fields or not path:
            path += part
        elif part in _BothLanguages.model_fields:
            path += f".{part}"
    return path or "skill"


def _problem(where: str, kind: str, message: str, found: object) -> str:
    if kind == "missing":
        return f"`{where}` is missing"
    if kind == "extra_forbidden":
        near = get_close_matches(where, _Row.model_fields, n=1)
        return f"`{where}` is not a field of a skill" + (f", did you mean `{near[0]}`?" if near else "")
    if kind in {"string_type", "model_type", "list_type"}:
        wanted = "a list" if kind == "list_type" else "text"
        return f"`{where}` must be {wanted}, found {found!r:.60}" + ("" if kind == "list_type" else " (quote it?)")
    return f"`{where}`: {message.removeprefix('Value error, ')}, found {found!r:.60}"
