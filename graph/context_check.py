"""Check of a run's context: LangGraph takes any value for any field, and a wrong one must not be taken in silence."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from graph.context import LAYERS, Context
from graph.identity import RunError

CHECKED_ELSEWHERE = frozenset({"user_id", "agent", "now", "timezone"})


def check_context(context: Context) -> None:
    """Refuse a field whose value means nothing.

    Raises:
        RunError: The field, what was found and what may stand there.
    """
    for name, kind in _kinds().items():
        value = getattr(context, name)
        try:
            kind.validate_python(value, strict=True)
        except ValidationError as error:
            raise RunError(f"Cannot run with {name}={value!r}: {error.errors()[0]['msg'].lower()}.") from error
    unknown = [layer for layer in context.layers if layer not in LAYERS]
    if unknown:
        raise RunError(f"Cannot run with layers={context.layers!r}: there are {', '.join(LAYERS)}.")
    for name in ("now", "timezone"):
        if not isinstance(getattr(context, name), str):
            raise RunError(f"Cannot run with {name}={getattr(context, name)!r}: give a text.")


@cache
def _kinds() -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(Context)
    return {one.name: TypeAdapter(hints[one.name]) for one in fields(Context) if one.name not in CHECKED_ELSEWHERE}
