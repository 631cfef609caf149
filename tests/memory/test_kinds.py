"""The nouns: to JSON and back, tolerant of what a newer version adds."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.kinds import Draft, Episode, Evidence, Fact, Pending, from_value, stamp_of, to_value

FIRST = datetime(1970, 1, 1)  # noqa: DTZ001  (hypothesis adds the time zone)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
times = st.datetimes(
    FIRST, timezones=st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(timedelta(minutes=-210))])
)
drafts = st.builds(
    Draft,
    key=texts,
    value=texts,
    confidence=st.floats(0, 1),
    quote=texts,
    act=st.sampled_from(["state", "correct", "retract"]),
    said_at=st.none() | times,
)
nouns = st.one_of(
    drafts,
    st.builds(
        Episode,
        id=texts,
        speaker=texts,
        text=texts,
        thread_id=texts,
        turn_id=texts,
        position=st.integers(0, 99),
        said_at=st.none() | times,
        tags=st.lists(texts, max_size=3).map(tuple),
        importance=st.floats(0, 1),
    ),
    st.builds(
        Pending,
        turn_id=texts,
        user=texts,
        agent=texts,
        thread_id=texts,
        message_id=texts,
        text=texts,
        said_at=times,
        drafts=st.none() | st.lists(drafts, max_size=2).map(tuple),
        replies=st.lists(texts, max_size=2).map(tuple),
        lease_until=st.none() | times,
    ),
    st.builds(
        Evidence,
        id=texts,
        key=texts,
        value=texts,
        act=st.sampled_from(["state", "undo", "pin"]),
        confidence=st.floats(0, 1),
        source=st.sampled_from(["user", "tool"]),
        quote=texts,
        episode_id=texts,
        thread_id=texts,
        turn_id=texts,
        said_at=times,
    ),
    st.builds(
        Fact,
        id=texts,
        key=texts,
        value=texts,
        confidence=st.floats(0, 0.99),
        status=st.sampled_from(["active", "retracted"]),
        valid_from=times,
        valid_to=st.none() | times,
        first_seen=times,
        last_confirmed=times,
        evidence=st.lists(texts, max_size=3).map(tuple),
    ),
)
EPISODE = Episode(
    id="e",
    speaker="user",
    text="我对花生过敏",
    thread_id="t",
    turn_id="u",
    position=3,
    said_at=datetime(2026, 5, 4, 9, tzinfo=UTC),
    tags=("food",),
)


@given(nouns)
def test_what_is_written_as_json_is_read_back_the_same(noun: Any) -> None:
    written = json.loads(json.dumps(to_value(noun), allow_nan=False))
    assert from_value(type(noun), written) == noun


def test_an_episode_is_plain_json_with_its_time_in_iso() -> None:
    value = to_value(EPISODE)
    assert value["said_at"] == "2026-05-04T09:00:00.000000Z"
    assert (value["tags"], value["text"], value["pending"]) == (["food"], "我对花生过敏", False)


@given(times, times)
def test_times_as_they_are_written_compare_as_times(one: datetime, other: datetime) -> None:
    assert (stamp_of(one) < stamp_of(other)) == (one < other)
    assert (stamp_of(one) == stamp_of(other)) == (one == other)


def test_fields_of_a_newer_version_are_ignored_and_missing_ones_have_their_defaults() -> None:
    value = {**to_value(EPISODE), "mood": "glad"}
    del value["importance"]
    assert from_value(Episode, value) == replace(EPISODE, importance=0.3)


@pytest.mark.parametrize("broken", [{}, {"id": "e"}, {**to_value(EPISODE), "position": "third"}])
def test_what_is_no_episode_is_a_value_error(broken: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        from_value(Episode, broken)


def test_a_noun_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        EPISODE.text = "x"  # type: ignore[misc]
