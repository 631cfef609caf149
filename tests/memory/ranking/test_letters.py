"""Letters: texts are alike by the runs of characters that they share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.corpus import Corpus, Said, corpus_of
from memory.ranking.letters import CJK_RUNS, KINDS, WORD_RUNS, runs_of
from memory.ranking.question import question_of
from memory.ranking.signals.letters import letters


def corpus(*texts: str, speaker: str = "user") -> Corpus:
    return corpus_of(
        [
            Said(item=number, text=text, speaker=speaker, thread="t", position=number, said_at=None)
            for number, text in enumerate(texts)
        ]
    )


def best(query: str, *texts: str) -> str:
    rows = corpus(*texts)
    return texts[int(np.argmax(letters(rows, question_of(query, rows.names))["letters"]))]


def test_a_word_has_the_runs_of_its_inside_and_of_its_ends() -> None:
    assert len(runs_of("kite")) == sum(len(" kite ") - length + 1 for length in WORD_RUNS)
    assert len(runs_of("放风筝")) == sum(3 - length + 1 for length in CJK_RUNS)
    assert runs_of("Kite!").tolist() == runs_of("kite").tolist() == runs_of("ｋｉｔｅ").tolist()
    assert len(runs_of("… 👍 ?")) == 0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Where is my surfbord?", "I left the surfboard at the club"),
        ("photography", "She photographs birds"),
        ("陶瓷课", "我报名了陶艺班"),
        ("养的猫叫什么", "小猫咪叫芝麻"),
    ],
)
def test_other_forms_and_slips_are_found(query: str, text: str) -> None:
    assert best(query, "The weather was fine", text, "今天下雨，在家看书") == text


def test_the_names_of_those_who_speak_do_not_count() -> None:
    rows = corpus("Fern is here", "a kite", speaker="Fern")
    values = letters(rows, question_of("Has Fern a kite?", rows.names))["letters"]
    assert values[1] > values[0]


@given(st.text(max_size=60), st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_any_text_gives_a_finite_number_for_each_row(query: str, texts: list[str]) -> None:
    rows = corpus(*texts)
    values = letters(rows, question_of(query, rows.names))["letters"]
    assert values.shape == (len(texts),)
    assert np.isfinite(values).all()
    assert ((runs_of(query) >= 0) & (runs_of(query) < KINDS)).all()
