"""The corpus: rows in order, terms counted, neighbours only within a thread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.corpus import Said, corpus_of, standard
from memory.ranking.terms import terms_of


def said(item: int, text: str, *, thread: str = "t", speaker: str = "user") -> Said:
    return Said(item=item, text=text, speaker=speaker, thread=thread, position=item, said_at=None)


def test_words_lose_their_endings_and_chinese_is_split_in_pairs() -> None:
    assert terms_of("She painted two paintings") == ["paint", "two", "paint"]
    assert terms_of("我养了一只猫") == ["我养", "养了", "了一", "一只", "只猫"]
    assert terms_of("the err-4471 of #8842") == ["err-4471", "err", "4471", "#8842"]
    assert terms_of("") == terms_of("of the") == []


def test_rows_stand_in_the_order_of_threads_and_positions() -> None:
    corpus = corpus_of([said(3, "c"), said(9, "x", thread="s"), said(1, "a")])
    assert corpus.items.tolist() == [9, 1, 3]
    assert len(corpus) == 3


def test_a_term_is_counted_where_it_stands() -> None:
    corpus = corpus_of([said(1, "kite kite"), said(2, "attic"), said(3, "kite")])
    assert corpus.count("kite").tolist() == [2, 0, 1]
    assert corpus.count("ghost").tolist() == [0, 0, 0]
    assert corpus.rarity("attic") > corpus.rarity("kite") > corpus.rarity("ghost") == 0


def test_a_neighbour_is_of_the_same_thread() -> None:
    corpus = corpus_of([said(1, "a"), said(2, "b"), said(3, "c", thread="u")])
    values = np.array([1.0, 2.0, 4.0])
    assert corpus.shifted(values, 1).tolist() == [2, 0, 0]
    assert corpus.shifted(values, -1).tolist() == [0, 1, 0]
    assert corpus.shifted(values, 7).tolist() == [0, 0, 0]


def test_a_text_that_has_been_split_is_not_split_again_unless_it_reads_otherwise_now() -> None:
    before = corpus_of([said(1, "kite"), said(2, "attic")])
    marked = replace(before, terms=(("other",), ("another",)))
    corpus = corpus_of([said(1, "kite"), said(2, "cellar")], marked)
    assert corpus.terms == (("other",), ("cellar",))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_standard_values_have_no_mean_and_are_0_where_all_are_equal(values: list[float]) -> None:
    standing = standard(np.array(values))
    assert abs(standing.mean()) < 1e-6
    assert not standard(np.full(3, 7.0)).any()
