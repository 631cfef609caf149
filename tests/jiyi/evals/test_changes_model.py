"""What a model that reads a pair as it is labelled would propose, and that what is right then is not lost by us."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiyi.evals.changes import outcome
from jiyi.evals.changes_model import as_labelled
from jiyi.evals.changes_run import run_pairs
from tests.jiyi.evals.changes_made import pair

MOVED = (
    "Nights in Krems are long. How do I sleep?",
    "Zwettl gets dark at four. Which lamp?",
    "Krems",
    "Zwettl",
    "Where?",
)
GAVE_UP = ("在学吉他，手指疼", "吉他课停了", "弹吉他", "", "在学什么？")


def test_of_each_message_is_proposed_what_is_labelled() -> None:
    said = as_labelled(pair(key="user.lives_in", said=MOVED))
    told = [(one.value, one.quote, one.act) for one in said[MOVED[0]].memories]
    assert told == [("Krems", "Nights in Krems are long. How do I sleep?", "state")]
    assert [(one.value, one.act) for one in said[MOVED[1]].memories] == [("Zwettl", "state")]


def test_what_ended_is_taken_back_in_the_words_that_name_it() -> None:
    said = as_labelled(pair(key="user.learning", said=GAVE_UP, language="zh"))
    assert [(one.value, one.act) for one in said[GAVE_UP[1]].memories] == [("吉他", "retract")]


@pytest.mark.parametrize(("labelled", "expected"), [(False, "not learned"), (True, "updated")])
async def test_what_the_rules_do_not_read_is_learned_from_the_labels(
    labelled: bool, expected: str, tmp_path: Path
) -> None:
    one = pair(
        key="user.hobby", said=("Geocaching is my thing", "I quit geocaching", "Geocaching", "", "What do I do?")
    )
    (course,) = await run_pairs([one], labelled=labelled, beside=5, replays=1, folder=tmp_path)
    assert outcome(course) == expected
    assert course.grown == 0
