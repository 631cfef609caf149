"""Usage: what the prompts of a turn took, for a line on a terminal and for `--json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any


def usage_of(events: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Give what a turn took, from the events of its run; None where no model was called.

    The prompt is that of the last call, which holds those before it; `took` is what the model says of all `calls`
    together, None where it does not say it of each.
    """
    calls = [{name: told for name, told in one.items() if name != "event"} for one in events if _is_usage(one)]
    if not calls:
        return None
    took: Counter[str] = Counter()
    for call in calls:
        took.update(call["took"] or {})
    return {**calls[-1], "took": dict(took) if all(call["took"] for call in calls) else None, "calls": len(calls)}


def usage_line(taken: Mapping[str, Any]) -> str:
    """Write what a turn took in a line, the parts that are there by size."""
    parts = sorted(((size, name) for name, size in taken["parts"].items() if size), reverse=True)
    by_part = ", ".join(f"{name} {size:,}" for size, name in parts)
    counted = "estimated" if taken["counted_by"] == "estimate" else taken["counted_by"]
    full = f"{taken['current']:,} of {taken['max']:,} tokens ({taken['usage_percent']} %, {counted}): {by_part}"
    return f"[{full}{_calls(taken['calls'])}{_took(taken['took'])}]"


def _is_usage(event: Mapping[str, Any]) -> bool:
    return event.get("event") == "usage"


def _calls(number: int) -> str:
    return f"; {number} calls" if number > 1 else ""


def _took(took: Mapping[str, int] | None) -> str:
    if not took:
        return ""
    cached = f" ({took['cached_tokens']:,} cached)" if took.get("cached_tokens") else ""
    return f"; the model took {took['input_tokens']:,} in{cached}, {took['output_tokens']:,} out"
