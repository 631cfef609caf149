"""`jiyi bench window`: what long threads cost under each way to cut them, and what is kept of what was agreed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from graph.context import WindowStrategy
from jiyi.cli.failures import CommandError
from jiyi.cli.options import JsonOption
from jiyi.cli.output import say, say_json
from jiyi.cli.progress import progress
from jiyi.evals.columns import lined_up
from jiyi.evals.window import report
from jiyi.evals.window_chart import window_chart
from jiyi.evals.window_script import FULL_TURNS, LANGUAGES, script

if TYPE_CHECKING:
    from jiyi.evals.window_run import Course

STRATEGIES: tuple[WindowStrategy, ...] = get_args(WindowStrategy)
HEAD = ("", "tokens p50", "p95", "last", "cost", "kept in thread", "in prompt", "ms p50", "p95", "last/first", "MB")


def window(
    turns: Annotated[int, typer.Option(help="How long the threads are.")] = FULL_TURNS,
    strategy: Annotated[
        list[str] | None, typer.Option(help="Only these; all where not given.", show_default=False)
    ] = None,
    input_price: Annotated[float, typer.Option(min=0, help="Of a million tokens shown to a model.")] = 0.25,
    output_price: Annotated[float, typer.Option(min=0, help="Of a million tokens that it says.")] = 2.0,
    chart: Annotated[Path | None, typer.Option(help="Draw what is shown, turn by turn, into this SVG file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Hold a long scripted thread in each language under each strategy; tell what it costs and what is kept of what was agreed."""
    chosen = _chosen(strategy)
    try:
        scripts = {language: script(language, turns) for language in LANGUAGES}
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--turns") from error
    courses = asyncio.run(_courses(scripts, chosen))
    found = {
        f"{one.language} {one.strategy}": report(one, input_price=input_price, output_price=output_price)
        for one in courses
    }
    if chart:
        _draw(chart, courses)
    if as_json:
        say_json({"input_price": input_price, "output_price": output_price, "threads": found})
    else:
        say("\n".join(lined_up([HEAD, *(_row(name, one) for name, one in found.items())])))


def _chosen(names: Sequence[str] | None) -> tuple[WindowStrategy, ...]:
    unknown = [name for name in names or () if name not in STRATEGIES]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(STRATEGIES)}.", param_hint="--strategy")
    return tuple(one for one in STRATEGIES if not names or one in names)


async def _courses(scripts: dict[Any, Any], chosen: Sequence[WindowStrategy]) -> list[Course]:
    from jiyi.evals.window_run import run_thread  # noqa: PLC0415  (the graph: seconds)

    total = sum(len(lines) for lines in scripts.values())
    courses = []
    for strategy in chosen:
        with progress(strategy, total=total, what="turns") as done:
            for language, lines in scripts.items():
                courses.append(await run_thread(lines, language=language, strategy=strategy, on_done=done))
    return sorted(courses, key=lambda one: LANGUAGES.index(one.language))


def _row(name: str, found: dict[str, Any]) -> list[str]:
    tokens, kept, ms = found["tokens"], found["kept"], found["ms"]
    return [
        name,
        *(f"{tokens[part]:.0f}" for part in ("p50", "p95", "last")),
        f"{found['cost']:.4f}",
        f"{kept['thread']}/{kept['asked']}",
        f"{kept['prompt']}/{kept['asked']}",
        *(f"{ms[part]:.0f}" for part in ("p50", "p95")),
        f"{ms['last'] / ms['first']:.2f}",
        f"{found['mb']:.2f}",
    ]


def _draw(path: Path, courses: Sequence[Course]) -> None:
    panels: dict[str, dict[str, Sequence[int]]] = {
        language: {one.strategy: [turn.shown for turn in one.turns] for one in courses if one.language == language}
        for language in LANGUAGES
    }
    try:
        path.write_text(window_chart(panels), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"Cannot write the chart to {path}: {error}.") from error
