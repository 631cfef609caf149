"""Texts: what of an item's value it is found by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from langgraph.store.base import get_text_at_path


def texts_of(value: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the value's `text`, or else all texts and numbers in it, joined."""
    text = value.get("text")
    if isinstance(text, str):
        return (text,)
    joined = "\n".join(_leaves(value))
    return (joined,) if joined else ()


def texts_at(value: Mapping[str, Any], paths: Sequence[str] | Literal[True]) -> tuple[str, ...]:
    """Give the texts at the paths (LangGraph's syntax: `a.b`, `items[*].text`, `$` for all)."""
    if paths is True:
        return texts_of(value)
    return tuple(text for path in paths for text in get_text_at_path(dict(value), path))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
