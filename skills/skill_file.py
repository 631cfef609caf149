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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from memory.namespaces import SHARED_AGENT
from skills.bilingual import Language, Text, same
from skills.screening import smuggled
from skills.triggers import checked_trigger, spoken

SKILL_ID = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"
MAX_FILE_BYTES = 256 * 1024
MAX_DEPTH = 64
UNREADABLE = (ValueError, RecursionError, LookupError, AttributeError, TypeError)
"""What PyYAML raises besides its own errors: a date such as 2026-13-45, `!!int ""`, nesting without end."""


@dataclass(frozen=True, kw_only=True)
class Body:
    """The instructions of an Agent-Skills folder as they are shown; `cut` where there is more in the file."""

    text: str
    cut: bool


@dataclass(frozen=True, kw_only=True)
class Skill:
    """How to do one thing: when it is called for, in which steps, with which tools, minding what.

    `language` is None where the texts are in both; `source` is the file it was read from, `agent` the label of the
    agent whose own it is. An Agent-Skills folder has no steps but a `body`, None until it is wanted.
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
    agent: str = SHARED_AGENT
    folder: Path | None = None
    body: Body | None = None

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
    """What a file gave: the skills that are sound, what is wrong with the rest, and what was passed over."""

    skills: tuple[Skill, ...] = ()
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


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


def read_skill_file(file: Path, known_tools: Mapping[str, object], *, agent: str = SHARED_AGENT) -> ReadFile:
    """Read a file's skills; what is unsound is named, left out, and does not stop the rest."""
    try:
        rows = _rows(file)
    except UnreadableError as error:
        return ReadFile(faults=(Fault(file=file, reason=str(error)),))
    skills: list[Skill] = []
    faults: list[Fault] = []
    for number, (line, row) in enumerate(rows, start=1):
        try:
            skills.append(replace(_skill(row, file, known_tools), agent=agent))
        except _UnsoundError as error:
            faults.append(Fault(file=file, reason=f"line {line}, skill {_name(row, number)}: {error}"))
    return ReadFile(skills=tuple(skills), faults=tuple(faults))


class UnreadableError(ValueError):
    """A file as a whole cannot be used."""


class _UnsoundError(ValueError):
    """One skill cannot be used."""


def _rows(file: Path) -> list[tuple[int, object]]:
    """Give each entry under `skills` with the line it begins on."""
    loader = yaml.SafeLoader(checked_depth(_content(file)))
    try:
        node = loader.get_single_node()
        document = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        raise UnreadableError(syntax(error)) from error
    except UNREADABLE as error:
        raise UnreadableError(f"holds a value that cannot be read: {error}") from error
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


def _raw(file: Path) -> bytes:
    """Read a file that is not too long; one that grows meanwhile is not read to its end either."""
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            raw = opened.read(MAX_FILE_BYTES + 1) if size <= MAX_FILE_BYTES else b""
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from error
    if (found := max(size, len(raw))) > MAX_FILE_BYTES:
        raise UnreadableError(f"has {found} bytes, more than {MAX_FILE_BYTES}: split it")
    return raw


def _content(file: Path) -> str:
    raw = _raw(file)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"is not UTF-8 (byte {error.start}): save it as UTF-8") from error


def checked_depth(text: str) -> str:
    """Give a YAML text back; PyYAML takes minutes over one that opens brackets by the thousand.

    Raises:
        UnreadableError: More than 64 brackets are open at once, wherever they stand.
    """
    steps = ((char in "[{") - (char in "]}") for char in text)
    if max(accumulate(steps), default=0) > MAX_DEPTH:
        raise UnreadableError("holds a value that cannot be read: it is nested too deeply")
    return text


def syntax(error: yaml.YAMLError, *, lines_before: int = 0) -> str:
    """Say on which line of the file the YAML goes wrong, and how."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1 + lines_before}: not valid YAML: {error.problem}"
    return f"not valid YAML: {error}"


def _listed(document: object) -> list[object]:
    if not isinstance(document, dict) or "skills" not in document:
        raise UnreadableError("has no list `skills:` at its top")
    listed = document["skills"]
    if not isinstance(listed, list):
        raise UnreadableError(f"`skills:` must be a list, found {type(listed).__name__}")
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
    if reason := refusal_of(skill.texts()):
        raise _UnsoundError(reason)
    return skill


def refusal_of(texts: Iterable[str]) -> str | None:
    """Say why a skill with these texts is refused; None where they only explain."""
    found = next((found for text in texts if (found := smuggled(text))), None)
    if found is None:
        return None
    return (
        f"refused, it seems to {found.attempt} ({found.words!r}); a skill explains how to do something, "
        "say it in other words if that is what is meant"
    )


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
        return f"`{where}` must be {wanted}, found {_brief(found)}" + ("" if kind == "list_type" else " (quote it?)")
    return f"`{where}`: {message.removeprefix('Value error, ')}, found {_brief(found)}"


def _brief(found: object) -> str:
    """Show a value; of a collection its kind, for a few YAML aliases can make one without end."""
    return f"a {type(found).__name__}" if isinstance(found, list | dict | set | tuple) else f"{found!r:.60}"
