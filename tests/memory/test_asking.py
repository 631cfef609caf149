import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.asking import BEGINS, tells_after_asking


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("im a nurse in leeds can you plan my lunches", "can you plan my lunches"),
        ("my dad is 70 what should i get him", "what should i get him"),
        ("i hate eggs any ideas", "any ideas"),
    ],
)
def test_a_question_is_found_though_no_stop_stands_before_it(said: str, question: str) -> None:
    found = re.search(BEGINS, said)
    assert found
    assert said[found.start() :] == question


@pytest.mark.parametrize("said", ["my dog is a beagle", "i know my way", "she lives in a small town"])
def test_a_statement_holds_no_question(said: str) -> None:
    assert re.search(BEGINS, said) is None


def test_what_is_told_after_a_question_is_told_not_asked() -> None:
    assert tells_after_asking("any ideas for my dad, he's 70 and loves fishing?")
    assert not tells_after_asking("do i live in paris, or in rome?")
    assert not tells_after_asking("i live in paris, right?")


@given(st.text())
def test_any_sentence_may_be_looked_at(sentence: str) -> None:
    assert tells_after_asking(sentence) in (True, False)
