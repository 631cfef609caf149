"""Proposing by marks: what is marked becomes a draft where the user tells it in earnest, and the rules have the last word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jiyi.testing import WordTagger
from memory.keys import default_keys
from memory.kinds import Fact
from memory.proposing import proposed
from tests.jiyi.evals.facts_made import fact

KEYS = default_keys()
MONDAY = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
Told = list[tuple[str, str, str]]


def told(text: str, *believed: Fact, **said: str) -> Told:
    drafts = proposed(text, WordTagger(**said).tag(text), keys=KEYS, said_at=MONDAY, believed=believed)
    return [(one.key, one.value, one.act) for one in drafts]


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("nobody warns you that Zwettl gets dark at four", {"lives_in": "Zwettl"}, ("user.lives_in", "Zwettl")),
        ("盐城这边四点就天黑，谁受得了", {"lives_in": "盐城"}, ("user.lives_in", "盐城")),
        ("too much fennel lately, even for a fan", {"likes": "fennel"}, ("pref.likes", "fennel")),
        (
            "Ada lives for bouldering",
            {"person": "Ada", "person__hobby": "bouldering"},
            ("person.Ada.hobby", "bouldering"),
        ),
        ("豆包那家伙胖到九斤", {"pet": "豆包", "pet__weight": "九斤"}, ("pet.豆包.weight", "九斤")),
        ("bins go out Thursday, ugh", {"thing": "bins", "thing__time": "Thursday"}, ("thing.bins.time", "Thursday")),
    ],
)
def test_marked_words_become_a_draft(text: str, said: dict[str, str], expected: tuple[str, str]) -> None:
    assert (*expected, "state") in told(text, **said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("If Zwettl were my home I'd buy a lamp.", {"lives_in": "Zwettl"}),
        ("要是住在盐城，我肯定天天吃鱼", {"lives_in": "盐城"}),
        ('Translate this: "Zwettl is my home."', {"lives_in": "Zwettl"}),
        ("bouldering is her thing", {"person__hobby": "bouldering"}),
        ("下周三那件事让我睡不着", {"plan": "下周三"}),
        ("next Wednesday keeps me awake", {"plan": "next Wednesday"}),
        ("my badge says administrator of this bot", {"position": "administrator of this bot"}),
    ],
)
def test_what_is_not_told_in_earnest_is_not_proposed(text: str, said: dict[str, str]) -> None:
    assert told(text, **said) == []


@pytest.mark.parametrize(
    ("text", "said", "kept"),
    [
        ("I live in Graz.", {"works_in": "Graz"}, ("user.lives_in", "Graz")),
        ("I have a meeting tomorrow", {"plan": "meeting tomorrow"}, ("user.plan", "meeting (2026-05-05)")),
        ("明天上午我要去医院体检", {"plan": "去医院体检"}, ("user.plan", "我要去医院体检 (2026-05-05)")),
        ("Always answer me in English.", {"language": "English"}, ("pref.language", "en")),
        ("以后都用中文回答我", {"language": "中文"}, ("pref.language", "zh")),
    ],
)
def test_of_words_that_the_rules_read_they_have_the_last_word(
    text: str, said: dict[str, str], kept: tuple[str, str]
) -> None:
    assert told(text, **said) == told(text)
    assert (*kept, "state") in told(text)


@pytest.mark.parametrize(
    ("text", "said", "known"),
    [
        ("the pottery evenings are history", {"no__hobby": "pottery"}, ("user.hobby", "pottery")),
        ("陶艺班我退掉之后轻松多了", {"no__hobby": "陶艺"}, ("user.hobby", "陶艺")),
    ],
)
def test_what_ended_is_taken_back_where_it_was_believed(
    text: str, said: dict[str, str], known: tuple[str, str]
) -> None:
    assert (*known, "retract") in told(text, fact(*known), **said)
    assert all(act == "state" for _, _, act in told(text, **said))


def test_a_mark_of_which_the_tagger_is_unsure_is_left_out() -> None:
    text = "Zwettl again"
    (sure,) = WordTagger(lives_in="Zwettl").tag(text)
    unsure = type(sure)(**{**vars(sure), "confidence": 0.2})
    assert proposed(text, [sure], keys=KEYS, said_at=MONDAY)
    assert not proposed(text, [unsure], keys=KEYS, said_at=MONDAY)
