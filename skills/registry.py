"""The registry of tools: what a tool is, what is checked before it acts, and the one way to run it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, assert_never

from pydantic import BaseModel, ValidationError

from memory.namespaces import checked_id
from skills.bilingual import Text

Effect = Literal["read", "write"]

MAX_NAME_CHARS = 64
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")


class ToolNameError(ValueError):
    """A tool's name is not usable, or two tools would be offered under one."""


class NaiveTimeError(ValueError):
    """A time without a zone was given where one is needed."""

    def __init__(self, now: datetime) -> None:
        super().__init__(f"Cannot act at {now!r}: it has no time zone. Pass an aware datetime.")


@dataclass(frozen=True, kw_only=True)
class Caller:
    """On whose behalf a tool runs: never taken from the model's arguments."""

    user: str
    thread_id: str
    now: datetime

    def __post_init__(self) -> None:
        checked_id(self.user, "user id")
        if self.now.tzinfo is None:
            raise NaiveTimeError(self.now)


@dataclass(frozen=True, kw_only=True)
class ToolOutcome:
    """What came of a call: `text` is for the model, `data` (JSON values) for programs."""

    ok: bool
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Passed:
    """Nothing speaks against it."""


@dataclass(frozen=True)
class Refused:
    """It must not be done, whoever agrees."""

    reason: Text


@dataclass(frozen=True)
class NeedsConsent:
    """It may be done if the user agrees to exactly this."""

    question: Text


@dataclass(frozen=True)
class Settled:
    """It has been done before: this is what came of it, nobody needs to be asked."""

    outcome: ToolOutcome


