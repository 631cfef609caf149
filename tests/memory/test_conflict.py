"""Which of two values stays."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.conflict import Claim, replaces

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)
HELD = Claim(said_at=NOON, thread_id="a", confidence=0.9)


def later(minutes: float, *, thread: str = "a", confidence: float = 0.75, by_user: bool = True) -> Claim:
    at = NOON + timedelta(minutes=minutes)
    return Claim(said_at=at, thread_id=thread, confidence=confidence, by_user=by_user)


def test_what_is_said_more_than_an_hour_later_replaces() -> None:
    assert not replaces(later(60), HELD)
    assert replaces(later(60.1), HELD)


def test_what_is_said_later_in_another_thread_replaces() -> None:
    assert replaces(later(1, thread="b"), HELD)
    assert not replaces(later(0, thread="b"), HELD)
    assert not replaces(later(-120, thread="b"), HELD)


def test_it_may_be_less_sure_by_a_fifth_and_no_more() -> None:
    assert replaces(later(120, confidence=0.7), HELD)
    assert not replaces(later(120, confidence=0.69), HELD)


def test_what_is_pinned_stays_and_nobody_overrules_the_user() -> None:
    assert not replaces(later(120), replace(HELD, pinned=True))
    assert not replaces(later(120, by_user=False), HELD)
    assert replaces(later(120, by_user=False), replace(HELD, by_user=False))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 10_000), st.floats(0, 10_000))
def test_being_surer_or_later_never_hurts(sure: float, surer: float, early: float, more: float) -> None:
    if replaces(later(early, confidence=min(sure, surer)), HELD):
        assert replaces(later(early + more, confidence=max(sure, surer)), HELD)
