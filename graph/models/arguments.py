"""Arguments: what a tool's required arguments can be filled with from what is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from graph.models.identifiers import ANY_THING, first_fitting, identifiers_in, thing_of
from graph.models.situation import Situation, known_identifiers
from graph.models.tools_bound import BoundTool, Schema, name_words

_ID_NAMES = frozenset({"id", "ids", "no", "number", "identifier", "order", "tracking", "ticket", "invoice", "waybill"})
_ID_DESCRIBED = re.compile(r"单号|编号|订单|\border\b|\btracking\b|\bidentifier\b", re.IGNORECASE)
_FREE_NAMES = frozenset({"reason", "note", "comment", "message", "text", "query", "question", "content", "body"})
_FREE_DESCRIBED = re.compile(r"原因|说明|备注|内容|用户的话")
_PART = re.compile(r"部分|一半|差价|差额|\bpart(?:ial|ly)?\b|\bhalf\b|\bdifference\b", re.IGNORECASE)
_NUMBERS = frozenset({"number", "integer"})
_NUMBER = re.compile(r"(?<![\w.#-])\d+(?:\.\d+)?(?![\w-])|(?<=[^\x00-\x7f])\d+(?:\.\d+)?")


def arguments_for(tool: BoundTool, situation: Situation) -> dict[str, Any] | None:
    """Fill what the tool requires, and its optional identifiers; None when something required is not known."""
    filled = {name: _value_for(name, schema, situation, tool) for name, schema in tool.properties.items()}
    if any(filled.get(name) is None for name in tool.required) or _would_do_too_much(filled, tool, situation):
        return None
    return {name: value for name, value in filled.items() if value is not None and _is_wanted(name, tool)}


def missing_thing(tool: BoundTool, situation: Situation) -> str | None:
    """Say which thing's identifier the tool needs and nobody has said (ANY_THING: some identifier); None: none."""
    for name in tool.required:
        schema = tool.properties.get(name, {})
        if is_identifier(name, schema) and _value_for(name, schema, situation, tool) is None:
            return _thing_named(name, schema)
    return None


def identifier_given(tool: BoundTool | None, args: dict[str, Any]) -> tuple[str, str]:
    """Give the identifier that a call was made with, and the thing it names; ("", ANY_THING) when there was none."""
    for name, value in args.items():
        schema = tool.properties.get(name, {}) if tool else {}
        if is_identifier(name, schema):
            return str(value), _thing_named(name, schema)
    return "", ANY_THING


def is_identifier(name: str, schema: Schema) -> bool:
    """Tell whether an argument is an identifier, by its name, else by how it is described."""
    words = frozenset(name_words(name))
    if words & _FREE_NAMES:
        return False
    if words & _ID_NAMES:
        return True
    is_number = _type(schema) in _NUMBERS
    return not is_number and _ID_DESCRIBED.search(_description(schema)) is not None


def _value_for(name: str, schema: Schema, situation: Situation, tool: BoundTool) -> Any:
    if schema.get("default") is not None:
        return schema["default"]
    if "enum" in schema:
        return _chosen(schema["enum"], situation.asked)
    if is_identifier(name, schema):
        return _identifier(schema, _thing_named(name, schema), situation)
    if _type(schema) in _NUMBERS:
        return _number(name, schema, situation.asked, tool)
    is_free = bool(_FREE_NAMES.intersection(name_words(name))) or _FREE_DESCRIBED.search(_description(schema))
    return situation.asked or None if is_free else None


def _is_wanted(name: str, tool: BoundTool) -> bool:
    schema = tool.properties[name]
    return name in tool.required or is_identifier(name, schema) or _type(schema) in _NUMBERS


def _would_do_too_much(filled: dict[str, Any], tool: BoundTool, situation: Situation) -> bool:
    """Tell whether only a part is asked for and the tool, not told how much, would take the whole."""
    amounts = [name for name, schema in tool.properties.items() if _type(schema) in _NUMBERS]
    unsaid = [name for name in amounts if filled[name] is None]
    return bool(unsaid) and not tool.only_reads and _PART.search(situation.asked) is not None


def _thing_named(name: str, schema: Schema) -> str:
    return thing_of(" ".join(name_words(name))) or thing_of(_description(schema))


def _identifier(schema: Schema, thing: str, situation: Situation) -> str | int | None:
    just_said = identifiers_in(situation.asked)
    known = first_fitting(just_said, thing) or first_fitting(known_identifiers(situation), thing)
    found = known or first_fitting(just_said, ANY_THING)
    if found is None or _type(schema) not in _NUMBERS:
        return found.text if found else None
    digits = re.sub(r"\D", "", found.text)
    return int(digits) if digits else None


def _chosen(options: Iterable[Any], text: str) -> Any:
    """Give the option that the text names, or the only one there is."""
    offered = list(options)
    named = [option for option in offered if str(option).casefold() in text.casefold()]
    return named[0] if len(named) == 1 else (offered[0] if len(offered) == 1 else None)


def _number(name: str, schema: Schema, text: str, tool: BoundTool) -> float | None:
    """Give the one number in the text, if the tool takes just one; which of several is meant cannot be told."""
    numeric = {other: one for other, one in tool.properties.items() if _type(one) in _NUMBERS}
    wanted = [other for other, one in numeric.items() if not is_identifier(other, one)]
    for one in identifiers_in(text):
        text = text.replace(one.text, " ")
    numbers = _NUMBER.findall(text)
    if len(numbers) != 1 or wanted != [name]:
        return None
    return int(numbers[0]) if _type(schema) == "integer" and numbers[0].isdigit() else float(numbers[0])


def _type(schema: Schema) -> str:
    """Give an argument's type; of an optional one, the type it has when it is given."""
    options = [schema, *schema.get("anyOf", ())]
    return next((str(one["type"]) for one in options if one.get("type", "null") != "null"), "")


def _description(schema: Schema) -> str:
    return f"{schema.get('title', '')} {schema.get('description', '')}"
