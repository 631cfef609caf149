"""The tools a model was given, read off their schemas: what they are called, whether they only read, what they need."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memory.words import words_of

Schema = Mapping[str, Any]
Deed = Literal["cancel", "refund", "send", "create", "update", "delete", "pay"]

DEED_WORDS: Mapping[Deed, frozenset[str]] = {
    "cancel": frozenset({"cancel", "revoke", "abort"}),
    "refund": frozenset({"refund"}),
    "send": frozenset({"send", "notify", "notification", "email", "post"}),
    "update": frozenset({"update", "change", "edit", "modify", "set", "write"}),
    "delete": frozenset({"delete", "remove", "drop", "forget"}),
    "pay": frozenset({"pay", "charge", "buy", "purchase"}),
    "create": frozenset({"create", "add", "open", "book", "place", "new", "make"}),
}
_NOUNS_TOO = frozenset(
    {"refund", "notification", "email", "post", "purchase", "charge", "change", "set", "order", "book"}
)
_READING = frozenset(
    {
        "status",
        "state",
        "track",
        "tracking",
        "query",
        "get",
        "list",
        "find",
        "search",
        "lookup",
        "check",
        "read",
        "show",
    }
    | {"calculate", "compute", "count", "estimate", "info", "details", "history", "progress"}
)
_READING_ZH = re.compile(r"^\W*(?:只读|查询|查看|查找|搜索|检索|计算|获取|列出)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, kw_only=True)
class BoundTool:
    """A tool as its schema tells of it."""

    name: str
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...]

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """Say what it does to the world, by its name, the most telling first; () when it only reads or is unclear."""
        if self.only_reads:
            return ()
        words = set(name_words(self.name))
        return tuple(deed for deed, verbs in DEED_WORDS.items() if not verbs.isdisjoint(words))

    @property
    def only_reads(self) -> bool:
        """Tell whether it changes nothing, by its name and, where that says nothing, its description."""
        words = name_words(self.name)
        first, last = words[0], words[-1]
        deeds = frozenset().union(*DEED_WORDS.values())
        if last in deeds or (first in deeds and first not in _NOUNS_TOO):
            return False
        if _READING & {first, last}:
            return True
        opening = words_of(self.description)[:1]
        return bool(_READING.intersection(opening)) or _READING_ZH.match(self.description) is not None


def bound_tools(schemas: Sequence[Schema]) -> list[BoundTool]:
    """Read OpenAI-style function schemas; what is no function is passed over."""
    return [_bound_tool(schema["function"]) for schema in schemas if isinstance(schema.get("function"), Mapping)]


def same_tool(one: str, other: str) -> bool:
    """Tell whether two spellings name the same tool (`orderService.status`, `orderService_status`)."""
    return _NOT_A_NAME.sub("_", one).casefold() == _NOT_A_NAME.sub("_", other).casefold()


def name_words(name: str) -> list[str]:
    """Split a name in camel or snake case into its lower-case words; at least one."""
    spaced = _CAMEL.sub(" ", name)
    return [word.casefold() for word in re.split(r"[\W_]+", spaced) if word] or [name]


def _bound_tool(function: Schema) -> BoundTool:
    parameters = function.get("parameters") or {}
    return BoundTool(
        name=function["name"],
        description=function.get("description") or "",
        properties=parameters.get("properties") or {},
        required=tuple(parameters.get("required") or ()),
    )
