"""`jiyi bench window`: the script of a long thread, what is noted of it, and what is printed."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from graph.context import WindowStrategy
from jiyi.evals.window import report
from jiyi.evals.window_chart import window_chart
from jiyi.evals.window_run import Course, Turn, run_thread
from jiyi.evals.window_script import FULL_TURNS, LANGUAGES, Language, script
from tests.jiyi.command_line import jiyi

SHORT = 60


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turns", [SHORT, FULL_TURNS])
def test_each_agreement_is_said_once_and_asked_for_at_the_end(language: Language, turns: int) -> None:
    lines = script(language, turns)
    asked = [line for line in lines if line.answer]
    told = [line.text for line in lines if not line.answer]

    assert len(lines) == turns
    assert lines[-len(asked) :] == tuple(asked)
    assert all(sum(line.answer in text for text in told) == 1 for line in asked)
    assert not any(line.answer in line.text for line in asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_small_talk_is_said_twice(language: Language) -> None:
    told = [line.text for line in script(language)]

    assert len(set(told)) == len(told)


def test_too_short_a_thread_has_no_room_for_what_is_agreed() -> None:
    with pytest.raises(ValueError, match="need at least 60"):
        script("en", 59)


async def test_a_thread_notes_where_what_was_agreed_could_be_read() -> None:
    heard = [script("en", SHORT)[0], next(line for line in script("en", SHORT) if line.answer)]

    course = await run_thread(heard, language="en", strategy="budget")

    assert [turn.in_thread for turn in course.turns] == [
        None,
        True,
    ]  # the first turn of a short thread holds the first agreement
    assert course.turns[1].shown > course.turns[0].shown
    assert course.thread_bytes > 0


def test_figures_are_those_of_the_turns() -> None:
    asked = Turn(shown=300, said=10, seconds=0.03, in_thread=False, in_prompt=True)
    plain = Turn(shown=100, said=10, seconds=0.01, in_thread=None, in_prompt=None)
    course = Course(language="zh", strategy="fixed", turns=(plain, plain, plain, asked), thread_bytes=2**20)

    found = report(course, input_price=1.0, output_price=10.0)

    assert found["cost"] == pytest.approx(0.001)
    assert found["kept"] == {"asked": 1, "thread": 0, "prompt": 1}
    assert (found["tokens"]["p50"], found["tokens"]["last"], found["mb"]) == (100, 300, 1)
    assert (found["ms"]["first"], found["ms"]["last"]) == (10, 30)


def test_the_chart_has_a_line_for_each_strategy() -> None:
    drawn = window_chart({"zh": {"fixed": [1, 2, 3], "summary": [2, 2, 2]}})

    assert drawn.count("<polyline") == len(("fixed", "summary"))
    assert drawn.startswith("<svg")


@pytest.mark.slow
def test_the_command_prints_a_row_for_each_language_and_draws(tmp_path: Path) -> None:
    chart = tmp_path / "window.svg"

    done = jiyi("bench", "window", "--turns", str(SHORT), "--strategy", "fixed", "--chart", chart)

    assert done.status == 0
    assert [row.split()[:2] for row in done.out.splitlines()[1:]] == [["zh", "fixed"], ["en", "fixed"]]
    assert chart.read_text(encoding="utf-8").startswith("<svg")


def test_an_unknown_strategy_is_refused_with_those_that_there_are() -> None:
    done = jiyi("bench", "window", "--strategy", "elastic")

    assert done.status != 0
    assert all(name in done.err for name in get_args(WindowStrategy))
