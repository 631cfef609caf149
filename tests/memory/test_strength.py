"""The forgetting curve."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.kinds import Episode
from memory.strength import RECALLED_FROM, is_faded, retention, retention_of

NOW = datetime(2024, 5, 6, tzinfo=UTC)
days, weights, uses = st.floats(0, 3000), st.floats(0, 1), st.integers(0, 500)


def test_what_matters_fully_and_was_never_used_is_at_a_third_after_a_month() -> None:
    assert retention(idle_days=30, importance=1, uses=0) == pytest.approx(math.exp(-1))


def test_using_it_makes_it_last() -> None:
    assert retention(idle_days=30, importance=1, uses=9) == pytest.approx(math.exp(-1 / (1 + math.log(10))))


def test_nothing_matters_less_than_a_tenth() -> None:
    assert retention(idle_days=3, importance=0, uses=0) == pytest.approx(math.exp(-1))


def test_an_ordinary_episode_comes_to_mind_for_ten_days_and_is_archived_after_three_weeks() -> None:
    left = [retention(idle_days=day, importance=0.3, uses=0) for day in (10, 11, 20, 21)]
    assert [each >= RECALLED_FROM for each in left] == [True, False, False, False]
    assert [is_faded(each) for each in left] == [False, False, False, True]


def test_an_episode_fades_from_its_last_use_and_one_of_unknown_time_does_not() -> None:
    said = Episode(id="e", speaker="user", text="x", thread_id="t", turn_id="u", position=0, importance=1)
    old = Episode(**{**vars(said), "said_at": NOW - timedelta(days=30)})
    used = Episode(**{**vars(old), "last_used_at": NOW})
    assert retention_of(said, now=NOW) == retention_of(used, now=NOW) == 1
    assert retention_of(old, now=NOW) == pytest.approx(math.exp(-1))


@given(days, weights, uses, days, weights, uses)
def test_time_weakens_and_importance_and_use_strengthen(
    idle: float, importance: float, used: int, more_days: float, other: float, more_uses: int
) -> None:
    left = retention(idle_days=idle, importance=importance, uses=used)
    assert 0 <= retention(idle_days=idle + more_days, importance=importance, uses=used) <= left <= 1
    assert retention(idle_days=idle, importance=max(importance, other), uses=used + more_uses) >= left
