"""Usage of a turn: of several calls it is the last prompt, and what all of them took."""

from __future__ import annotations

from typing import Any

from jiyi.cli.usage import usage_line, usage_of

TOOK = {"input_tokens": 1_000, "output_tokens": 20, "total_tokens": 1_020, "cached_tokens": 640}


def call(current: int, took: dict[str, int] | None, counted_by: str = "estimate") -> dict[str, Any]:
    return {
        "event": "usage",
        "counted_by": counted_by,
        "parts": {"system": 200, "facts": 0, "window": current - 210, "question": 10},
        "current": current,
        "max": 10_000,
        "remaining": 10_000 - current,
        "usage_percent": current / 100,
        "took": took,
    }


def test_a_turn_without_a_call_took_nothing() -> None:
    assert usage_of([{"event": "recalled", "memories": []}]) is None
    assert usage_of([]) is None


def test_of_several_calls_it_is_the_last_prompt_and_what_all_of_them_took() -> None:
    told = usage_of([call(1_000, TOOK), {"event": "recalled"}, call(1_500, {**TOOK, "input_tokens": 1_500})])

    assert told is not None
    assert (told["current"], told["calls"], "event" in told) == (1_500, 2, False)
    assert told["took"] == {"input_tokens": 2_500, "output_tokens": 40, "total_tokens": 2_040, "cached_tokens": 1_280}


def test_what_is_not_said_of_each_call_is_not_told_of_the_turn() -> None:
    told = usage_of([call(1_000, TOOK), call(1_500, None)])
    assert told is not None
    assert told["took"] is None


def test_the_line_says_how_full_it_is_and_what_fills_it() -> None:
    estimated, real = (
        usage_of([call(1_234, None)]),
        usage_of([call(1_000, TOOK, "o200k_base"), call(1_234, TOOK, "o200k_base")]),
    )

    assert estimated is not None
    assert real is not None
    assert usage_line(estimated) == (
        "[1,234 of 10,000 tokens (12.34 %, estimated): window 1,024, system 200, question 10]"
    )
    assert usage_line(real) == (
        "[1,234 of 10,000 tokens (12.34 %, o200k_base): window 1,024, system 200, question 10; 2 calls; "
        "the model took 2,000 in (1,280 cached), 40 out]"
    )
