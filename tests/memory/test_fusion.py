"""Fusion: one score from words and meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.fusion import Baseline, baseline_of, fuse, lexical_score, lexical_weight, rarity, semantic_score

shares = st.floats(0, 1)
scores = st.dictionaries(st.integers(0, 9), shares, max_size=8)


def test_an_item_found_by_words_only_is_never_lost() -> None:
    ranked = fuse({1: 1.0}, {2: 0.2, 3: 0.1}, weight=0.5)
    assert [(one.item, one.score) for one in ranked] == [(1, 0.5), (2, 0.1), (3, 0.05)]


def test_whoever_types_an_identifier_means_it() -> None:
    sentence = dict.fromkeys(("where", "my", "parcel", "went"), 1.0)
    assert lexical_weight(sentence) == pytest.approx(0.3)
    assert lexical_weight({"杭州": 1.0}) == pytest.approx(0.5)
    assert lexical_weight({"#8842": 2.0, "8842": 2.0}) == pytest.approx(0.9)
    assert lexical_weight(sentence) < lexical_weight({**sentence, "err-4471": 1.0}) < 0.5
    assert lexical_weight({}) == pytest.approx(0.3)


def test_without_any_meaning_words_count_fully() -> None:
    assert [(one.item, one.score) for one in fuse({1: 0.4, 2: 0.8}, {})] == [(2, 0.8), (1, 0.4)]


def test_equals_stand_in_the_order_in_which_they_were_kept() -> None:
    assert [one.item for one in fuse({3: 0.5, 1: 0.5, 2: 0.5}, {})] == [1, 2, 3]


@given(scores, scores)
def test_every_item_of_either_kind_is_ranked_once_from_best_to_worst(
    lexical: dict[int, float], semantic: dict[int, float]
) -> None:
    ranked = fuse(lexical, semantic)
    assert {one.item for one in ranked} == lexical.keys() | semantic.keys()
    assert len(ranked) == len({one.item for one in ranked})
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert all(0 <= one.score <= 1 for one in ranked)


@given(scores, scores.filter(bool), st.integers(0, 9), shares)
def test_fitting_better_never_lowers_a_score(
    lexical: dict[int, float], semantic: dict[int, float], item: int, more: float
) -> None:
    before = {one.item: one.score for one in fuse(lexical, semantic)}
    better = {**lexical, item: max(lexical.get(item, 0.0), more)}
    after = {one.item: one.score for one in fuse(better, semantic)}
    assert after[item] >= before.get(item, 0.0)


def test_a_rare_word_tells_more_than_a_common_one_and_every_word_tells_something() -> None:
    assert (
        rarity(documents=100, with_word=1)
        > rarity(documents=100, with_word=50)
        > rarity(documents=100, with_word=100)
        > 0
    )
    assert rarity(documents=0, with_word=0) > 0


def test_a_word_that_is_nowhere_hardly_lessens_how_a_text_fits() -> None:
    nowhere, somewhere = rarity(documents=100, with_word=0), rarity(documents=100, with_word=1)
    assert nowhere == pytest.approx(somewhere / 5)
    assert lexical_score({"猫": somewhere, "x": nowhere, "y": nowhere}, ["猫"]) > 0.7


def test_a_word_in_every_text_of_a_small_memory_still_counts() -> None:
    assert rarity(documents=10, with_word=10) == pytest.approx(0.3)


def test_all_asked_words_make_one_and_saying_one_often_does_not_make_up_for_another() -> None:
    asked = {"green": 1.0, "tea": 1.0}
    assert lexical_score(asked, ["green", "tea"]) == pytest.approx(1.0)
    assert lexical_score(asked, ["tea"]) == pytest.approx(0.5)
    assert 0.5 < lexical_score(asked, ["tea"] * 50) < 1
    assert lexical_score(asked, ["black", "coffee"]) == 0
    assert lexical_score({}, ["tea"]) == 0


def test_a_words_frequency_changes_the_score() -> None:
    asked = {"green": 1.0, "tea": 1.0}
    assert lexical_score(asked, ["tea", "tea"]) > lexical_score(asked, ["tea"])


@given(st.dictionaries(st.sampled_from("abc"), st.floats(0.01, 9), min_size=1), st.lists(st.sampled_from("abcd")))
def test_a_share_of_words_is_a_share(asked: dict[str, float], words: list[str]) -> None:
    assert 0 <= lexical_score(asked, words) <= 1


def test_meaning_counts_by_how_far_it_stands_above_the_unrelated() -> None:
    baseline = Baseline(mean=0.8, spread=0.02)
    assert semantic_score(0.8, baseline) == 0
    assert semantic_score(0.86, baseline) == pytest.approx(0.5)
    assert semantic_score(0.95, baseline) == 1
    assert semantic_score(0.1, baseline) == 0


def test_the_baseline_is_the_mean_and_spread_of_the_unrelated() -> None:
    baseline = baseline_of([0.7, 0.9])
    assert [baseline.mean, baseline.spread] == pytest.approx([0.8, 0.1])
    assert semantic_score(0.8, baseline_of([0.8, 0.8])) == 0  # no spread is no division by zero


@given(st.floats(-1, 1), st.floats(-1, 1), st.lists(st.floats(-1, 1), min_size=1, max_size=9))
def test_more_similar_is_never_less(one: float, other: float, unrelated: list[float]) -> None:
    baseline = baseline_of(unrelated)
    low, high = sorted((one, other))
    assert 0 <= semantic_score(low, baseline) <= semantic_score(high, baseline) <= 1
