"""Recalled: what bears on a query, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recalled import (
    LEAST_LEXICAL,
    LEAST_SEMANTIC,
    Parts,
    Recalled,
    asks_for_memory,
    bears_on,
    parts_of,
    score_of,
    with_use,
)

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
shares = st.floats(0, 1)
measured = st.builds(Parts, lexical=shares, semantic=shares, recency=shares, frequency=shares)


@pytest.mark.parametrize(
    "text", ["谢谢", "好的", "你好", "2+2", "1+1等于几", "thank you!", "ok", "Hello", "", "👍", "。。。"]
)
def test_small_talk_and_sums_ask_for_nothing_remembered(text: str) -> None:
    assert not asks_for_memory(text)


@pytest.mark.parametrize("text", ["我叫什么？", "我的猫", "What do I like?", "#8842", "ERR-4471", "茶"])
def test_everything_else_may(text: str) -> None:
    assert asks_for_memory(text)


def test_enough_of_either_kind_bears_on_the_query_and_recency_alone_never_does() -> None:
    assert bears_on(Parts(lexical=LEAST_LEXICAL, semantic=0, recency=0, frequency=0))
    assert bears_on(Parts(lexical=0, semantic=LEAST_SEMANTIC, recency=0, frequency=0))
    assert not bears_on(Parts(lexical=LEAST_LEXICAL - 0.01, semantic=LEAST_SEMANTIC - 0.01, recency=1, frequency=1))


def test_what_fits_not_at_all_scores_nothing_however_recent() -> None:
    assert score_of(0, Parts(lexical=0, semantic=0, recency=1, frequency=1)) == 0


def test_of_two_that_fit_equally_the_more_recent_and_the_more_used_come_first() -> None:
    old = Parts(lexical=0.5, semantic=0.5, recency=0.1, frequency=0.1)
    assert score_of(0.5, Parts(lexical=0.5, semantic=0.5, recency=0.9, frequency=0.1)) > score_of(0.5, old)
    assert score_of(0.5, Parts(lexical=0.5, semantic=0.5, recency=0.1, frequency=0.9)) > score_of(0.5, old)


@given(shares, shares, measured)
def test_a_score_is_a_share_and_fitting_better_scores_more(one: float, other: float, parts: Parts) -> None:
    low, high = sorted((one, other))
    assert 0 <= score_of(low, parts) <= score_of(high, parts) <= 1 + 1e-9


def test_the_parts_are_measured_from_time_and_use() -> None:
    parts = parts_of(lexical=0.4, semantic=0.2, said_at=NOW - timedelta(days=1), uses=5, now=NOW)
    assert (parts.lexical, parts.semantic) == (0.4, 0.2)
    assert [parts.recency, parts.frequency] == pytest.approx([0.5, 0.5])


def test_an_unknown_time_is_neither_old_nor_new_and_the_future_is_now() -> None:
    assert parts_of(lexical=0, semantic=0, said_at=None, uses=0, now=NOW).recency == 0.5
    assert parts_of(lexical=0, semantic=0, said_at=NOW + timedelta(days=9), uses=0, now=NOW).recency == 1


def test_it_says_why() -> None:
    parts = Parts(lexical=0.8, semantic=0.01, recency=0.5, frequency=0)
    one = Recalled(
        id="e",
        kind="episodes",
        agent="_",
        text="x",
        speaker="user",
        thread_id="t",
        turn_id="u",
        said_at=None,
        score=0.7,
        parts=parts,
    )
    assert one.why() == "same words 0.80, recent 0.50"


def test_recency_and_use_lift_a_score_a_little_at_any_height() -> None:
    bare = Parts(lexical=1, semantic=1, recency=0, frequency=0)
    used = Parts(lexical=1, semantic=1, recency=1, frequency=1)
    for ranked in (0.0, 0.01, 0.5, 0.99, 1.0):
        assert with_use(ranked, bare) == pytest.approx(ranked)
        assert ranked - 1e-9 <= with_use(ranked, used) <= 1
    assert with_use(0.5, used) == pytest.approx(0.5987, abs=1e-4)
    assert with_use(0.99, bare) > with_use(0.98, used)
    assert with_use(0.5, used, without=frozenset({"recency", "frequency"})) == 0.5
