"""Abstention: small talk and what was never said get nothing, a question that something answers keeps its memories."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.abstention import EVIDENT, FAR_BEHIND, Help, helps, shown, weights
from memory.ranking.asking import asks, is_courtesy, is_own, is_task
from memory.ranking.corpus import Corpus, Said, corpus_of
from memory.ranking.evidence import LEAST_NEAR, NAMES, Evidence, evidence, repeated
from memory.ranking.question import question_of
from memory.ranking.ranked import ranked

TALK = (
    ("Fern", "I moved into the flat above the bakery last week"),
    ("Moss", "The parcel RX-2048 is at the post office"),
    ("Fern", "我养了一只叫豆豆的猫"),
    ("Moss", "周末想去爬山"),
)


def corpus(talk: tuple[tuple[str, str], ...] = TALK) -> Corpus:
    return corpus_of(
        [
            Said(item=number, text=text, speaker=speaker, thread="t", position=number, said_at=None)
            for number, (speaker, text) in enumerate(talk)
        ]
    )


def seen(query: str, *, nearest: float | None = None) -> Evidence:
    rows = corpus()
    question = question_of(query, rows.names)
    scores = ranked(rows, question, None).scores
    near = None if nearest is None else np.array([0.0, nearest, 0.0, 0.0])
    return evidence(rows, question, scores, near=near)


@pytest.mark.parametrize(
    ("query", "nearest"),
    [
        ("Who lives above a bakery?", 0.6),
        ("Where is my parcel RX-2048?", 0.6),
        ("bakery", 0.5),
        ("豆豆是什么动物？", 0.6),
        ("我周末想做什么？", 0.6),
        ("爬山", 0.6),
        ("猫", 0.5),
    ],
)
def test_what_something_answers_is_helped_with_and_without_vectors(query: str, nearest: float) -> None:
    assert helps(seen(query, nearest=nearest)).is_likely
    assert helps(seen(query)).is_likely


@pytest.mark.parametrize(
    "query",
    [
        "What is 14 times 12?",
        "Translate this into French: good morning to all of you",
        "much appreciated, you are a gem",
        "Who invented the telephone?",
        "把这句话翻译成法语：天气真好",
        "二十五的平方是多少",
        "帮我写一首关于秋天的诗",
        "好久不见呀",
    ],
)
def test_small_talk_and_tasks_are_not(query: str) -> None:
    assert not helps(seen(query, nearest=0.15)).is_likely
    assert not helps(seen(query)).is_likely


def test_a_question_about_something_else_altogether_is_not() -> None:
    for query in ("Which orchestra plays the overture?", "交响乐团的指挥是哪国人？"):
        assert not helps(seen(query)).is_likely
        assert helps(seen(query, nearest=0.1)).probability < helps(seen(query, nearest=0.6)).probability


def test_a_number_that_stands_nowhere_speaks_against_help() -> None:
    assert seen("Where is the parcel RX-2049?")["foreign"] == 1
    assert seen("Where is the parcel RX-2048?")["foreign"] == 0
    assert seen("包裹 RX-2049 在哪里？")["foreign"] == 1
    assert weights("with_meaning").of["foreign"] < 0


def test_near_is_that_of_the_nearest_row_but_never_next_to_nothing() -> None:
    assert seen("bakery", nearest=0.5)["near"] == pytest.approx(0.5)
    assert seen("bakery", nearest=-0.3)["near"] == seen("bakery", nearest=0.0)["near"] == LEAST_NEAR
    assert "near" not in seen("bakery")


def test_the_question_itself_does_not_answer_it() -> None:
    rows = corpus((*TALK[:2], ("Fern", "Where is the tent?"), ("Fern", "帐篷在哪里？")))
    for query, row in (("Where is the tent?", 2), ("帐篷在哪里？", 3), ("We went camping\nWhere is the tent?", 2)):
        question = question_of(query, rows.names)
        left_out = repeated(rows, question)
        assert [int(at) for at in np.flatnonzero(left_out)] == [row]
        scores = ranked(rows, question, None).scores
        without = evidence(rows, question, scores, left_out=left_out)
        assert without["matched"] == 0 < evidence(rows, question, scores)["matched"]


@pytest.mark.parametrize(
    ("text", "courtesy", "task", "own", "asked"),
    [
        ("thanks a lot", True, False, False, False),
        ("谢谢你", True, False, False, False),
        ("Write a poem about rain", False, True, False, False),
        ("写一首关于雨的诗", False, True, False, False),
        ("Which error did the machine show?", False, False, False, True),
        ("机器报了什么错？", False, False, False, True),
        ("Remember what I told you about the boat", False, False, True, True),
        ("我上次说的那条船", False, False, True, False),
        ("给我讲个笑话", False, True, False, False),
        ("tell me a joke", False, True, False, False),
    ],
)
def test_wordings_are_told_apart_in_both_languages(
    text: str, courtesy: bool, task: bool, own: bool, asked: bool
) -> None:
    assert (is_courtesy(text), is_task(text), is_own(text), asks(text)) == (courtesy, task, own, asked)


def test_items_far_behind_the_best_are_not_shown_nor_those_for_which_nothing_speaks() -> None:
    far = 5.0 - FAR_BEHIND - 0.1
    assert shown([5.0, 4.0, far], [True, True, True]) == [True, True, False]
    assert shown([1.0, 0.5, EVIDENT - 1], [True, False, False]) == [True, False, False]
    assert shown([4.0, EVIDENT], [False, False]) == [True, True]
    assert shown([], []) == []


@given(st.lists(st.tuples(st.floats(-20, 20), st.booleans()), max_size=12))
def test_what_is_better_and_bears_as_much_is_shown_as_well(items: list[tuple[float, bool]]) -> None:
    marks = shown([odds for odds, _ in items], [bears for _, bears in items])
    for (odds, bears), is_shown in zip(items, marks, strict=True):
        better = [mark for (other, too), mark in zip(items, marks, strict=True) if other >= odds and too >= bears]
        assert not is_shown or all(better)


@given(st.text(max_size=200), st.floats(0, 1))
def test_any_query_has_a_probability_and_all_evidence(query: str, nearest: float) -> None:
    found = seen(query, nearest=nearest)
    assert set(found) == set(NAMES)
    assert 0 <= helps(found).probability <= 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_nearer_is_never_less_helpful(one: float, other: float) -> None:
    less, more = (helps(seen("bakery", nearest=at)).probability for at in sorted((one, other)))
    assert less <= more


def test_the_weights_are_of_evidence_that_there_is() -> None:
    assert set(weights("with_meaning").of) == set(NAMES)
    assert set(weights("words_only").of) == set(NAMES) - {"near"}
    assert Help(probability=0.5, least=0.5).is_likely
    assert not Help(probability=0.4, least=0.5).is_likely
