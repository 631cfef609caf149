"""overtaken: what has been said otherwise since stands behind what holds now, and nothing else moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.fold import fold
from memory.keys import default_keys
from memory.kinds import Act, Evidence
from memory.ranking.overtaken import (
    Overtaken,
    asks_for_past,
    current_first,
    newest_of_alike,
    overtaken,
    with_newer,
    without_overtaken,
)
from memory.recalled import Parts, Recalled

DAY = timedelta(days=1)
THEN = datetime(2026, 5, 4, 9, tzinfo=UTC)
NOW = THEN + 60 * DAY


def recalled(name: str, text: str = "", *, score: float = 0.5, day: int = 0, **known: Any) -> Recalled:
    return Recalled(
        id=name,
        kind="episodes",
        agent="_",
        text=text or name,
        speaker=known.pop("speaker", "user"),
        thread_id=known.pop("thread", name),
        turn_id=name,
        said_at=THEN + day * DAY,
        score=score,
        parts=Parts(lexical=0.5, semantic=0.5, recency=0.1, frequency=0),
        signals=known.pop("signals", {"words": 1.0}),
        **known,
    )


def ids(found: Sequence[Recalled]) -> list[str]:
    return [one.id for one in found]


def piece(value: str, day: int, *, key: str = "user.lives_in", act: Act = "state", quote: str = "") -> Evidence:
    return Evidence(
        id=f"{key}-{value}-{day}-{act}",
        key=key,
        value=value,
        act=act,
        confidence=0.75,
        source="user",
        quote=quote or value,
        episode_id=f"day-{day}",
        thread_id=f"day-{day}",
        turn_id=f"day-{day}",
        said_at=THEN + day * DAY,
    )


def judged(text: str, day: int, *said: Evidence) -> Overtaken:
    """Judge what was said on a day by the facts that all that was said gives."""
    under = {key: [one for one in said if one.key == key] for key in {one.key for one in said}}
    facts = {}
    for key, pieces in under.items():
        spec = default_keys().spec(key)
        assert spec is not None
        facts[key] = fold(key, pieces, spec=spec, name=lambda key, value: f"{key}={value}")
    return overtaken(text, [one for one in said if one.episode_id == f"day-{day}"], facts=facts, evidence=under)


@pytest.mark.parametrize(
    "query",
    [
        "Where did I use to live?",
        "What was my old address?",
        "Which job had I before?",
        "Where did I live in May?",
        "我以前住在哪里？",
        "我原来的公司叫什么？",
        "我去过哪些地方？",
        "去年我住哪儿？",
        "上次我说的餐厅是哪家？",
    ],
)
def test_a_question_about_how_things_were_is_known(query: str) -> None:
    assert asks_for_past(query, NOW)


@pytest.mark.parametrize(
    "query",
    [
        "Where do I live?",
        "How old is my son?",
        "When is the demo?",
        "Where am I going next month?",
        "我住在哪里？",
        "我女儿几岁了？",
        "我现在在哪家公司？",
        "下个月我去哪儿？",
    ],
)
def test_a_question_about_how_things_are_is_none(query: str) -> None:
    assert not asks_for_past(query, NOW)


@pytest.mark.parametrize(
    ("text", "more"),
    [("I live in Leeds", False), ("I live in Leeds and my landlord keeps three loud parrots", True)],
)
def test_what_gave_a_fact_that_was_replaced_is_overtaken_by_what_replaced_it(text: str, more: bool) -> None:
    old, new = piece("Leeds", 0, quote="I live in Leeds"), piece("Porto", 30)
    assert judged(text, 0, old, new) == Overtaken(by=("day-30",), wholly=not more)
    assert judged("Porto it is", 30, old, new) == Overtaken()


@pytest.mark.parametrize(("text", "more"), [("我住在成都", False), ("我住在成都，房东养了三只特别吵的鹦鹉", True)])
def test_it_is_so_in_chinese(text: str, more: bool) -> None:
    old, new = piece("成都", 0, quote="我住在成都"), piece("重庆", 30)
    assert judged(text, 0, old, new) == Overtaken(by=("day-30",), wholly=not more)


def test_what_replaced_it_and_was_replaced_itself_comes_before_what_holds_now() -> None:
    said = (piece("Leeds", 0), piece("Porto", 30), piece("Ghent", 50))
    assert judged("Leeds", 0, *said).by == ("day-30", "day-50")
    assert judged("Porto", 30, *said).by == ("day-50",)


def test_what_ended_is_overtaken_by_the_words_that_ended_it_and_other_values_are_not() -> None:
    said = (
        piece("climbing", 0, key="user.hobby"),
        piece("chess", 1, key="user.hobby"),
        piece("climbing", 30, key="user.hobby", act="retract"),
        piece("rowing", 40, key="user.hobby"),
    )
    assert judged("climbing", 0, *said) == Overtaken(by=("day-30",), wholly=True)
    assert judged("chess", 1, *said) == Overtaken()
    assert judged("no more climbing", 30, *said) == Overtaken()


def test_what_also_gave_what_still_holds_is_not_wholly_overtaken() -> None:
    said = (piece("Leeds", 0), piece("nurse", 0, key="user.occupation"), piece("Porto", 30))
    assert judged("Leeds nurse", 0, *said) == Overtaken(by=("day-30",), wholly=False)


def test_what_holds_again_is_not_overtaken() -> None:
    said = (piece("Leeds", 0), piece("Porto", 30), piece("Leeds", 50))
    assert judged("Leeds", 50, *said) == Overtaken()
    assert judged("Porto", 30, *said).by == ("day-50",)


def test_what_holds_now_takes_the_place_of_what_held_once() -> None:
    old = recalled("old", score=0.9, overtaken_by=("mid", "new"), wholly_overtaken=True)
    mid = recalled("mid", score=0.01, day=10, overtaken_by=("new",), wholly_overtaken=True)
    new = recalled("new", score=0.02, day=20)
    order = current_first([old, recalled("other", score=0.5), new, mid])
    assert ids(order) == ["new", "mid", "old", "other"]
    assert [one.score for one in order] == [0.9, 0.9, 0.9, 0.5]
    assert ids(without_overtaken(order)) == ["new", "other"]


def test_what_says_more_is_passed_only_by_what_is_near() -> None:
    old = recalled("old", score=0.9, overtaken_by=("new",))
    assert ids(current_first([old, recalled("new", score=0.5)])) == ["new", "old"]
    assert ids(current_first([old, recalled("new", score=0.01)])) == ["old", "new"]
    assert ids(without_overtaken([old, recalled("new", score=0.01)])) == ["old", "new"]


def test_what_overtook_something_shown_is_shown_and_without_it_nothing_is_left_out() -> None:
    old, new = recalled("old", overtaken_by=("new",), wholly_overtaken=True), recalled("new", score=0.01)
    assert ids(with_newer([old], [old, recalled("other"), new])) == ["old", "new"]
    assert ids(without_overtaken([old, recalled("other")])) == ["old", "other"]


@pytest.mark.parametrize(
    ("query", "old", "new"),
    [
        ("Which evening is the chess club?", "The chess club meets on Mondays", "They moved the chess club to Fridays"),
        ("象棋社哪天晚上活动？", "象棋社周一晚上活动", "象棋社改到周五晚上了"),
        ("What do I weigh now?", "80 kilos on the dot", "Scale says 76 today"),
        ("我现在体重多少？", "一百六十斤整", "早上称是一百五十五"),
    ],
)
def test_of_two_statements_about_the_same_the_newer_comes_first(query: str, old: str, new: str) -> None:
    found = [recalled("old", old, score=0.6), recalled("new", new, score=0.5, day=30)]
    assert ids(newest_of_alike(found, query)) == ["new", "old"]


ALIKE = (
    recalled("old", "The chess club meets on Mondays", score=0.6),
    recalled("new", "They moved the chess club to Fridays", score=0.5, day=30),
)


@pytest.mark.parametrize(
    "change",
    [
        {"day": -1},
        {"thread": "old"},
        {"speaker": "assistant"},
        {"score": 0.001},
        {"text": "The chess club meets on Mondays"},
        {"text": "Rain again"},
        {"signals": {}},
    ],
    ids=["older", "same thread", "another speaker", "far behind", "nothing new", "something else", "not ranked"],
)
def test_otherwise_all_stays_as_it_ranks(change: dict[str, Any]) -> None:
    known: dict[str, Any] = {"text": ALIKE[1].text, "score": 0.5, "day": 30, **change}
    found = [ALIKE[0], recalled("new", known.pop("text"), **known)]
    assert newest_of_alike(found, "Which evening is the chess club?") == found


def test_what_is_known_to_be_the_newest_of_its_kind_stays_first() -> None:
    old = recalled("older", score=0.1, overtaken_by=("old",))
    assert ids(newest_of_alike([*ALIKE, old], "Which evening is the chess club?")) == ["old", "new", "older"]


@pytest.mark.parametrize(
    ("query", "old", "new"),
    [
        (
            "Which day does the chess club of Anna meet?",
            "Anna has her chess club on Mondays",
            "I joined a chess team, Fridays it is",
        ),
        ("安娜的象棋社在星期几活动？", "安娜的象棋社周一活动", "我也去下象棋了，周五人最多"),
    ],
)
def test_what_has_little_of_the_topic_does_not_come_before_what_has_more(query: str, old: str, new: str) -> None:
    found = [recalled("old", old, score=0.8), recalled("new", new, score=0.4, day=30)]
    assert ids(newest_of_alike(found, query)) == ["old", "new"]


@pytest.mark.parametrize(("query", "first"), [("Where does Bo live now?", "new"), ("Where does Bo live?", "old")])
def test_what_others_say_of_themselves_is_compared_where_it_is_asked_how_things_are_now(query: str, first: str) -> None:
    said = ((0.6, "old", "I live by the harbour", 0), (0.5, "new", "I live up the hill", 30))
    found = [recalled(name, text, score=score, day=day, speaker="Bo") for score, name, text, day in said]
    assert ids(newest_of_alike(found, query))[0] == first


def unscored(found: Sequence[Recalled]) -> list[Recalled]:
    return sorted((replace(one, score=0) for one in found), key=lambda one: one.id)


NAMES = ("a", "b", "c", "d", "e")
by = st.lists(st.sampled_from(NAMES), max_size=3, unique=True).map(tuple)
memories = st.lists(
    st.tuples(
        st.floats(0, 1), st.integers(0, 40), by, st.booleans(), st.sampled_from(["tea", "black tea", "茶", "喝红茶"])
    ),
    min_size=5,
    max_size=5,
).map(
    lambda rows: [
        recalled(name, text, score=score, day=day, overtaken_by=overtakers, wholly_overtaken=wholly)
        for name, (score, day, overtakers, wholly, text) in zip(
            NAMES, sorted(rows, key=lambda row: -row[0]), strict=True
        )
    ]
)


@given(memories, st.sampled_from(["tea now", "现在喝什么茶"]))
def test_nothing_is_lost_but_what_is_left_out_and_the_better_still_come_first(
    found: list[Recalled], query: str
) -> None:
    for order in (current_first(found), newest_of_alike(found, query)):
        assert [one.score for one in order] == sorted((one.score for one in order), reverse=True)
        assert unscored(order) == unscored(found)
    left = set(ids(found)) - set(ids(without_overtaken(found)))
    assert left <= {one.id for one in found if one.wholly_overtaken}
