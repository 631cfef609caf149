"""A portrait: what is known of a user in a glance."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.decay import BELIEVED_FROM, effective_confidence
from memory.keys import Language, default_keys
from memory.kinds import Fact, FactStatus
from memory.portrait import MAX_CHARS, Portrait, Tally, portrait_of, tally_line, told_in

NOW = datetime(2026, 5, 6, 9, tzinfo=UTC)
KNOWN = Tally(episodes=4, facts=3, waiting=1, last_at=NOW - timedelta(hours=1))
KEYS = default_keys()
LANGUAGES: tuple[Language, ...] = ("zh", "en")
FAMILIES = ("user.name", "user.lives_in", "user.health", "user.hobby", "pref.likes", "pref.style", "person.Mia.age")


def fact(
    key: str,
    value: str,
    confidence: float = 0.9,
    *,
    status: FactStatus = "active",
    idle_days: float = 0,
    name: str = "",
) -> Fact:
    then = NOW - timedelta(days=idle_days)
    spec = KEYS.spec(key)
    return Fact(
        id=name or f"{key}={value}",
        key=key,
        value=value,
        confidence=confidence,
        status=status,
        valid_from=then,
        valid_to=None,
        first_seen=then,
        last_confirmed=then,
        sensitivity=spec.sensitivity if spec else "normal",
    )


def drawn(
    *facts: Fact,
    tally: Tally = KNOWN,
    language: Language | None = "en",
    sensitive: bool = False,
    max_chars: int = MAX_CHARS,
) -> Portrait:
    return portrait_of(facts, tally, keys=KEYS, language=language, now=NOW, sensitive=sensitive, max_chars=max_chars)


facts = st.builds(
    fact,
    st.sampled_from(FAMILIES),
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=80).filter(str.strip),
    st.floats(0, 0.99),
    status=st.sampled_from(("active", "proposed", "superseded", "retracted")),
    idle_days=st.floats(0, 900),
    name=st.uuids().map(str),
)


@given(st.lists(facts, max_size=30), st.sampled_from(LANGUAGES), st.booleans(), st.integers(60, 400))
def test_it_is_never_too_long_holds_whole_facts_and_only_what_may_be_shown(
    held: list[Fact], language: Language, sensitive: bool, max_chars: int
) -> None:
    portrait = drawn(*held, language=language, sensitive=sensitive, max_chars=max_chars)

    assert len(portrait.text) <= max_chars
    assert set(portrait.facts) <= set(held)
    for one in portrait.facts:
        spec = KEYS.spec(one.key)
        assert spec is not None
        assert " ".join(one.value.split()) in portrait.text
        assert one.status == "active"
        assert effective_confidence(one, spec=spec, now=NOW) >= BELIEVED_FROM
        assert sensitive or one.sensitivity == "normal"


def shuffled_twice(held: list[Fact]) -> st.SearchStrategy[tuple[list[Fact], list[Fact]]]:
    return st.tuples(st.just(held), st.permutations([*held, *held]))


@given(st.lists(facts, max_size=12).flatmap(shuffled_twice), st.sampled_from(LANGUAGES))
def test_neither_the_order_nor_a_second_copy_changes_it(
    given_twice: tuple[list[Fact], list[Fact]], language: Language
) -> None:
    once, twice = given_twice

    assert drawn(*twice, language=language).text == drawn(*once, language=language).text


@pytest.mark.parametrize(
    ("language", "values", "text"),
    [
        (
            "zh",
            ("小王", "苏州", "川菜", "摄影", "养花"),
            "基本特征：称呼 小王；居住地 苏州\n兴趣偏好：爱好 养花、摄影；喜欢 川菜\n交互模式：回答风格 简短；回答语言 中文",
        ),
        (
            "en",
            ("Ada", "Leeds", "black tea", "chess", "rowing"),
            "Who they are: name Ada; lives in Leeds\nWhat they like: hobby chess, rowing; likes black tea\n"
            "How to talk to them: answer style brief; answer language chinese",
        ),
    ],
)
def test_it_says_who_they_are_what_they_like_and_how_to_talk_to_them(
    language: Language, values: tuple[str, ...], text: str
) -> None:
    name, home, liked, hobby, other = values
    held = (
        fact("pref.language", "zh"),
        fact("pref.likes", liked),
        fact("user.hobby", hobby),
        fact("user.hobby", other),
        fact("pref.style", "brief"),
        fact("user.lives_in", home),
        fact("user.name", name),
    )

    assert drawn(*held, language=language).text == text


def test_the_surest_stands_first_and_an_old_liking_fades_out_of_it() -> None:
    held = (
        fact("user.lives_in", "Leeds", 0.75),
        fact("user.occupation", "nurse", 0.95),
        fact("pref.likes", "jazz", 0.75, idle_days=300),
        fact("user.school", "Elm School", 0.69),
    )

    assert drawn(*held).text == "Who they are: occupation nurse; lives in Leeds"


def test_what_does_not_fit_is_left_out_whole_and_what_is_less_sure_but_fits_stands() -> None:
    long, short = fact("user.remember", "x" * 190, 0.95), fact("user.lives_in", "Leeds", 0.75)

    portrait = drawn(long, short)

    assert (portrait.facts, portrait.text) == ((short,), "Who they are: lives in Leeds")
    assert drawn(long, short, max_chars=300).facts == (long, short)


def test_sensitive_things_are_shown_only_when_asked_for() -> None:
    ill, name = fact("user.health", "asthma"), fact("user.name", "Ada")

    assert drawn(ill, name).facts == (name,)
    assert set(drawn(ill, name, sensitive=True).facts) == {ill, name}
    marked_before = replace(fact("user.lives_in", "Leeds"), sensitivity="sensitive")
    assert drawn(marked_before, name).facts == (name,)


@pytest.mark.parametrize("status", ["proposed", "superseded", "retracted"])
def test_what_is_not_believed_now_is_not_shown(status: FactStatus) -> None:
    assert drawn(fact("user.lives_in", "Leeds", status=status)).facts == ()


def test_what_says_nothing_about_somebody_or_is_of_no_family_is_not_shown() -> None:
    held = (fact("ref.order", "#8842"), fact("user.todo", "buy bread"), fact("weather.today", "rain"))

    assert drawn(*held).facts == ()


def test_what_an_agent_and_all_agents_know_is_said_once() -> None:
    own, shared = fact("user.lives_in", "Leeds", 0.9, name="own"), fact("user.lives_in", "leeds", 0.8, name="shared")

    assert drawn(shared, own).facts == (own,)


def test_a_value_of_several_lines_stands_on_one() -> None:
    assert drawn(fact("user.lives_in", "Leeds\n\tUK")).text == "Who they are: lives in Leeds UK"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "新用户，暂无历史"),
        ("en", "A new user: nothing is remembered yet."),
        (None, "新用户，暂无历史 / A new user: nothing is remembered yet."),
    ],
)
def test_a_new_user_is_called_new(language: Language | None, text: str) -> None:
    assert drawn(tally=Tally(), language=language) == Portrait(text=text)
    assert drawn(tally=Tally(waiting=2), language=language).text == text


@pytest.mark.parametrize("tally", [Tally(episodes=1), Tally(facts=1), Tally(past=1)])
def test_who_has_said_anything_is_not_new(tally: Tally) -> None:
    assert drawn(tally=tally, language="zh").text == "还没有足够确定的了解"
    assert drawn(tally=tally, language="en").text == "Nothing is known for sure yet."


def test_the_tally_says_how_much_is_kept_and_when_the_user_was_last_heard() -> None:
    assert tally_line(KNOWN, "zh") == "对话 4 条，事实 3 条，待确认 1 条；最近一次交互：2026-05-06 08:00"
    assert tally_line(KNOWN, "en") == "episodes: 4, facts: 3, waiting for review: 1; last interaction: 2026-05-06 08:00"
    assert tally_line(Tally(), "en").endswith("last interaction: time unknown")
    assert tally_line(Tally(), None) == f"{tally_line(Tally(), 'zh')} / {tally_line(Tally(), 'en')}"


@pytest.mark.parametrize(
    ("held", "words", "language"),
    [
        ((fact("user.lives_in", "苏州"), fact("pref.likes", "jazz")), (), "zh"),
        ((fact("user.lives_in", "Leeds"),), ("你好",), "en"),
        ((fact("pref.style", "brief"),), ("请简短回答",), "zh"),
        ((fact("pref.style", "brief"),), ("Keep it short, please.",), "en"),
        ((), ("", " "), None),
        ((fact("pref.style", "brief"),), (), None),
    ],
)
def test_the_language_is_that_of_the_facts_or_else_of_what_was_said(
    held: tuple[Fact, ...], words: tuple[str, ...], language: Language | None
) -> None:
    assert told_in(held, words, keys=KEYS) == language
