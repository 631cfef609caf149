"""Intervals: seeded, over conversations, and never narrower than the data allow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.bootstrap import intervals
from jiyi.evals.metrics import Scored, macro, micro

shares = st.floats(0, 1)


def scored(corpus: str, category: str, value: float) -> Scored:
    return Scored(corpus=corpus, category=category, values={"mrr": value})


def test_the_same_seed_gives_the_same_and_another_one_nearly_the_same() -> None:
    ones = [scored("c", "a", number % 5 / 4) for number in range(40)]
    first, again, other = intervals(ones, seed=1), intervals(ones, seed=1), intervals(ones, seed=2)

    assert first == again
    assert first != other
    assert other["micro"]["mrr"] == pytest.approx(first["micro"]["mrr"], abs=0.03)


def test_what_never_varies_has_an_interval_of_no_width() -> None:
    ones = [scored(corpus, "a", 0.5) for corpus in ("c1", "c2", "c3")]

    assert intervals(ones)["macro"]["mrr"] == (0.5, 0.5)


def test_two_conversations_are_drawn_whole() -> None:
    """One of zeros and one of ones: a draw holds two of them, so its mean is 0, a half or 1, each often."""
    ones = [scored("c1", "a", 0)] * 50 + [scored("c2", "a", 1)] * 50

    assert intervals(ones)["micro"]["mrr"] == (0, 1)


def test_of_one_conversation_its_queries_are_drawn() -> None:
    low, high = intervals([scored("c", "a", number % 2) for number in range(100)])["micro"]["mrr"]

    assert 0.37 < low < 0.44
    assert 0.56 < high < 0.63


def test_a_category_that_a_draw_lacks_is_left_out_of_its_mean() -> None:
    ones = [scored("c1", "common", 1), scored("c2", "common", 1), scored("c3", "rare", 1)]

    assert intervals(ones)["macro"]["mrr"] == (1, 1)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("ab"), shares), min_size=1, max_size=20))
def test_an_interval_lies_within_what_was_measured(rows: list[tuple[str, str, float]]) -> None:
    ones = [scored(*row) for row in rows]
    found = intervals(ones, draws=50)

    for kind in ("micro", "macro"):
        low, high = found[kind]["mrr"]
        assert min(row[2] for row in rows) - 1e-9 <= low <= high <= max(row[2] for row in rows) + 1e-9


def test_the_mean_lies_in_its_interval() -> None:
    ones = [scored(f"c{number % 7}", "ab"[number % 2], (number * 37 % 10) / 10) for number in range(70)]
    found = intervals(ones)

    for kind, mean in (("micro", micro(ones)), ("macro", macro(ones))):
        low, high = found[kind]["mrr"]
        assert low <= mean["mrr"] <= high
