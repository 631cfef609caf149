"""Ranking: the row that answers comes first, for the reason that the signal is for."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.corpus import ODD, Corpus, Said, corpus_of
from memory.ranking.question import question_of
from memory.ranking.ranked import EVEN_SCORE, Situation, ranked, situation_of, weights
from memory.ranking.signals.meaning import Meant
from memory.ranking.table import GROUPS, signals_of

TALK = (
    ("Fern", "How is the new place?"),
    ("Moss", "I moved into the flat above the bakery last week"),
    ("Fern", "And the dogs?"),
    ("Moss", "They sleep all day"),
    ("Fern", "I bought a green bike on Monday"),
    ("Moss", "My bike was stolen yesterday"),
)
MAY, JUNE = datetime(2025, 5, 3, tzinfo=UTC).timestamp(), datetime(2025, 6, 3, tzinfo=UTC).timestamp()


def corpus(talk: tuple[tuple[str, str], ...] = TALK) -> Corpus:
    times = [MAY] * (len(talk) - 1) + [JUNE]
    return corpus_of(
        [
            Said(item=number, text=text, speaker=speaker, thread="t", position=number, said_at=times[number])
            for number, (speaker, text) in enumerate(talk)
        ]
    )


def first(query: str, *, without: frozenset[str] = frozenset()) -> str:
    rows = corpus()
    scores = ranked(rows, question_of(query, rows.names), None, without=without).scores
    return rows.said[int(np.argmax(scores))].text


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Who lives above a bakery?", "I moved into the flat above the bakery last week"),
        ("Which bike does Fern have?", "I bought a green bike on Monday"),
        ("What happened to Moss's bike?", "My bike was stolen yesterday"),
        ("When did Moss move?", "I moved into the flat above the bakery last week"),
    ],
)
def test_what_answers_comes_first(query: str, text: str) -> None:
    assert first(query) == text


def test_the_month_that_is_asked_for_decides() -> None:
    assert first("Which bike was it in June 2025?") == "My bike was stolen yesterday"
    assert first("Which bike was it in May 2025?") == "I bought a green bike on Monday"


IN_A_PROCESS = """
from tests.memory.ranking.test_ranked import corpus
from memory.ranking.question import question_of
from memory.ranking.ranked import ranked
things = [f"{one}{two}" for one in "bdfgklmnprtvz" for two in ("ax", "omt", "urk", "ind", "ebs", "omp", "aft", "irl")]
talk = tuple(("user", " ".join(things[(n % 13) * 8 :][: 5 + n % 4])) for n in range(200))
rows = corpus(talk)
print(ranked(rows, question_of("bax domt furk gind", rows.names), None).scores.tolist())
"""


def test_the_scores_are_the_same_in_every_process() -> None:
    root = Path(__file__).parents[3]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", IN_A_PROCESS],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2", "3")
    ]
    told = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(set(told)) == 1


def test_a_signal_that_is_left_out_does_not_count() -> None:
    assert first("Which bike does Fern have?", without=frozenset({"person"})) != ""
    rows = corpus()
    question = question_of("Which bike does Fern have?", rows.names)
    whole, less = ranked(rows, question, None), ranked(rows, question, None, without=frozenset({"person"}))
    assert (whole.scores[4] - whole.scores[5]) > (less.scores[4] - less.scores[5])
    assert "person" not in less.groups


def test_the_groups_add_up_to_the_score() -> None:
    rows = corpus()
    found = ranked(rows, question_of("Which bike does Fern have?", rows.names), None)
    total = sum(found.groups.values())
    assert found.scores == pytest.approx(1 / (1 + np.exp(EVEN_SCORE - total)))


def test_every_weight_is_of_a_signal_and_every_signal_of_a_group() -> None:
    rows = corpus()
    vectors = np.eye(6, 8, dtype=np.float32)
    meant = Meant(rows=vectors, whole=vectors[0], last=vectors[0], pieces=vectors[:1])
    names = set(signals_of(rows, question_of("bike", rows.names), meant))
    assert names == {name for group in GROUPS.values() for name in group}
    for situation in get_args(Situation):
        assert weights("with_meaning", situation).keys() | weights("words_only", situation).keys() <= names
        assert not {name for name in weights("words_only", situation) if name.startswith("meaning")}


@pytest.mark.parametrize(
    ("query", "talk", "situation"),
    [
        ("Which bike?", TALK, "several_voices"),
        ("Which bike?", (("user", "My bike was stolen"),), "one_voice"),
        ("Fern: I like to ride.\nAssistant: Where to?\nFern: To the lake.", TALK, "conversation"),
        ("小满：我想骑车。\n助手：去哪里？\n小满：去湖边。", TALK, "conversation"),
        ("Which bike?\nAnd the second one?", TALK, "several_voices"),
    ],
)
def test_which_weights_hold_follows_from_the_question_and_the_memory(
    query: str, talk: tuple[tuple[str, str], ...], situation: Situation
) -> None:
    rows = corpus(talk)
    assert situation_of(rows, question_of(query, rows.names)) == situation


def test_a_row_without_a_vector_is_neither_near_nor_far() -> None:
    rows = corpus()
    vectors = np.eye(6, 8, dtype=np.float32)
    vectors[3] = 0
    meant = Meant(rows=vectors, whole=vectors[1], last=vectors[1], pieces=vectors[1:2])
    signals = signals_of(rows, question_of("bakery", rows.names), meant)
    assert signals["meaning"][3] == pytest.approx(0, abs=1e-6)
    assert np.argmax(signals["meaning"]) == 1


@pytest.mark.parametrize("rows_there", [300, 3000])
def test_what_looks_unlike_the_rest_counts_no_more_for_there_being_more_of_it(rows_there: int) -> None:
    talk = (
        *[("user", f"第 {number} 天去湖边跑步") for number in range(rows_there)],
        ("user", "我买了 Apple Watch Ultra"),
    )
    rows = corpus_of(
        [
            Said(item=number, text=text, speaker=speaker, thread="t", position=number, said_at=None)
            for number, (speaker, text) in enumerate(talk)
        ]
    )
    form = ranked(rows, question_of("我的钥匙放在哪里？", rows.names), None).groups["form"]
    assert np.abs(form).max() < ODD * 2


@given(
    st.text(max_size=200),
    st.lists(st.tuples(st.sampled_from(["user", "Bo"]), st.text(max_size=60)), min_size=1, max_size=8),
)
def test_any_query_over_anything_gives_a_score_to_each_row(query: str, talk: list[tuple[str, str]]) -> None:
    rows = corpus(tuple(talk))
    scores = ranked(rows, question_of(query, rows.names), None).scores
    assert scores.shape == (len(talk),)
    assert ((scores >= 0) & (scores <= 1)).all()
