"""Metrics: exact examples, and what holds for every ranking."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.metrics import (
    CUTS,
    NAMES,
    Scored,
    by_category,
    macro,
    measured,
    micro,
    ndcg_at,
    percentile,
    recall_all_at,
    recall_at,
    reciprocal_rank,
)

ids = st.sampled_from([f"t{number}" for number in range(60)])
rankings = st.lists(ids, unique=True)
golds = st.lists(ids, unique=True, min_size=1, max_size=12)


def scored(category: str, value: float, corpus: str = "c") -> Scored:
    return Scored(corpus=corpus, category=category, values={"mrr": value})


def test_of_two_golds_one_found_third_is_half_the_recall_and_a_third_of_a_rank() -> None:
    ranked, gold = ["a", "b", "c", "d"], ["c", "x"]

    assert recall_at(2, ranked, gold) == 0
    assert recall_at(3, ranked, gold) == 0.5
    assert recall_all_at(4, ranked, gold) == 0
    assert reciprocal_rank(ranked, gold) == pytest.approx(1 / 3)
    assert ndcg_at(10, ranked, gold) == pytest.approx(0.5 / (1 + 1 / math.log2(3)))


def test_all_golds_are_recalled_only_once_the_last_is_in() -> None:
    ranked, gold = ["a", "b", "c"], ["a", "c"]

    assert [recall_all_at(k, ranked, gold) for k in (1, 2, 3)] == [0, 0, 1]
    assert [recall_at(k, ranked, gold) for k in (1, 2, 3)] == [0.5, 0.5, 1]


def test_golds_first_gain_everything_even_where_there_are_more_than_count() -> None:
    gold = [f"g{number}" for number in range(14)]

    assert ndcg_at(10, gold, gold) == 1
    assert recall_at(10, gold, gold) == pytest.approx(10 / 14)


def test_a_hit_on_the_second_place_gains_a_logarithm_less() -> None:
    assert ndcg_at(10, ["x", "g"], ["g"]) == pytest.approx(1 / math.log2(3))
    assert ndcg_at(10, ["x"] * 10 + ["g"], ["g"]) == 0


def test_micro_counts_queries_and_macro_counts_categories() -> None:
    ones = [scored("easy", 1), scored("easy", 1), scored("easy", 1), scored("hard", 0)]

    assert micro(ones) == {"mrr": 0.75}
    assert macro(ones) == {"mrr": 0.5}
    assert {name: len(group) for name, group in by_category(ones).items()} == {"easy": 3, "hard": 1}


def test_a_percentile_is_a_value_that_was_measured() -> None:
    assert [percentile([4, 1, 3, 2], percent) for percent in (0, 25, 50, 51, 95, 100)] == [1, 1, 2, 3, 4, 4]
    assert percentile([], 50) == 0


@given(rankings, golds)
def test_every_metric_is_a_share_and_deeper_never_finds_less(ranked: list[str], gold: list[str]) -> None:
    values = measured(ranked, gold)

    assert tuple(values) == NAMES
    assert all(0 <= value <= 1 for value in values.values())
    for less, more in pairwise(CUTS):
        assert values[f"recall@{less}"] <= values[f"recall@{more}"]
        assert values[f"recall_all@{less}"] <= values[f"recall_all@{more}"]


@given(rankings, golds)
def test_all_is_recalled_exactly_where_recall_is_whole(ranked: list[str], gold: list[str]) -> None:
    for k in CUTS:
        assert (recall_all_at(k, ranked, gold) == 1) == (recall_at(k, ranked, gold) == 1)


@given(rankings, golds)
def test_everything_is_best_where_gold_comes_first_and_nothing_where_it_is_missing(
    others: list[str], gold: list[str]
) -> None:
    rest = [one for one in others if one not in gold]
    best, worst = measured([*gold, *rest], gold), measured(rest, gold)

    assert best["ndcg@10"] == pytest.approx(1)
    assert best["mrr"] == best["recall_all@50"] == 1
    assert set(worst.values()) == {0}


@given(st.permutations(range(12)), golds)
def test_moving_a_hit_up_never_costs_anything(order: list[int], gold: list[str]) -> None:
    ranked = [f"t{number}" for number in order]
    at = next((at for at, one in enumerate(ranked) if at and one in gold and ranked[at - 1] not in gold), None)
    if at is None:
        return
    moved = [*ranked[: at - 1], ranked[at], ranked[at - 1], *ranked[at + 1 :]]

    assert all(measured(moved, gold)[name] >= value for name, value in measured(ranked, gold).items())
