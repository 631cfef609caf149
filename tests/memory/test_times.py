from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.times import TimezoneError, resolve_dates

FRIDAY = datetime(2024, 3, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("phrase", "day"),
    [
        ("今天", "2024-03-01"),
        ("明天", "2024-03-02"),
        ("后天", "2024-03-03"),
        ("昨天", "2024-02-29"),
        ("前天", "2024-02-28"),
        ("上周五", "2024-02-23"),
        ("下周一", "2024-03-04"),
        ("本周三", "2024-02-28"),
        ("下下周日", "2024-03-17"),
        ("上周末", "2024-02-24"),
        ("三天后", "2024-03-04"),
        ("二十天后", "2024-03-21"),
        ("两周前", "2024-02-16"),
        ("半年前", "2023-09-01"),
        ("上个月", "2024-02-01"),
        ("去年五月", "2023-05-01"),
        ("5月1日", "2024-05-01"),
        ("三月十二号", "2024-03-12"),
        ("2024年3月1日", "2024-03-01"),
        ("tomorrow", "2024-03-02"),
        ("yesterday", "2024-02-29"),
        ("last Friday", "2024-02-23"),
        ("next Monday", "2024-03-04"),
        ("on Tuesday", "2024-03-05"),
        ("in 3 days", "2024-03-04"),
        ("two weeks ago", "2024-02-16"),
        ("a month ago", "2024-02-01"),
        ("March 5", "2024-03-05"),
        ("5th of May 2023", "2023-05-05"),
        ("2024-03-01", "2024-03-01"),
        ("last year", "2023-01-01"),
    ],
)
def test_a_phrase_is_the_day_it_means_for_who_says_it_on_a_friday(phrase: str, day: str) -> None:
    assert resolve_dates(phrase, said_at=FRIDAY) == [(phrase, date.fromisoformat(day))]


def test_all_days_of_a_text_are_given_in_their_order() -> None:
    found = resolve_dates("我昨天到的，下周一走, back on March 9", said_at=FRIDAY)
    assert found == [
        ("昨天", date(2024, 2, 29)),
        ("下周一", date(2024, 3, 4)),
        ("March 9", date(2024, 3, 9)),
    ]


def test_the_time_zone_decides_what_day_it_was() -> None:
    late = datetime(2024, 3, 1, 20, tzinfo=UTC)
    assert resolve_dates("明天", said_at=late, timezone="UTC") == [("明天", date(2024, 3, 2))]
    assert resolve_dates("明天", said_at=late, timezone="Asia/Shanghai") == [("明天", date(2024, 3, 3))]


def test_without_the_time_it_was_said_nothing_is_resolved() -> None:
    assert resolve_dates("明天 tomorrow 2024-03-01", said_at=None) == []


@pytest.mark.parametrize("text", ["2月30日", "一周三次", "每周三", "3.14", "version 2.0", "", "may I", "天天向上"])
def test_what_names_no_day_gives_none(text: str) -> None:
    assert resolve_dates(text, said_at=FRIDAY) == []


def test_an_unknown_time_zone_is_an_error_that_names_it() -> None:
    with pytest.raises(TimezoneError, match="Atlantis"):
        resolve_dates("明天", said_at=FRIDAY, timezone="Atlantis/Nowhere")


@given(
    st.text(alphabet="上下个本周月年天日前后一二三十昨明去今五1230-/. last next Monday in days ago March"),
    st.datetimes(),
)
def test_any_text_at_any_time_is_read_without_error(text: str, said_at: datetime) -> None:
    for phrase, day in resolve_dates(text, said_at=said_at):
        assert phrase in text
        assert isinstance(day, date)


@given(st.integers(1, 999), st.dates(min_value=date(2000, 1, 1), max_value=date(2090, 1, 1)))
def test_so_many_days_ago_and_ahead_are_so_many_days_away(days: int, today: date) -> None:
    said_at = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    for text, sign in [(f"{days}天后", 1), (f"{days}天前", -1), (f"in {days} days", 1), (f"{days} days ago", -1)]:
        assert [day for _, day in resolve_dates(text, said_at=said_at)] == [today + sign * timedelta(days=days)]
