"""How belief fades."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.decay import BELIEVED_FROM, days_since, decayed, effective_confidence, half_life_of
from memory.keys import KeySpec, default_keys
from memory.kinds import Fact

NOW = datetime(2024, 5, 6, tzinfo=UTC)
days = st.floats(0, 5000)


def spec(key: str) -> KeySpec:
    found = default_keys().spec(key)
    assert found is not None
    return found


def fact(key: str, *, idle_days: float, pinned: bool = False) -> Fact:
    then = NOW - timedelta(days=idle_days)
    return Fact(
        id="f",
        key=key,
        value="x",
        confidence=0.8,
        status="active",
        valid_from=then,
        valid_to=None,
        first_seen=then,
        last_confirmed=then,
        pinned=pinned,
    )


def test_confidence_halves_with_every_half_life() -> None:
    assert decayed(0.8, idle_days=30, half_life_days=30) == pytest.approx(0.4)
    assert decayed(0.8, idle_days=60, half_life_days=30) == pytest.approx(0.2)


def test_without_a_half_life_nothing_fades() -> None:
    assert decayed(0.8, idle_days=100_000, half_life_days=None) == 0.8


def test_a_time_still_to_come_counts_as_now() -> None:
    assert days_since(NOW + timedelta(days=3), now=NOW) == 0
    assert days_since(NOW - timedelta(hours=12), now=NOW) == 0.5
    assert decayed(0.8, idle_days=-5, half_life_days=30) == 0.8


def test_a_preference_fades_within_a_year_and_a_name_never() -> None:
    liked, named = fact("pref.likes", idle_days=365), fact("user.name", idle_days=3650)
    assert effective_confidence(liked, spec=spec("pref.likes"), now=NOW) == pytest.approx(0.4)
    assert effective_confidence(named, spec=spec("user.name"), now=NOW) == 0.8


def test_what_is_pinned_stays_and_what_was_inferred_goes_fast() -> None:
    assert half_life_of(spec("pref.likes"), pinned=True, inferred=True) is None
    assert half_life_of(spec("user.name"), inferred=True) == 30
    pinned = fact("pref.likes", idle_days=3650, pinned=True)
    assert effective_confidence(pinned, spec=spec("pref.likes"), now=NOW) >= BELIEVED_FROM
    guessed = fact("user.diet", idle_days=30)
    assert effective_confidence(guessed, spec=spec("user.diet"), now=NOW, inferred=True) == pytest.approx(0.4)


@given(st.floats(0, 1), days, days, st.floats(0.5, 1000))
def test_more_time_never_makes_it_surer(confidence: float, one: float, more: float, half_life: float) -> None:
    early = decayed(confidence, idle_days=one, half_life_days=half_life)
    late = decayed(confidence, idle_days=one + more, half_life_days=half_life)
    assert 0 <= late <= early <= confidence
