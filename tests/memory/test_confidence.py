"""How sure saying it again makes us."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.confidence import EXPLICIT, MOST, PLAIN, UNSURE, Said, fold_confidence

MONDAY = datetime(2024, 5, 6, 9, tzinfo=UTC)
said = st.tuples(
    st.sampled_from(["a", "b"]),
    st.integers(0, 96).map(lambda hours: MONDAY + timedelta(hours=hours)),
    st.floats(0, 1),
)


def test_the_stated_scale_is_ordered() -> None:
    assert (EXPLICIT, PLAIN, UNSURE) == (0.9, 0.75, 0.4)


def test_saying_it_twice_in_one_thread_and_day_counts_with_the_greater() -> None:
    assert fold_confidence([("a", MONDAY, 0.7), ("a", MONDAY + timedelta(hours=3), 0.8)]) == pytest.approx(0.8)


def test_saying_it_on_two_days_adds_up() -> None:
    assert fold_confidence([("a", MONDAY, 0.7), ("a", MONDAY + timedelta(days=1), 0.8)]) == pytest.approx(0.94)


def test_saying_it_in_two_threads_adds_up() -> None:
    assert fold_confidence([("a", MONDAY, 0.7), ("b", MONDAY, 0.8)]) == pytest.approx(0.94)


def test_a_day_is_a_day_in_utc_whatever_the_zone_it_was_said_in() -> None:
    elsewhere = datetime.fromisoformat("2024-05-06T23:30:00+14:00")  # the same morning in UTC
    assert fold_confidence([("a", MONDAY, 0.7), ("a", elsewhere, 0.8)]) == pytest.approx(0.8)


def test_nothing_is_ever_certain_and_nothing_said_is_nothing_known() -> None:
    assert fold_confidence([("a", MONDAY + timedelta(days=day), 0.9) for day in range(9)]) == MOST
    assert fold_confidence([]) == 0


@given(st.lists(said, max_size=8).flatmap(lambda items: st.tuples(st.just(items), st.permutations(items))))
def test_the_order_does_not_matter(both: tuple[list[Said], list[Said]]) -> None:
    assert fold_confidence(both[0]) == fold_confidence(both[1])


@given(st.lists(said, max_size=8), said)
def test_more_agreeing_evidence_never_lowers_it(items: list[Said], more: Said) -> None:
    assert 0 <= fold_confidence(items) <= fold_confidence([*items, more]) + 1e-12 <= MOST + 1e-12


@given(st.lists(said, max_size=8))
def test_hearing_the_same_again_changes_nothing(items: list[Said]) -> None:
    assert fold_confidence(items + items) == fold_confidence(items)
