"""Recalled: what bears on a query, and why."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ranking.terms import terms_of
from memory.recalled import (
    LEAST_LEXICAL,
    LEAST_SEMANTIC,
    Parts,
    Recalled,
    asks_for_memory,
    bears_on,
    parts_of,
    same_words,
    score_of,
    with_use,
)
from memory.words import has_cjk

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


def recalled(text: str = "x", *, fit: float = 0.0, used: float = 0.0, **known: Any) -> Recalled:
    return Recalled(
        id="e",
        kind="episodes",
        agent="_",
        text=text,
        speaker="user",
        thread_id="t",
        turn_id="u",
        said_at=known.pop("said_at", None),
        score=0.7,
        parts=Parts(lexical=fit, semantic=fit, recency=used, frequency=used),
        **known,
    )


def test_it_says_why_in_both_languages() -> None:
    one = recalled(fit=0.8, matched=("kite", "red"))
    assert one.why() == "same words: kite, red; similar in meaning"
    assert recalled(fit=0.8, matched=("风筝", "红色")).why("zh") == "用词相同：风筝、红色；意思相近"


def test_every_reason_is_told_in_both_languages() -> None:
    signals = {
        "words": 9.0,
        "meaning": 9.0,
        "person": 0.5,
        "when": 3.0,
        "neighbours": 1.0,
        "form": 9.0,
        "expansion": 0.4,
    }
    one = recalled(fit=0.9, used=0.9, said_at=NOW, signals=signals)
    assert one.why() == (
        "same words; similar in meaning; said by or about the person asked about; fits the time asked for; near what fits; "
        "words that go with those asked for; recent; often used"
    )
    assert one.why("zh") == (
        "用词相同；意思相近；是所问的人说的，或说到了此人；时间对得上；紧挨着相关的话；用词常与所问的一同出现；最近的；常用到"
    )


def test_what_answers_a_question_that_fits_says_so() -> None:
    assert recalled(signals={"neighbours": 1.0}, answers=True).why() == "answers the question before it"
    assert recalled(signals={"neighbours": 1.0}, answers=True).why("zh") == "回答了前一句的提问"
    assert recalled(signals={"neighbours": 0.1}, answers=True).why() == "nothing in particular"


def test_what_speaks_against_it_and_an_unknown_time_are_no_reasons() -> None:
    assert recalled(used=0.2, signals={"person": -2.0, "form": 1.0}).why() == "nothing in particular"
    assert recalled(used=0.2, signals={"person": -2.0}).why("zh") == "没有特别的理由"


@pytest.mark.parametrize(
    ("query", "text", "same"),
    [
        ("Where is the red kite, and other kites?", "I saw a kite, it was RED", ("RED", "kite")),
        ("what about 4471", "again ERR-4471, as before", ("ERR-4471",)),
        ("is #8842 there", "the order is #8843", ()),
        ("what do you like", "the one that you have", ()),
        ("成都的红色风筝在哪里", "红色风筝在成都买的", ("成都", "红色风筝")),
        ("我的猫豆豆打疫苗了吗", "豆豆是我的猫，今天打了疫苗", ("猫", "豆豆", "疫苗")),
        ("你知道为什么吗", "我不知道是为什么", ("知道",)),
        ("那是什么", "这是什么", ()),
        ("技术论坛的主要内容是什么", "技术论坛的主要内容是论坛经济", ("技术论坛的主要内容",)),
        ("猫", "我家有一只黑猫", ("猫",)),
        ("iPhone，MacBook 哪个好", "买了iPhone和ＭａｃBook", ("iPhone", "MacBook")),
    ],
)
def test_the_same_words_are_named_as_they_are_spelled_in_the_memory(query: str, text: str, same: tuple[str]) -> None:
    assert same_words(query, text) == same


@given(st.text("ab 猫豆我的#-1，."), st.text("ab 猫豆我的#-1，."))
def test_the_same_words_stand_in_the_text_each_once(query: str, text: str) -> None:
    same = same_words(query, text)
    plain = unicodedata.normalize("NFKC", text)
    assert all(word in plain for word in same)
    assert len(set(same)) == len(same)
    assert all(word in unicodedata.normalize("NFKC", query) for word in same if has_cjk(word))
    assert all(set(terms_of(word)) & set(terms_of(query)) for word in same if not has_cjk(word))


def test_recency_and_use_lift_a_score_a_little_at_any_height() -> None:
    bare = Parts(lexical=1, semantic=1, recency=0, frequency=0)
    used = Parts(lexical=1, semantic=1, recency=1, frequency=1)
    for ranked in (0.0, 0.01, 0.5, 0.99, 1.0):
        assert with_use(ranked, bare) == pytest.approx(ranked)
        assert ranked - 1e-9 <= with_use(ranked, used) <= 1
    assert with_use(0.5, used) == pytest.approx(0.5987, abs=1e-4)
    assert with_use(0.99, bare) > with_use(0.98, used)
    assert with_use(0.5, used, without=frozenset({"recency", "frequency"})) == 0.5
