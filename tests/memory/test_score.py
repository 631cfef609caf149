"""The weightings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.score import attention, weighted_by_age, weighted_by_use

part = st.floats(0, 1)


def test_use_similarity_and_recency_add_up() -> None:
    parts = weighted_by_use(similarity=0.5, idle_days=1, uses=5)
    assert (parts.similarity, parts.recency, parts.frequency) == (0.5, 0.5, 0.5)
    assert parts.total == pytest.approx(0.5)


def test_what_is_near_fresh_and_often_used_scores_one() -> None:
    assert weighted_by_use(similarity=1, idle_days=0, uses=40).total == pytest.approx(1)


def test_age_counts_by_e_to_the_minus_a_month() -> None:
    parts = weighted_by_age(similarity=1, idle_days=30)
    assert parts.total == pytest.approx(0.7 + 0.3 * math.exp(-1))
    assert parts.frequency == 0


def test_an_unknown_time_counts_half() -> None:
    assert weighted_by_use(similarity=0, idle_days=None, uses=0).total == pytest.approx(0.15)
    assert weighted_by_age(similarity=0, idle_days=None).total == pytest.approx(0.15)


def test_attention_weighs_relevance_most() -> None:
    assert attention(relevance=1, importance=0, recency=0) == 0.5
    assert attention(relevance=0, importance=1, recency=0) == 0.3
    assert attention(relevance=0, importance=0, recency=1) == 0.2


@given(st.floats(-1, 2), st.none() | st.floats(-10, 5000), st.integers(0, 1000))
def test_every_part_and_total_is_between_nought_and_one(near: float, idle: float | None, uses: int) -> None:
    for parts in (
        weighted_by_use(similarity=near, idle_days=idle, uses=uses),
        weighted_by_age(similarity=near, idle_days=idle),
    ):
        assert all(0 <= each <= 1 + 1e-9 for each in vars(parts).values())


@given(part, part, st.floats(0, 1000), st.floats(0, 1000), st.integers(0, 20), st.integers(0, 20))
def test_nearer_fresher_and_more_used_never_scores_less(
    near: float, more: float, idle: float, older: float, uses: int, more_uses: int
) -> None:
    low = weighted_by_use(similarity=min(near, more), idle_days=idle + older, uses=uses)
    high = weighted_by_use(similarity=max(near, more), idle_days=idle, uses=uses + more_uses)
    assert low.total <= high.total
