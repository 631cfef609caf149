"""Reading JSON out of what a model said: what may be repaired because nothing is guessed by it.

Repaired: text around the JSON, a code fence, thoughts before it, a comma too many, a line break within a string, a list
given bare where the schema has nothing but that list. Never repaired: an answer that was cut off (what is missing cannot be
known, and whole items in front of it would pass for all of them), thoughts that never ended (a draft within them is no
answer), several different answers (one may be an echo of what the user wrote).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ValidationError

from graph.models.structured_texts import FaultKind

Schema = TypeVar("Schema", bound=BaseModel)

MAX_CHARS = 200_000
MAX_STARTS = 100
"""At how many brackets a JSON value is looked for: whoever writes more of them in prose gives no answer."""

_THOUGHT = "(?:think|thinking|thought|thoughts|reasoning|reflection)"
_THOUGHTS = re.compile(rf"\A\s*<({_THOUGHT})>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THOUGHT_BEGINS = re.compile(rf"\A\s*<{_THOUGHT}>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"\A(?:(?!<{_THOUGHT}>).)*?</{_THOUGHT}>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A\s*```[a-z0-9]*(.*)```\s*\Z", re.DOTALL | re.IGNORECASE)
_STRING_OR_COMMA = re.compile(r'("(?:\\.|[^"\\])*+(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_STARTS = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_CUT_REASONS = frozenset({"length", "max_tokens", "MAX_TOKENS"})


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong with an answer; `detail` names the place in it, never what stands there."""

    kind: FaultKind
    detail: str = ""


def read_reply(reply: AIMessage, schema: type[Schema]) -> Schema | Fault:
    """Read the one answer of a schema that a reply gives, as a tool call or as text."""
    if reply.tool_calls:
        return _one_of([call["args"] for call in reply.tool_calls], schema)
    spoiled = next((str(call["args"]) for call in reply.invalid_tool_calls if call["args"]), "")
    read = read_text(spoiled or reply.text, schema)
    if isinstance(read, Fault) and read.kind != "several" and _was_cut(reply):
        return Fault(kind="cut")
    return read


def read_text(text: str, schema: type[Schema]) -> Schema | Fault:
    """Read the one answer of a schema that stands in a text."""
    said = _without_trailing_commas(answered(text))
    if not said.strip():
        return Fault(kind="empty")
    values, cut = _values_in(said)
    if cut:
        return Fault(kind="cut")
    return _one_of(values, schema) if values else Fault(kind="no_json")


def answered(text: str) -> str:
    """Give what a model said after it had thought; thoughts that do not end are no answer, unless they are JSON alone."""
    rest = text[:MAX_CHARS]
    if rest.lstrip().startswith(("{", "[", "```")):
        return _unfenced(rest)
    while found := _THOUGHTS.match(rest):
        rest = rest[found.end() :]
    if begun := _THOUGHT_BEGINS.match(rest):
        inner = _unfenced(rest[begun.end() :])
        return inner if _is_json(inner) else ""
    ended = _THOUGHT_ENDS.match(rest)
    return _unfenced(rest[ended.end() :] if ended else rest)


def _unfenced(text: str) -> str:
    found = _FENCED.match(text)
    return found[1] if found and "```" not in found[1] else text


def _is_json(text: str) -> bool:
    values, cut = _values_in(_without_trailing_commas(text))
    return len(values) == 1 and not cut and text.strip()[:1] in "{[" and text.strip()[-1:] in "}]"


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda found: found[1] or "", text)


def _values_in(text: str) -> tuple[list[Any], bool]:
    """Give the JSON values in a text, outermost only, and whether the last of them stays open.

    A list counts only where no bracket stands before it: elsewhere it may be a part of something that is no JSON.
    """
    values: list[Any] = []
    end, starts = 0, [found.start() for found in islice(_STARTS.finditer(text), MAX_STARTS)]
    for start in starts:
        if start < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if _stays_open(error, text):
                return values, True
        except (ValueError, RecursionError):  # a number or a nesting that no answer has
            continue
        else:
            values += [value] if isinstance(value, dict) or start == starts[0] else []
    return values, False


def _stays_open(error: json.JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text.rstrip(" \r\n\t,`")) or error.msg.startswith("Unterminated string")


def _one_of(values: list[Any], schema: type[Schema]) -> Schema | Fault:
    """Give the only value that fits the schema; the same one said twice is one."""
    read = [_validated(value, schema) for value in values]
    fitting = [each for each in read if not isinstance(each, Fault)]
    if fitting:
        return fitting[0] if all(each == fitting[0] for each in fitting) else Fault(kind="several")
    return next(each for each in read if isinstance(each, Fault))


def _validated(value: Any, schema: type[Schema]) -> Schema | Fault:
    names = list(schema.model_fields)
    bare = isinstance(value, list) and len(names) == 1
    try:
        return schema.model_validate({names[0]: value} if bare else value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        return Fault(kind="shape", detail=f"{'.'.join(map(str, first['loc'])) or 'JSON'}: {first['type']}")


def _was_cut(reply: AIMessage) -> bool:
    said = reply.response_metadata
    return said.get("finish_reason", said.get("stop_reason")) in _CUT_REASONS
