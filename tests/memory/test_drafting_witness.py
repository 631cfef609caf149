"""A witness: where our signs do not know the wording, what a tagger makes of the words decides on a model's proposal."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jiyi.testing import WordTagger
from memory.drafting import Drafted, drafts_of
from memory.extraction_schema import Extraction, ProposedMemory
from memory.keys import default_keys
from memory.kinds import Fact
from store.tag.marking import witness_in
from tests.jiyi.evals.facts_made import fact
from tests.memory.test_powers import rows

KEYS = default_keys()
MONDAY = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)

UNSIGNED = """
user.lives_in | Zwettl | lives_in | Zwettl gets dark at four, which lamp?
user.occupation | 配音 | occupation | 嗓子哑了三天，配音的活儿全推了，喝什么好
user.employer | 远帆科技 | employer | 远帆科技食堂又涨价了，中午带什么饭
user.age | 30岁 | age | 昨天过生日，正式30岁了
user.education | master's | education | I've got a master's and no idea what to do with it
user.allergy | hazelnuts | allergy | hazelnuts and I are enemies since the ambulance
"""


def drafted(text: str, key: str, value: str, *believed: Fact, act: str = "state", **marked: str) -> Drafted:
    memory = ProposedMemory.model_validate({"key": key, "value": value, "quote": text, "confidence": 0.75, "act": act})
    witness = witness_in(text, WordTagger(**marked) if marked else None)
    return drafts_of(
        Extraction(memories=[memory]),
        text,
        keys=KEYS,
        said_at=MONDAY,
        timezone="UTC",
        believed=believed,
        witness=witness,
    )


def told(result: Drafted) -> list[tuple[str, str, str]]:
    return [(one.key, one.value, one.act) for one in result.drafts]


@pytest.mark.parametrize(("key", "value", "tag", "text"), rows(UNSIGNED))
def test_what_no_sign_of_ours_knows_is_drafted_where_the_witness_bears_it_out(
    key: str, value: str, tag: str, text: str
) -> None:
    assert drafted(text, key, value).drafts == ()
    assert told(drafted(text, key, value, **{tag: value})) == [(key, value, "state")]
    assert drafted(text, key, value, pet__weight=value).dropped == ("somebody_elses",)


@pytest.mark.parametrize(
    ("text", "key", "value", "marked"),
    [
        ("my sister lives near Graz", "user.lives_in", "Graz", {"person": "sister", "person__lives_in": "Graz"}),
        ("我姐爱吃螺蛳粉", "pref.likes", "螺蛳粉", {"person": "姐", "person__likes": "螺蛳粉"}),
        ("she works as a vet", "user.occupation", "vet", {"person__occupation": "vet"}),
    ],
)
def test_what_is_somebody_elses_is_not_the_users(text: str, key: str, value: str, marked: dict[str, str]) -> None:
    assert drafted(text, key, value, **marked).dropped == ("somebody_elses",)


def test_what_belongs_to_the_users_things_is_no_strangers() -> None:
    assert told(drafted("My bike is a steel Kona", "user.uses.bike", "Kona", thing__brand="Kona"))


@pytest.mark.parametrize("text", ["Bob and I had lunch", "the memoir is by Bob"])
def test_a_name_needs_a_sign_whatever_the_witness_says(text: str) -> None:
    assert drafted(text, "user.name", "Bob", name="Bob").drafts == ()


def test_what_ended_is_no_statement() -> None:
    assert drafted("Handed in the badge of Acme", "user.employer", "Acme", no__employer="Acme").dropped == ("negated",)


@pytest.mark.parametrize(
    ("text", "key", "value", "marked"),
    [
        ("Sold the kettles, so much for homebrewing", "user.hobby", "homebrewing", {"no__hobby": "homebrewing"}),
        ("记账小程序下架了，服务器也退掉了", "user.project", "记账小程序", {"no__project": "记账小程序"}),
        ("Funny thing, olives are my jam", "pref.dislikes", "olives", {"likes": "olives"}),
        ("播客真香，通勤全靠它", "pref.dislikes", "播客", {"likes": "播客"}),
    ],
)
def test_what_the_witness_knows_to_have_ended_is_taken_back(
    text: str, key: str, value: str, marked: dict[str, str]
) -> None:
    assert drafted(text, key, value, act="retract").dropped == ("not_taken_back",)
    assert told(drafted(text, key, value, act="retract", **marked)) == [(key, value, "retract")]


def test_what_is_said_to_have_ended_in_fewer_words_is_taken_back_as_it_is_kept() -> None:
    kept = (fact("user.project", "building a birdhouse webcam"), fact("user.project", "a compiler"))
    text = "I gave up the birdhouse webcam"
    result = drafted(text, "user.project", "birdhouse webcam", *kept, act="retract", no__project="birdhouse webcam")
    assert told(result) == [("user.project", "building a birdhouse webcam", "retract")]


def test_a_not_elsewhere_in_the_clause_denies_nothing_that_the_witness_bears_out() -> None:
    text = "My son is 7 and cannot sit through dinner"
    assert drafted(text, "person.son.age", "7").dropped == ("negated",)
    assert told(drafted(text, "person.son.age", "7", person="son", person__age="7")) == [
        ("person.son.age", "7", "state")
    ]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("我爸一个人住在县城", "person.爸爸.lives_in", "县城"),
        ("Book club is on Fridays", "thing.book_club.time", "Fridays"),
        ("I'm on SK802 to Oslo", "thing.flight_to_Oslo.flight", "SK802"),
    ],
)
def test_whoever_is_called_otherwise_is_named_all_the_same(text: str, key: str, value: str) -> None:
    assert told(drafted(text, key, value)) == [(key, value, "state")]


@pytest.mark.parametrize("text", ["糖糖对鸡肉过敏，只能吃鱼肉的粮", "雪球对牛肉过敏"])
def test_an_allergy_of_somebody_named_is_theirs(text: str) -> None:
    value = text.split("对")[1].split("过敏", maxsplit=1)[0]
    assert drafted(text, "user.allergy", value, allergy=value).dropped == ("somebody_elses",)
