"""Diversity: repetitions stand last, and nothing that says something else is taken for one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.diversity import repeats_last
from memory.recalled import Parts, Recalled

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
ASKED = "what can I eat? 我能吃什么"


def said(
    text: str, *, number: int = 0, speaker: str = "user", thread: str = "t", said_at: datetime | None = MONDAY
) -> Recalled:
    return Recalled(
        id=f"{number}",
        kind="episodes",
        agent="_",
        text=text,
        speaker=speaker,
        thread_id=thread,
        turn_id=f"turn-{number}",
        said_at=said_at,
        score=1 / (number + 2),
        parts=Parts(lexical=0.5, semantic=0.5, recency=0.5, frequency=0),
    )


def order(texts: Sequence[str], query: str = ASKED) -> list[int]:
    found = [said(text, number=number) for number, text in enumerate(texts)]
    return [int(one.id) for one in repeats_last(found, query)]


NUTS = (
    "I'm allergic to nuts.",
    "I am really allergic to nuts!",
    "Hi, thanks. I’m allergic to nuts",
    "ALLERGIC to the nuts",
)
PEANUTS = ("我对花生过敏。", "我真的对花生过敏啊！", "你好，我对花生过敏", "我妹妹对花生过敏")


@pytest.mark.parametrize("texts", [NUTS, PEANUTS])
def test_what_says_the_same_stands_behind_what_says_something_else(texts: tuple[str, ...]) -> None:
    assert order(texts) == [0, 3, 1, 2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm allergic to nuts", "I'm not allergic to nuts"),
        ("I'm allergic to nuts", "I'm no longer allergic to nuts"),
        ("I can eat nuts again", "I can't eat nuts again"),
        ("My order is #8842", "My order is #8843"),
        ("I ran 5 km with Bo", "I ran 5.5 km with Bo"),
        ("He likes green tea", "She likes green tea"),
        ("I flew from Paris to Rome", "I flew from Rome to Paris"),
        ("I have two cats at home", "I have three cats at home"),
        ("My sister lives in Leeds", "My sister's friend lives in Leeds"),
        ("I stay at home on Sundays", "If it rains, I stay at home on Sundays"),
        ("Are you allergic to nuts?", "You are allergic to nuts"),
        ("I'm allergic to nuts", "I'm allergic to nuts. Just kidding."),
        ("我对花生过敏", "我对花生不过敏"),
        ("我对花生过敏", "我对花生过敏吗？"),
        ("我的订单号是 #8842", "我的订单号是 #8843"),
        ("他很喜欢喝绿茶", "她很喜欢喝绿茶"),
        ("我从北京飞到上海", "我从上海飞到北京"),
        ("我家养了两只猫", "我家养了三只猫"),
        ("我住在成都", "我妹妹住在成都"),
        ("我周末在家休息", "如果下雨，我周末在家休息"),
        ("我对花生过敏", "我对花生过敏，开玩笑的"),
    ],
)
def test_a_word_more_or_another_is_no_repetition(one: str, other: str) -> None:
    assert order([one, other, "x"]) == [0, 1, 2]
    assert order([other, one, "x"]) == [0, 1, 2]


@pytest.mark.parametrize("text", ["Yes, I did.", "me too", "OK", "thanks a lot!", "我也是", "好的好的", "嗯，对"])
def test_what_says_nothing_by_itself_repeats_nothing(text: str) -> None:
    assert order([text, text, "something else entirely"]) == [0, 1, 2]


@pytest.mark.parametrize("text", ["I ran five kilometres today", "今天跑了五公里，腿酸"])
def test_what_tells_a_time_is_repeated_on_the_same_day_only(text: str) -> None:
    days = (MONDAY, MONDAY + timedelta(days=1), MONDAY + timedelta(hours=2), None, None)
    found = [said(text, number=number, said_at=day) for number, day in enumerate(days)]
    assert [one.id for one in repeats_last(found, ASKED)] == ["0", "1", "3", "4", "2"]


def test_two_who_say_the_same_do_not_repeat_each_other() -> None:
    found = [said("I moved to Leeds", speaker=name, number=number) for number, name in enumerate(("Ada", "Bo", "Ada"))]
    assert [one.id for one in repeats_last([*found, said("x", number=3)], ASKED)] == ["0", "1", "3", "2"]


@pytest.mark.parametrize(
    "query",
    ["How often did I go swimming?", "When did I go swimming?", "我去游泳了几次？", "我上次游泳是什么时候"],
)
def test_where_it_is_asked_when_or_how_often_every_time_counts(query: str) -> None:
    assert order(["I went swimming", "I went swimming", "The pool was cold"], query) == [0, 1, 2]
    assert order(["我去湖里游泳了", "我去湖里游泳了", "湖水很凉"], query) == [0, 1, 2]


clauses = st.sampled_from(
    [
        "I'm allergic to nuts",
        "I am allergic to nuts!",
        "not to eggs",
        "thanks",
        "我对花生过敏",
        "我很对花生过敏啊",
        "不吃虾",
        "好的",
        "#8842 today",
    ]
)
founds = st.lists(
    st.builds(
        said,
        st.lists(clauses, min_size=1, max_size=3).map(", ".join) | st.text(max_size=20),
        speaker=st.sampled_from(["user", "assistant"]),
        said_at=st.sampled_from([None, MONDAY, MONDAY + timedelta(days=3)]),
    ),
    max_size=12,
)
queries = st.sampled_from([ASKED, "how often?", ""])


@given(founds, queries)
def test_nothing_is_lost_the_first_stays_first_and_once_is_enough(found: list[Recalled], query: str) -> None:
    left = repeats_last(found, query)
    assert sorted(map(id, left)) == sorted(map(id, found))
    assert left[:1] == tuple(found[:1])
    assert repeats_last(left, query) == left


@given(founds)
def test_what_is_put_behind_keeps_its_order_and_repeats_something_before_it(found: list[Recalled]) -> None:
    ranked = [said(one.text, number=at, speaker=one.speaker, said_at=one.said_at) for at, one in enumerate(found)]
    places = [int(one.id) for one in repeats_last(ranked, ASKED)]
    falls = [at for at in range(1, len(places)) if places[at] < places[at - 1]]
    assert len(falls) <= 1
