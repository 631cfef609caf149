"""Asked times: which days a question names, in both languages, and which it does not."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.asked_time import JUST_NOW, Span, asked_times, told_days
from memory.ranking.asked_time_calendar import festival
from memory.ranking.asked_time_frame import occasion_of
from memory.ranking.question import question_of
from memory.ranking.terms import terms_of

NOW = datetime(2025, 7, 16, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
"""A Wednesday."""

NEAR = [
    ("What did I say yesterday?", "2025-07-15", "2025-07-16"),
    ("前天我吃了什么？", "2025-07-14", "2025-07-15"),
    ("昨天呢？", "2025-07-15", "2025-07-16"),
    ("What happened this morning?", "2025-07-16", "2025-07-17"),
    ("三天前我在哪？", "2025-07-13", "2025-07-14"),
    ("What was it three days ago?", "2025-07-13", "2025-07-14"),
    ("两周前我说的那本书叫什么？", "2025-06-29", "2025-07-06"),
    ("What did I plan two weeks ago?", "2025-06-29", "2025-07-06"),
    ("三个月前我开始学什么？", "2025-04-01", "2025-05-01"),
    ("How was the trip three months ago?", "2025-04-01", "2025-05-01"),
    ("半年前我住哪？", "2025-01-01", "2025-02-01"),
    ("Where did I live two years ago?", "2023-01-01", "2024-01-01"),
    ("What did I do last week?", "2025-07-07", "2025-07-14"),
    ("上周我说了什么？", "2025-07-07", "2025-07-14"),
    ("上上周我说了什么？", "2025-06-30", "2025-07-07"),
    ("What did I do the week before last?", "2025-06-30", "2025-07-07"),
    ("上个月发生了什么", "2025-06-01", "2025-07-01"),
    ("What did I spend last month?", "2025-06-01", "2025-07-01"),
    ("上个月底我交了多少钱？", "2025-06-21", "2025-07-01"),
    ("去年我换了什么工作？", "2024-01-01", "2025-01-01"),
    ("去年今天我在哪里？", "2024-07-16", "2024-07-17"),
    ("What did I say a year ago today?", "2024-07-16", "2024-07-17"),
    ("What did I change last year?", "2024-01-01", "2025-01-01"),
    ("What did I say on Monday?", "2025-07-14", "2025-07-15"),
    ("What did you say Monday?", "2025-07-14", "2025-07-15"),
    ("What did I say on Wednesday?", "2025-07-09", "2025-07-10"),
    ("What did I eat last Friday?", "2025-07-11", "2025-07-12"),
    ("周五我去了哪？", "2025-07-11", "2025-07-12"),
    ("上周五我说了什么？", "2025-07-11", "2025-07-12"),
    ("What did we do over the weekend?", "2025-07-12", "2025-07-14"),
    ("上周末我们去了哪？", "2025-07-12", "2025-07-14"),
    ("过去两周我跑了几次步？", "2025-07-02", "2025-07-17"),
    ("In the last two weeks, how often did I run?", "2025-07-02", "2025-07-17"),
    ("最近三个月我花了多少？", "2025-04-16", "2025-07-17"),
    ("dinner last week", "2025-07-07", "2025-07-14"),
    ("上周的聚餐", "2025-07-07", "2025-07-14"),
]
AHEAD = [
    ("What do I have on Friday?", "2025-07-18", "2025-07-19"),
    ("下周我有什么安排？", "2025-07-21", "2025-07-28"),
    ("What are my plans for next month?", "2025-08-01", "2025-09-01"),
    ("明天我要做什么？", "2025-07-17", "2025-07-18"),
    ("In two weeks, what do I have?", "2025-07-27", "2025-08-03"),
    ("两周后我有什么？", "2025-07-27", "2025-08-03"),
    ("Next Friday, what am I doing?", "2025-07-25", "2025-07-26"),
]
NAMED = [
    ("What did I buy in March?", "2025-03-01", "2025-04-01"),
    ("What did I buy in september?", "2024-09-01", "2024-10-01"),
    ("我五月说了什么", "2025-05-01", "2025-06-01"),
    ("What happened last May?", "2025-05-01", "2025-06-01"),
    ("What happened last July?", "2024-07-01", "2024-08-01"),
    ("去年五月我们去了哪里？", "2024-05-01", "2024-06-01"),
    ("Where did we go in May last year?", "2024-05-01", "2024-06-01"),
    ("What did I say at the beginning of May?", "2025-05-01", "2025-05-12"),
    ("五月初我说了什么？", "2025-05-01", "2025-05-12"),
    ("What did I say in early June 2024?", "2024-06-01", "2024-06-11"),
    ("What happened in 2024?", "2024-01-01", "2025-01-01"),
    ("2023年下半年我在做什么？", "2023-07-02", "2024-01-01"),
    ("What did I do on 2024-05-01?", "2024-05-01", "2024-05-02"),
    ("2024年5月1日发生了什么？", "2024-05-01", "2024-05-02"),
    ("二〇二四年五月我在做什么？", "2024-05-01", "2024-06-01"),
    ("5月1日我去了哪？", "2025-05-01", "2025-05-02"),
    ("What did I say on 05/01?", "2025-05-01", "2025-05-02"),
    ("What did I say on 31/08?", "2024-08-31", "2024-09-01"),
    ("What did I do on the 3rd of June, 2024?", "2024-06-03", "2024-06-04"),
    ("今年春天我种了什么？", "2025-03-01", "2025-06-01"),
    ("去年夏天空调坏了是哪天？", "2024-06-01", "2024-09-01"),
    ("Where did we go last summer?", "2024-06-01", "2024-09-01"),
    ("What did I do last winter?", "2024-12-01", "2025-03-01"),
    ("前年冬天我在哪滑雪？", "2023-12-01", "2024-03-01"),
    ("春节的时候我们去了哪里？", "2025-01-28", "2025-02-05"),
    ("去年春节我在哪？", "2024-02-09", "2024-02-17"),
    ("Where were we at Christmas?", "2024-12-24", "2024-12-27"),
    ("Who came for Thanksgiving last year?", "2024-11-28", "2024-11-29"),
    ("国庆节我们去哪了？", "2024-10-01", "2024-10-08"),
    ("寒假我去了哪？", "2025-01-10", "2025-03-01"),
]
BOUNDED = [
    ("What happened between March and May?", "2025-03-01", "2025-06-01"),
    ("从三月到五月我读了哪些书？", "2025-03-01", "2025-06-01"),
    ("1月到6月有几个人过生日？", "2025-01-01", "2025-07-01"),
    ("去年十月到今年二月发生了什么？", "2024-10-01", "2025-03-01"),
    ("What did I read from November to February?", "2024-11-01", "2025-03-01"),
    ("Between 2022 and 2024, where did I live?", "2022-01-01", "2025-01-01"),
    ("What have I done since June?", "2025-06-01", "2025-07-17"),
    ("六月以来我学了什么？", "2025-06-01", "2025-07-17"),
    ("What did I do after Easter?", "2025-04-22", "2025-07-17"),
    ("3月15号之后我换了什么药？", "2025-03-16", "2025-07-17"),
    ("What did I write before Christmas 2024?", "0001-01-01", "2024-12-24"),
    ("六月之前我住在哪？", "0001-01-01", "2025-06-01"),
    ("What did I do around New Year?", "2024-12-24", "2025-01-09"),
]


def days(text: str, now: datetime | None = NOW) -> list[tuple[str, str]]:
    return [(one.begin.date().isoformat(), one.end.date().isoformat()) for one in asked_times(text, now)]


@pytest.mark.parametrize(("text", "begin", "end"), [*NEAR, *AHEAD, *NAMED, *BOUNDED])
def test_a_time_is_the_days_from_its_first_until_the_one_after_its_last(text: str, begin: str, end: str) -> None:
    assert days(text) == [(begin, end)]


@pytest.mark.parametrize(
    "text",
    [
        "May I ask where the keys are?",
        "Where did they march on?",
        "How many seconds are in a day?",
        "What did June say about the trip?",
        "五月天的演唱会在哪？",
        "等一会儿吃什么？",
        "What was my 2024 budget?",
        "10年经验够吗？",
        "以前天天跑步的是谁？",
        "目前天气怎么样？",
        "What do I usually do on Friday?",
        "周末一般做什么？",
        "最近的医院在哪？",
        "",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize("text", ["I saw the dentist yesterday.", "昨天我去看了牙医。"])
def test_what_tells_of_a_time_asks_for_none(text: str) -> None:
    assert days(text) == []


def test_in_a_message_that_asks_only_what_asks_names_a_time() -> None:
    assert days("I saw her yesterday. What did she say in March?") == [("2025-03-01", "2025-04-01")]
    assert days("我昨天见了她。她三月份说了什么？") == [("2025-03-01", "2025-04-01")]


@pytest.mark.parametrize(
    "text", ["What did he do last week?", "上周他做了什么？", "What did he say in May?", "五月他说了什么？"]
)
def test_without_knowing_when_it_is_asked_only_a_year_makes_a_time(text: str) -> None:
    assert days(text, None) == []
    assert days("What did he say in May 2024?", None) == [("2024-05-01", "2024-06-01")]
    assert days("2024年5月他说了什么？", None) == [("2024-05-01", "2024-06-01")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did she do two weeks before 11 August, 2023?", ("2023-07-28", "2023-08-04")),
        ("What was it on the Sunday before October 25, 2022?", ("2022-10-23", "2022-10-24")),
        ("What did he finish last Friday, on 23 January, 2022?", ("2022-01-21", "2022-01-22")),
        ("2024年8月3日前一周我做了什么？", ("2024-07-27", "2024-08-03")),
    ],
)
def test_beside_a_date_a_time_is_meant_from_that_date(text: str, found: tuple[str, str]) -> None:
    assert days(text, None)[0] == found


def test_recently_is_vague_and_just_now_ends_now() -> None:
    for text in (
        "What have I been up to recently?",
        "最近我说了什么？",
        "What was it the other day?",
        "前几天我说了什么？",
    ):
        assert [one.vague for one in asked_times(text, NOW)] == [True]
    for text in ("What did I say just now?", "刚才我说什么了？"):
        assert [(one.begin, one.end) for one in asked_times(text, NOW)] == [(NOW - JUST_NOW, NOW)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What did I say in May?", "said"),
        ("我五月说了什么？", "said"),
        ("Tell me what I did in May", "either"),
        ("告诉我五月做了什么", "either"),
        ("What do I have next week?", "happened"),
        ("下周我要做什么？", "happened"),
    ],
)
def test_it_is_known_whether_what_was_said_or_what_happened_is_asked_for(text: str, meant: str) -> None:
    assert [one.meant for one in asked_times(text, NOW)] == [meant]


def test_days_are_those_where_it_is_asked() -> None:
    late = datetime(2025, 7, 16, 23, 30, tzinfo=timezone(timedelta(hours=8)))
    (here,) = asked_times("昨天我说了什么？", late)
    (there,) = asked_times("昨天我说了什么？", late.astimezone(ZoneInfo("Pacific/Auckland")))
    assert here.begin == datetime(2025, 7, 15, tzinfo=late.tzinfo)
    assert there.begin.date() == date(2025, 7, 16)


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("上次我们聊了什么？", "last"),
        ("What did we talk about last time?", "last"),
        ("When did I last see the dentist?", "last"),
        ("最近一次体检是哪天？", "last"),
        ("我第一次去看牙是什么时候？", "first"),
        ("What was the first time we talked?", "first"),
        ("What did I do last May?", ""),
        ("晚上回家吃什么？", ""),
        ("How long has he had his first car?", ""),
    ],
)
def test_the_last_time_and_the_first_are_known(text: str, occasion: str) -> None:
    assert occasion_of(text) == occasion


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("上次我们聊了什么？", ""),
        ("What did we talk about last time?", ""),
        ("我五月说了什么？", ""),
        ("What did I say in May?", ""),
        ("下周我有什么安排？", ""),
        ("上次拔牙是哪一天？", "拔牙"),
        ("When did I last see the dentist?", "see dentist"),
        ("What did I buy in May?", "buy"),
    ],
)
def test_what_is_left_beside_the_time_is_the_topic(text: str, topic: str) -> None:
    found = question_of(text, (), now=NOW)
    assert found.topic == tuple(terms_of(topic))
    assert found.only_time is not bool(topic)


def test_a_message_tells_of_days_from_when_it_was_said() -> None:
    told = told_days("The concert was last Friday, and on Tuesday I leave", date(2025, 7, 16))
    assert [date.fromordinal(one.begin).isoformat() for one in told] == ["2025-07-11", "2025-07-15"]
    (ahead,) = told_days("周五开会", date(2025, 7, 16))
    assert date.fromordinal(ahead.begin) == date(2025, 7, 18)
    assert told_days("最近很忙", date(2025, 7, 16)) == []


@pytest.mark.parametrize(
    ("name", "year", "day"),
    [
        ("Easter", 2024, "2024-03-29"),
        ("Thanksgiving", 2025, "2025-11-27"),
        ("中秋节", 2025, "2025-10-06"),
        ("端午", 2024, "2024-06-10"),
    ],
)
def test_a_festival_is_on_its_day(name: str, year: int, day: str) -> None:
    found = festival(name, year)
    assert found is not None
    assert date.fromordinal(found.begin).isoformat() == day


PIECES = (
    "last next this on in since before after between and from to until the early end of May march 5 12 31 2024 week weekend month "
    "year Friday Sunday summer winter Christmas Easter ago yesterday recently days two 上 下 上个 去年 今年 前年 2024年 三 十二 五 月 5月 1日 "
    "初 底 周 星期 五 天 前 后 之前 以来 到 从 春节 夏天 昨天 前天 最近 刚才 年 个 半 什么 ? ？ what did i 05/01 2024-02-30 9999-12-31 0001"
)
WORDS = st.sampled_from(PIECES.split())
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(WORDS, max_size=12).map("".join), st.lists(WORDS, max_size=12).map(" ".join)
)
NOWS = st.one_of(st.none(), st.datetimes(timezones=st.one_of(st.timezones(), st.just(UTC), st.none())))


@given(TEXTS, NOWS)
def test_any_text_at_any_time_gives_spans_that_begin_before_they_end(text: str, now: datetime | None) -> None:
    for one in asked_times(text, now):
        assert isinstance(one, Span)
        assert one.begin.timestamp() <= one.end.timestamp()
        assert one.phrase.strip() in text


@given(TEXTS, st.dates())
def test_any_message_of_any_day_tells_of_days_that_begin_before_they_end(text: str, said_on: date) -> None:
    assert all(one.begin <= one.end for one in told_days(text, said_on))
