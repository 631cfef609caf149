"""What the offline model explains and remembers: the grounds of what is asked about, and no others, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage, HumanMessage

from graph.models.about import facts_to_remember
from graph.models.explaining import facts_in_question
from graph.models.offline import answer
from memory.prompt import PromptParts, ShownExchange, ShownFact, assemble

ZH = (
    ShownFact(key="user.lives_in", label="居住地", value="苏州", grounds=("2026-05-01 “我住在苏州”",)),
    ShownFact(key="user.allergy", label="过敏", value="芒果", grounds=("2026-05-02 “我对芒果过敏”",)),
    ShownFact(key="pref.likes", label="喜欢", value="茶", grounds=("2026-05-03 “我喜欢茶”",)),
    ShownFact(key="pref.likes", label="喜欢", value="滑雪", grounds=("2026-05-04 “滑雪我也喜欢”",)),
    ShownFact(key="pet.豆豆.species", label="豆豆的种类", value="猫", grounds=("2026-05-05 “我的猫叫豆豆”",)),
)
EN = (
    ShownFact(key="user.lives_in", label="lives in", value="York", grounds=("2026-05-01 “I live in York”",)),
    ShownFact(key="user.allergy", label="allergic to", value="mango", grounds=("2026-05-02 “mango makes me ill”",)),
    ShownFact(key="pref.likes", label="likes", value="tea", grounds=("2026-05-03 “I like tea”",)),
    ShownFact(key="pref.likes", label="likes", value="skiing", grounds=("2026-05-04 “skiing too”",)),
    ShownFact(key="pet.Dot.species", label="kind of Dot", value="cat", grounds=("2026-05-05 “my cat is Dot”",)),
)
SPARE_KEY = ShownFact(key="user.remember", label="用户要求记住", value="地下室钥匙挂在厨房门后")
GATE_CODE = ShownFact(key="user.remember", label="asked to remember", value="the ladder hangs behind the garage door")


def reply(asked: str, *facts: ShownFact, before: str = "", recalled: tuple[ShownExchange, ...] = ()) -> str:
    window: tuple[BaseMessage, ...] = tuple(HumanMessage(one) for one in (before, asked) if one)
    return answer(assemble(PromptParts(window=window, count=len, facts=facts, recalled=recalled)), []).text


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("你怎么知道我住苏州？", "我住在苏州"),
        ("你为什么觉得我对芒果过敏？", "我对芒果过敏"),
        ("你为什么说我喜欢滑雪？", "滑雪我也喜欢"),
        ("你怎么知道我爱喝茶？", "我喜欢茶"),
        ("你怎么知道我养猫？", "我的猫叫豆豆"),
        ("你凭什么觉得我养了一只猫？", "我的猫叫豆豆"),
        ("How do you know where I live?", "I live in York"),
        ("Why do you think I'm allergic to mango?", "mango makes me ill"),
        ("Why do you say I like skiing?", "skiing too"),
        ("How do you know I keep a cat?", "my cat is Dot"),
        ("What makes you think I drink tea?", "I like tea"),
    ],
)
def test_of_several_facts_the_one_that_is_named_is_explained_whatever_was_asked_before(asked: str, words: str) -> None:
    facts = ZH if any(words in fact.grounds[0] for fact in ZH) else EN
    others = [fact for fact in facts if words not in fact.grounds[0]]

    for before in ("", "我对什么过敏？" if facts is ZH else "What am I allergic to?"):
        told = reply(asked, *facts, before=before)
        assert words in told
        assert not any(fact.grounds[0] in told for fact in others)


@pytest.mark.parametrize(
    ("before", "asked", "words"),
    [
        ("我住哪里？", "你怎么知道的？", "我住在苏州"),
        ("我对什么过敏？", "为什么这么认为？", "我对芒果过敏"),
        ("我对什么过敏？", "有什么依据？", "我对芒果过敏"),
        ("Where do I live?", "What makes you so sure?", "I live in York"),
        ("What am I allergic to?", "Why do you believe that?", "mango makes me ill"),
        ("What am I allergic to?", "Who told you?", "mango makes me ill"),
    ],
)
def test_a_question_that_names_nothing_is_about_what_was_asked_before(before: str, asked: str, words: str) -> None:
    facts = ZH if any(words in fact.grounds[0] for fact in ZH) else EN

    assert [fact.grounds[0][12:-1] for fact in facts_in_question(asked, [before], facts)] == [words]


@pytest.mark.parametrize(
    ("asked", "before", "facts"),
    [
        ("你怎么知道我养狗？", "我对什么过敏？", ZH),
        ("你为什么觉得我会弹钢琴？", "我住哪里？", ZH),
        ("How do you know I have a dog?", "What am I allergic to?", EN),
        ("Why do you think I play the piano?", "Where do I live?", EN),
    ],
)
def test_what_nothing_is_known_of_is_not_explained_by_something_else(
    asked: str, before: str, facts: tuple[ShownFact, ...]
) -> None:
    assert facts_in_question(asked, [before], facts) == []
    assert not any(fact.grounds[0] in reply(asked, *facts, before=before) for fact in facts)


@given(st.sampled_from([*ZH, *EN]).map(lambda fact: fact.value), st.text(max_size=20))
def test_what_is_explained_is_always_among_what_has_grounds(value: str, around: str) -> None:
    facts = (*ZH, *EN)

    assert all(fact in facts for fact in facts_in_question(f"你怎么知道{around}{value}", [around], facts))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("地下室钥匙在哪？", "地下室钥匙挂在厨房门后"),
        ("地下室的钥匙放哪儿了？", "地下室钥匙挂在厨房门后"),
        ("Where is the ladder?", "the ladder hangs behind the garage door"),
        ("where did we put the ladder", "the ladder hangs behind the garage door"),
    ],
)
def test_a_question_without_my_is_answered_by_what_was_to_be_remembered(asked: str, told: str) -> None:
    assert told in reply(asked, SPARE_KEY, GATE_CODE)


@pytest.mark.parametrize(
    "asked", ["明天天气怎么样？", "厨房门多少钱一扇合适呢？", "How high is the Eiffel tower?", "在哪？"]
)
def test_what_was_to_be_remembered_does_not_answer_other_questions(asked: str) -> None:
    assert facts_to_remember(asked, [SPARE_KEY, GATE_CODE]) == []


def test_a_thing_is_known_by_its_name_of_several_words() -> None:
    fact = ShownFact(key="thing.bike_pump.location", label="location of bike pump", value="under the stairs")

    assert "under the stairs" in reply("Where is the bike pump?", fact)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我家兔子叫雪球，特别黏人", "我的兔子叫什么名字？"),
        ("我养了一只鹦鹉，叫可可", "我养的那只鹦鹉叫什么？"),
        ("My hamster is called Biscuit, he bites", "What is my hamster's name?"),
    ],
)
def test_what_was_said_of_an_animal_answers_for_its_name_however_it_was_called_mine(said: str, asked: str) -> None:
    exchange = ShownExchange(id="e1", said_at=datetime(2026, 5, 1, tzinfo=UTC), lines=(("user", said),))

    assert said in reply(asked, recalled=(exchange,))
