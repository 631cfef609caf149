"""when: turns of the time that is asked for, turns that tell of it, and the last or first sitting that bears on it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.corpus import Corpus, Said, corpus_of
from memory.ranking.question import Question, question_of
from memory.ranking.signals.occasion import CONTENT, SMALL
from memory.ranking.signals.when import (
    DAYS_AFTER,
    IN_THE_MONTH,
    IN_THE_WEEK,
    NEAR,
    ON_THE_DAY,
    ONLY_TIME,
    when,
)

NOW = datetime(2025, 7, 16, 10, tzinfo=UTC)
"""A Wednesday."""


def corpus(*said: tuple[str, str], speaker: str = "user") -> Corpus:
    """Make one of turns (when, what), each in a thread of its own."""
    return corpus_of(
        [
            Said(
                item=number,
                text=text,
                speaker=speaker,
                thread=f"{number:03}",
                position=0,
                said_at=datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() if at else None,
            )
            for number, (at, text) in enumerate(said)
        ]
    )


def asked(text: str, now: datetime | None = NOW) -> Question:
    return question_of(text, ("user",), now=now)


def signal(name: str, rows: Corpus, text: str, now: datetime | None = NOW) -> list[float]:
    fit = np.array([float("kite" in one.text or "风筝" in one.text) for one in rows.said])
    return [float(value) for value in when(rows, asked(text, now), fit)[name]]


DATED = corpus(
    ("2024-05-01", "a kite"),
    ("2024-05-03", "a kite"),
    ("2024-05-20", "a kite"),
    ("2025-05-01", "a kite"),
    ("", "a kite"),
)


@pytest.mark.parametrize("text", ["Which kite was it on 1 May 2024?", "2024年5月1日的风筝是哪个？"])
def test_a_date_counts_most_on_it_and_a_little_less_until_three_days_after(text: str) -> None:
    assert signal("said_then", DATED, text, None) == [ON_THE_DAY, DAYS_AFTER, 0, 0, 0]


@pytest.mark.parametrize("text", ["Which kite was it in May 2024?", "2024年5月的风筝是哪个？"])
def test_a_month_counts_wherever_in_it(text: str) -> None:
    assert signal("said_then", DATED, text, None) == [IN_THE_MONTH, IN_THE_MONTH, IN_THE_MONTH, 0, 0]


@pytest.mark.parametrize("text", ["Which kite was it in May?", "5月的风筝是哪个？"])
def test_a_month_without_a_year_is_of_any_year_and_of_the_latest_where_that_is_known(text: str) -> None:
    assert signal("said_then", DATED, text, None) == [IN_THE_MONTH] * 4 + [0]
    assert signal("said_then", DATED, text) == [0, 0, 0, IN_THE_MONTH, 0]


def test_may_that_asks_for_leave_is_no_month() -> None:
    assert signal("said_then", DATED, "May I see the kite?", None) == [0] * 5


NEARBY = corpus(
    ("2025-06-20", "a kite"), ("2025-07-08", "a kite"), ("2025-07-15 09:00", "a kite"), ("2025-07-16 09:00", "a kite")
)


@pytest.mark.parametrize("text", ["Which kite was it last week?", "上周的风筝是哪个？"])
def test_a_week_counts_more_than_a_month_and_half_just_after_it(text: str) -> None:
    assert signal("said_then", NEARBY, text) == [0, IN_THE_WEEK, NEAR, NEAR]


@pytest.mark.parametrize("text", ["Which kite did I mention last week?", "上周我提到的风筝是哪个？"])
def test_what_was_said_in_a_week_was_not_said_after_it(text: str) -> None:
    assert signal("said_then", NEARBY, text) == [0, IN_THE_WEEK, 0, 0]


@pytest.mark.parametrize("text", ["Which kite was it yesterday?", "昨天的风筝是哪个？"])
def test_a_day_counts_most(text: str) -> None:
    assert signal("said_then", NEARBY, text) == [0, 0, ON_THE_DAY, NEAR]


@pytest.mark.parametrize("text", ["Which kite was it last month?", "上个月的风筝是哪个？"])
def test_a_month_before_this_counts_as_one_that_is_named(text: str) -> None:
    assert signal("said_then", NEARBY, text) == [IN_THE_MONTH, 0, 0, 0]


@pytest.mark.parametrize("text", ["Which kite was it recently?", "最近的那次放风筝，最近用的是哪个？"])
def test_recently_counts_half(text: str) -> None:
    assert signal("said_then", NEARBY, text) == [NEAR] * 4


TELLING = corpus(
    ("2025-07-10", "The kite broke yesterday"),
    ("2025-07-12", "我们上周五放了风筝"),
    ("2025-07-14", "The kite fair is on 20 August"),
    ("2025-07-14", "去年我有过一只风筝"),
    ("2025-07-14", "A kite is a bird, too"),
)


def test_a_turn_that_tells_of_the_day_counts_whenever_it_was_said() -> None:
    assert signal("happened_then", TELLING, "What broke on 9 July 2025?") == [1, 0, 0, 0, 0]
    assert signal("happened_then", TELLING, "2025年7月4日我们做了什么？") == [0, 1, 0, 0, 0]
    assert signal("happened_then", TELLING, "What will be in August?") == [0, 0, 1, 0, 0]


def test_a_wide_time_lies_hardly_in_a_narrow_one() -> None:
    values = signal("happened_then", TELLING, "去年五月我有什么？")
    assert values[3] == pytest.approx(31 / 366)
    assert signal("happened_then", TELLING, "去年我有什么？")[3] == 1


@pytest.mark.parametrize("text", ["What did I say on 9 July 2025?", "2025年7月9日我说了什么？"])
def test_what_was_said_at_a_time_need_not_tell_of_it(text: str) -> None:
    assert signal("happened_then", TELLING, text) == [0] * 5


SITTINGS = corpus(
    ("2025-01-01", "the red kite"),
    ("2025-03-01", "the blue kite"),
    ("2025-05-01", "a cup of tea"),
    ("2025-07-16 09:30", "my kite again"),
)


@pytest.mark.parametrize("text", ["Which kite was it last time?", "上次的 kite 是哪个？"])
def test_the_last_time_is_the_latest_sitting_that_bears_on_it_and_not_this_one(text: str) -> None:
    assert signal("last_time", SITTINGS, text) == [0.5, 1, 0, 0]
    assert signal("first_time", SITTINGS, text) == [0] * 4


@pytest.mark.parametrize("text", ["Which kite was it the first time?", "第一次的 kite 是哪个？"])
def test_the_first_time_is_the_earliest(text: str) -> None:
    assert signal("first_time", SITTINGS, text) == [1, 0.5, 0, 0]


def test_what_bears_on_it_is_told_by_the_fit_where_no_word_is_the_same() -> None:
    assert signal("last_time", SITTINGS, "上次的风筝是哪个？") == [0.5, 1, 0, 0]


def test_nobody_asks_for_the_last_time_otherwise() -> None:
    assert signal("last_time", SITTINGS, "Which kite is red?") == [0] * 4


def test_without_times_the_last_sitting_is_the_one_written_last() -> None:
    rows = corpus(("", "the red kite"), ("", "the blue kite"))
    assert signal("last_time", rows, "Which kite was it last time?") == [0.5, 1]


def test_a_long_pause_in_a_thread_makes_another_sitting() -> None:
    rows = corpus_of(
        [
            Said(item=n, text="a kite", speaker="user", thread="t", position=n, said_at=NOW.timestamp() - hours * 3600)
            for n, hours in enumerate((50, 49.5, 10, 9.5))
        ]
    )
    assert signal("last_time", rows, "Which kite was it last time?") == [0.5, 0.5, 1, 1]


@pytest.mark.parametrize("text", ["What did I say last week?", "上周我说了什么？"])
def test_where_only_a_time_is_asked_for_it_counts_more_and_small_talk_less(text: str) -> None:
    rows = corpus(("2025-07-08", "谢谢"), ("2025-07-08", "I moved to a new flat"), ("2025-05-08", "I bought a kite"))
    assert asked(text).only_time
    expected = [ONLY_TIME * IN_THE_WEEK * much for much in (SMALL, CONTENT, 0)]
    assert signal("said_then", rows, text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["What did we talk about last time?", "上次我们聊了什么？"])
def test_where_only_the_last_time_is_asked_for_it_alone_counts(text: str) -> None:
    assert signal("said_then", SITTINGS, text) == [0, 0, ONLY_TIME, 0]


@pytest.mark.parametrize("text", ["What do I have in August?", "八月我有什么安排？"])
def test_where_only_what_is_to_come_is_asked_for_the_turns_that_tell_of_it_count(text: str) -> None:
    assert signal("said_then", TELLING, text) == [0, 0, ONLY_TIME, 0, 0]


MOMENTS = st.none() | st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(
    st.text(max_size=60) | st.sampled_from(["What did I say last week?", "上次我们聊了什么？", "五月的风筝？"]),
    st.lists(st.tuples(st.text(max_size=30), MOMENTS), max_size=6),
    MOMENTS,
)
def test_any_question_gives_each_row_a_finite_value(
    text: str, said: list[tuple[str, datetime | None]], now: datetime | None
) -> None:
    rows = corpus(*((at.replace(tzinfo=None).isoformat() if at else "", words) for words, at in said))
    for values in when(rows, asked(text, now), np.zeros(len(rows))).values():
        assert len(values) == len(rows)
        assert np.isfinite(values).all()


def test_times_are_compared_by_the_moment() -> None:
    early = corpus(("2025-07-14 23:00", "a kite"), ("2025-07-15 01:00", "a kite"))
    assert signal("said_then", early, "Which kite was it yesterday?") == [0, ON_THE_DAY]
    in_shanghai = NOW.astimezone(tz=datetime.strptime("+0800", "%z").tzinfo)
    assert signal("said_then", early, "Which kite was it yesterday?", in_shanghai) == [ON_THE_DAY, ON_THE_DAY]
    assert signal("said_then", early, "Which kite was it yesterday?", NOW + timedelta(days=9)) == [0, 0]
