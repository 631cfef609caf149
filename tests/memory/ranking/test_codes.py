"""Codes: whoever types one means it, and nothing like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.corpus import Said, corpus_of
from memory.ranking.question import question_of
from memory.ranking.signals.codes import codes, codes_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it stops with ERR-4471 again", {"err-4471"}),
        ("订单#8842到哪了", {"8842"}),
        ("订单8842到哪了", {"8842"}),
        ("Who calls orderService.cancel?", {"orderservice.cancel"}),
        ("型号是X200吗", {"x200"}),
        ("What did I say in May 2023 about the 3rd of June at 5pm?", set()),
        ("2023年5月3日我说了什么", set()),
        ("Which of the 12 cats was ill?", set()),
        ("he/she, e.g. both, i.e. all", set()),
    ],
)
def test_codes_are_told_from_words_counts_and_dates(text: str, found: set[str]) -> None:
    assert codes_of(text) == found


def test_a_row_has_a_code_only_where_it_stands_whole() -> None:
    texts = ("ERR-4471 again", "ERR-44719", "order 8842, ERR-4471", "我的订单8842")
    rows = corpus_of(
        [
            Said(item=number, text=text, speaker="user", thread="t", position=number, said_at=None)
            for number, text in enumerate(texts)
        ]
    )
    assert codes(rows, question_of("ERR-4471?", rows.names))["codes"].tolist() == [1, 0, 1, 0]
    assert codes(rows, question_of("#8842 and err-4471", rows.names))["codes"].tolist() == [0.5, 0, 1, 0.5]


@given(st.text(max_size=80))
def test_any_text_has_codes_that_stand_in_it(text: str) -> None:
    rows = corpus_of([Said(item=1, text=text, speaker="user", thread="t", position=0, said_at=None)])
    question = question_of(text, rows.names)
    (value,) = codes(rows, question)["codes"]
    assert 0 <= value <= 1