Verdict: TypeAlias = Passed | Refused | NeedsConsent | Settled
Check: TypeAlias = Callable[[Any, Caller], Awaitable[Verdict]]
"""Judges a call before it acts; its first argument is an instance of the tool's `arguments`."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Something the model can call.

    `run` and the checks are given an instance of `arguments`. A tool with effect "write" runs only after the user
    has agreed.
    """

    name: str
    description: Text
    arguments: type[BaseModel]
    effect: Effect
    run: Callable[[Any, Caller], Awaitable[ToolOutcome]]
    checks: tuple[Check, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or len(self.name) > MAX_NAME_CHARS:
            raise ToolNameError(
                f"Cannot offer a tool as {self.name!r}: use at most {MAX_NAME_CHARS} Latin letters, digits, `_`, `-`, "
                "with dots between the parts, as in orderService.cancel."
            )

    @property
    def offered_as(self) -> str:
        """Name the tool as providers accept it: without dots."""
        return self.name.replace(".", "_")


def registered(tools: Iterable[Tool]) -> dict[str, Tool]:
    """Put tools under their names.

    Raises:
        ToolNameError: Two tools have one name, or would be offered under one.
    """
    by_offer: dict[str, Tool] = {}
    for tool in tools:
        other = by_offer.setdefault(tool.offered_as, tool)
        if other is not tool:
            raise ToolNameError(
                f"Cannot register {tool.name!r}: {other.name!r} is offered as {tool.offered_as!r} already. Rename one."
            )
    return {tool.name: tool for tool in by_offer.values()}


def find(tools: Iterable[Tool], offered_as: str) -> Tool | None:
    """Find the tool that a model's call names (with or without dots)."""
    return next((tool for tool in tools if offered_as in {tool.offered_as, tool.name}), None)


def schemas(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """Describe tools as `bind_tools` wants them: OpenAI's function schemas."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.offered_as,
                "description": str(tool.description),
                "parameters": _parameters(tool.arguments),
            },
        }
        for tool in tools
    ]


async def attempt(
    tool: Tool, raw_args: Mapping[str, Any], caller: Caller, *, consent: bool | None
) -> ToolOutcome | NeedsConsent:
    """Run a tool as far as it may go: arguments, checks, consent, then the act itself.

    The checks run on every attempt, so what was true when the user was asked is looked at again when they have
    agreed. Wrong arguments are an outcome for the model to read, never an exception.

    Args:
        tool: What to run.
        raw_args: What the model wrote.
        caller: On whose behalf, and when.
        consent: What the user answered; None when nobody has asked yet.
    """
    try:
        arguments = tool.arguments.model_validate(dict(raw_args))
    except ValidationError as error:
        return _wrong_arguments(tool, error)
    verdict = await _judged(tool, arguments, caller)
    match verdict:
        case Refused(reason):
            return refusal(reason)
        case Settled(outcome):
            return outcome
        case NeedsConsent() if consent is None:
            return verdict
        case NeedsConsent() if not consent:
            return _declined(tool)
        case Passed() | NeedsConsent():
            return await tool.run(arguments, caller)
    assert_never(verdict)


def refusal(reason: Text) -> ToolOutcome:
    """Tell the model why something was not done."""
    return ToolOutcome(ok=False, text=str(reason), data={"refused": "check"})


async def _judged(tool: Tool, arguments: BaseModel, caller: Caller) -> Verdict:
    """Ask the checks in order: the first that refuses or settles ends it; else the first question stands."""
    question: NeedsConsent | None = None
    for check in tool.checks:
        verdict = await check(arguments, caller)
        if isinstance(verdict, Refused | Settled):
            return verdict
        if isinstance(verdict, NeedsConsent):
            question = question or verdict
    if question is None and tool.effect == "write":
        return NeedsConsent(_plain_question(tool, arguments))
    return question or Passed()


def _plain_question(tool: Tool, arguments: BaseModel) -> Text:
    given = ", ".join(f"{name}={value}" for name, value in arguments.model_dump(mode="json").items())
    return Text(zh=f"可以执行 {tool.name}（{given}）吗？", en=f"May I run {tool.name} ({given})?")


def _declined(tool: Tool) -> ToolOutcome:
    text = Text(
        zh=f"用户没有同意，{tool.name} 没有执行，什么都没有改变。",
        en=f"The user did not agree; {tool.name} was not run and nothing has changed.",
    )
    return ToolOutcome(ok=False, text=str(text), data={"refused": "user"})


def _wrong_arguments(tool: Tool, error: ValidationError) -> ToolOutcome:
    """Tell the model which arguments are wrong and what is expected."""
    found = [_problem(tool, problem["loc"], problem["msg"], problem["type"]) for problem in error.errors()]
    expected = ", ".join(
        name + ("" if field.is_required() else "?") for name, field in tool.arguments.model_fields.items()
    )
    text = Text(
        zh=f"{tool.offered_as} 的参数不对，没有执行：{'；'.join(found)}。应为：{expected}。",
        en=f"Wrong arguments for {tool.offered_as}, nothing was run: {'; '.join(found)}. Expected: {expected}.",
    )
    return ToolOutcome(ok=False, text=str(text), data={"refused": "arguments", "problems": found})


def _problem(tool: Tool, loc: tuple[int | str, ...], message: str, kind: str) -> str:
    where = ".".join(map(str, loc)) or "arguments"
    if kind == "missing":
        return f"{where}: missing"
    if kind == "extra_forbidden":
        near = get_close_matches(where, tool.arguments.model_fields, n=1)
        return f"{where}: unknown" + (f", did you mean {near[0]}?" if near else "")
    return f"{where}: {message.removeprefix('Value error, ')}"


def _parameters(arguments: type[BaseModel]) -> dict[str, Any]:
    """Give the arguments' JSON schema; what the class says of itself is left out, the tool has its description."""
    schema = arguments.model_json_schema()
    parameters: dict[str, Any] = _untitled({name: part for name, part in schema.items() if name != "description"})
    return parameters


def _untitled(schema: Any) -> Any:
    """Leave out pydantic's titles, which only cost tokens (an argument called `title` stays)."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _untitled(part) for name, part in value.items()} if key == "properties" else _untitled(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
