"""What a window costs and what it keeps: figures of long threads, put together."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jiyi.evals.window_run import Course, Turn

MEBIBYTE = 2**20
MILLION = 1_000_000
Report = dict[str, Any]


def report(course: Course, *, input_price: float, output_price: float) -> Report:
    """Put the figures of one thread together.

    Args:
        course: The thread.
        input_price: What a million tokens that a model is shown cost.
        output_price: What a million that it says cost.

    Returns:
        `tokens` shown a turn (`p50`, `p95`, `last`: the mean of the last twentieth), `cost` of the whole thread, how many
        of what was `asked` for could be read in the `thread` part of the prompt, and anywhere in the `prompt`; `ms` a turn
        (`p50`, `p95`, and of the `first` and the `last` fifth, whose ratio says whether it grows); `mb` of the threads
        file.
    """
    turns = course.turns
    shown = [turn.shown for turn in turns]
    asked = [turn for turn in turns if turn.in_prompt is not None]
    paid = sum(shown) * input_price + sum(turn.said for turn in turns) * output_price
    fifth = max(1, len(turns) // 5)
    return {
        "turns": len(turns),
        "tokens": {**_p50_p95(shown), "last": _mean(shown[-max(1, len(turns) // 20) :])},
        "cost": round(paid / MILLION, 4),
        "kept": {
            "asked": len(asked),
            "thread": sum(bool(turn.in_thread) for turn in asked),
            "prompt": sum(bool(turn.in_prompt) for turn in asked),
        },
        "ms": {
            **_p50_p95([turn.seconds * 1_000 for turn in turns]),
            "first": _ms(turns[:fifth]),
            "last": _ms(turns[-fifth:]),
        },
        "mb": round(course.thread_bytes / MEBIBYTE, 2),
    }


def _ms(turns: Sequence[Turn]) -> float:
    return _mean([turn.seconds * 1_000 for turn in turns])


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 1)


def _p50_p95(numbers: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(numbers, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}
