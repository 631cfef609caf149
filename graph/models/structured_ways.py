"""Ways to ask an endpoint for an answer of a schema, and which one an endpoint is known to take.

json_schema    `response_format` with the schema, strict
tool           a tool with the schema, which must be called, by its name
tool_required  the same, where any tool must be called
tool_auto      the same, where a tool may be called
text           plain JSON, with the schema in the prompt
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

Way = Literal["json_schema", "tool", "tool_required", "tool_auto", "text"]
Endpoint = tuple[str, str]
"""Where a model is, and its name there."""

ALL_WAYS: tuple[Way, ...] = ("json_schema", "tool", "tool_required", "tool_auto", "text")
TOOL_CHOICE: dict[Way, str] = {"tool_required": "required", "tool_auto": "auto"}
TOOL_NAME = "answer"
NOT_UNDERSTOOD = frozenset({400, 404, 422})
"""What endpoints say to a request with something in it that they do not know."""

_ABOUT_FORMAT = re.compile(
    r"response[ _-]?format|json[ _-]?schema|structured[ _-]?output|guided|grammar", re.IGNORECASE
)
_ABOUT_TOOLS = re.compile(r"\btool|function", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_known: dict[Endpoint, Asking] = {}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How an endpoint is asked: in which way, and whether it takes temperature 0 (some only take their own)."""

    way: Way
    cold: bool = True


def ways_of(model: BaseChatModel) -> tuple[Way, ...]:
    """Give the ways that a model may know, the best first: only OpenAI's wire format has a `response_format`."""
    has_format = "openai_api_base" in type(model).model_fields
    has_tools = type(model).bind_tools is not BaseChatModel.bind_tools
    return tuple(way for way in ALL_WAYS if way == "text" or (has_format if way == "json_schema" else has_tools))


def asking_for(model: BaseChatModel) -> Asking:
    """Say how to ask a model: as its endpoint is known to take it, else in the best way."""
    return _known.get(_endpoint_of(model)) or Asking(way=ways_of(model)[0])


def remember_asking(model: BaseChatModel, asking: Asking) -> None:
    """Note, for this process, how an endpoint took it; a model without an endpoint is found out anew each time."""
    endpoint = _endpoint_of(model)
    if all(endpoint):
        _known[endpoint] = asking


def asking_instead(model: BaseChatModel, asking: Asking, error: Exception) -> Asking | None:
    """Say how to ask after a refusal; None where the refusal is not about the way (a key, a limit, a fault of theirs)."""
    if getattr(error, "status_code", None) not in NOT_UNDERSTOOD:
        return None
    said = str(error)
    if asking.cold and _ABOUT_TEMPERATURE.search(said):
        return replace(asking, cold=False)
    about = {"json_schema": _ABOUT_FORMAT, "text": None}.get(asking.way, _ABOUT_TOOLS)
    if about is None or not about.search(said):
        return None
    ways = ways_of(model)
    return replace(asking, way=ways[ways.index(asking.way) + 1])


def asked_model(
    model: BaseChatModel, asking: Asking, schema: type[BaseModel]
) -> Runnable[LanguageModelInput, AIMessage]:
    """Give the model, bound to answer in a way; it never streams, and is at temperature 0 where it takes that."""
    quiet: dict[str, Any] = {"disable_streaming": True}
    if asking.cold and "temperature" in type(model).model_fields:
        quiet["temperature"] = 0.0
    still = model.model_copy(update=quiet)
    if asking.way == "text":
        return still
    shape = strict_schema(schema)
    if asking.way == "json_schema":
        named = {"name": TOOL_NAME, "schema": shape, "strict": True}
        return still.bind(response_format={"type": "json_schema", "json_schema": named})
    function = {"name": TOOL_NAME, "description": "Give the answer.", "parameters": shape}
    return still.bind_tools(
        [{"type": "function", "function": function}], tool_choice=TOOL_CHOICE.get(asking.way, TOOL_NAME)
    )


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Give a schema as strict endpoints want it: nothing referred to, every field required, no other field."""
    raw = schema.model_json_schema()
    shape = _strict(raw, raw.get("$defs", {}))
    return {name: part for name, part in shape.items() if name != "$defs"}


def _strict(part: Any, named: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_strict(each, named) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _strict(named[part["$ref"].removeprefix("#/$defs/")], named)
    kept = {name: each for name, each in part.items() if name not in ("title", "default", "$defs", "properties")}
    strict = {name: _strict(each, named) for name, each in kept.items()}
    if "properties" in part:
        strict.pop("description", None)  # the class's docstring, which is for those who read the code
        strict["properties"] = {name: _strict(each, named) for name, each in part["properties"].items()}
        strict |= {"required": list(part["properties"]), "additionalProperties": False}
    return strict


def _endpoint_of(model: BaseChatModel) -> Endpoint:
    place = next((str(at) for name in _PLACES if (at := getattr(model, name, None))), type(model).__module__)
    name = next((str(at) for field in _NAMES if isinstance(at := getattr(model, field, None), str)), "")
    return place, name


_PLACES = ("openai_api_base", "azure_endpoint", "base_url")
_NAMES = ("model_name", "model")
