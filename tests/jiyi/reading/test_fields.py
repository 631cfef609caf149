"""Fields of what others wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.reading.fields import Part, given_name, mended, moment_in
from jiyi.reading.said import FormatError

SHANGHAI = ZoneInfo("Asia/Shanghai")


def part(value: object) -> Part:
    return Part(value=value, where="here", expected="a thing")


@given(st.text(st.characters(exclude_categories=[])))
def test_mended_texts_can_be_kept_and_stay_as_they_are(text: str) -> None:
    assert mended(text).encode().decode() == mended(mended(text))


@given(st.text())
def test_a_sound_text_is_not_changed(text: str) -> None:
    assert mended(text) == text


def test_half_characters_are_joined_or_replaced() -> None:
    assert mended("\ud83d\ude00") == "😀"
    assert mended("a\ud83db") == "a\ufffdb"


@pytest.mark.parametrize(
    ("given_time", "meant"),
    [
        ("2026-05-01T08:00:00", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05-01", datetime(2026, 4, 30, 16, tzinfo=UTC)),
        ("2026-05-01T08:00:00Z", datetime(2026, 5, 1, 8, tzinfo=UTC)),
        ("2026-05-01T08:00:00-02:00", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        (1777593600, datetime(2026, 5, 1, tzinfo=UTC)),
        (1777593600000, datetime(2026, 5, 1, tzinfo=UTC)),
        ("", None),
        (None, None),
    ],
)
def test_times_are_read_into_utc(given_time: object, meant: datetime | None) -> None:
    assert moment_in(part({"at": given_time}), "at", SHANGHAI) == meant


@pytest.mark.parametrize("wrong", [True, [], {}, "soon", "2026-13-01", 1e300, float("nan"), "0001-01-01"])
def test_what_is_no_time_is_refused_with_its_place(wrong: object) -> None:
    with pytest.raises(FormatError, match="Cannot read here: 'at' is "):
        moment_in(part({"at": wrong}), "at", SHANGHAI)


def test_ids_are_texts_or_whole_numbers() -> None:
    given_values: list[object] = ["a", 7, 0, " ", "", None, True, 1.5, []]

    assert [given_name(one) for one in given_values] == ["a", "7", "0", None, None, None, None, None, None]
