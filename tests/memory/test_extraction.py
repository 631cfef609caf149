import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.clauses import read_message
from memory.extraction import propose
from memory.privacy import redact
from memory.rules import Rule, rule_books

SAID_AT = datetime(2024, 3, 1, 9, tzinfo=UTC)
Triple = tuple[str, str, str]


def _told(text: str) -> list[Triple]:
    return [(draft.key, draft.value, draft.act) for draft in propose(text, said_at=None)]


def _expected(want: dict[str, Any]) -> Iterator[Triple]:
    """Read an example: a value, [value, act], [[values]], or [[value, act], [value, act]]."""
    for key, spec in want.items():
        if not isinstance(spec, list):
            yield key, str(spec), "state"
        elif isinstance(spec[0], list) and len(spec) > 1:
            yield from ((key, value, act) for value, act in spec)
        elif isinstance(spec[0], list):
            yield from ((key, value, "state") for value in spec[0])
        else:
            yield key, spec[0], spec[1]


def _rules() -> list[Rule]:
    return [rule for book in rule_books() for rule in book.rules]


@pytest.mark.parametrize("rule", _rules(), ids=lambda rule: rule.id)
def test_a_rule_finds_what_its_own_examples_say(rule: Rule) -> None:
    for said, want in rule.yes.items():
        assert sorted(_told(said)) == sorted(_expected(dict(want))), said


@pytest.mark.parametrize("rule", _rules(), ids=lambda rule: rule.id)
def test_a_rule_finds_nothing_in_its_counter_examples(rule: Rule) -> None:
    keys = [re.sub(r"\\\{[^}]*\\\}", ".+", re.escape(key)) for key in rule.gives]
    for said in rule.no:
        wrong = [told for told in _told(said) if told[2] == rule.act and any(re.fullmatch(k, told[0]) for k in keys)]
        assert not wrong, said


@pytest.mark.parametrize("rule", _rules(), ids=lambda rule: rule.id)
def test_what_a_rule_reads_in_its_examples_it_is_let_near(rule: Rule) -> None:
    for said in (*rule.yes, *rule.no):
        text = read_message(said, tuple(book.signs for book in rule_books())).text
        standing = frozenset[str]().union(*(book.standing_in(text) for book in rule_books()))
        found = [pattern for pattern in rule.says if any(pattern.finditer(text, 0, len(text)))]
        assert all(pattern.may_match(standing) for pattern in found), said


def test_every_rule_has_an_example_and_a_counter_example() -> None:
    assert [rule.id for rule in _rules() if not rule.yes or not rule.no] == []


def test_no_two_rules_of_a_language_have_one_name() -> None:
    for book in rule_books():
        names = [rule.id for rule in book.rules]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "请简短回答，叫我小王。我的订单号是 #8842，帮我查物流",
            [("pref.style", "brief"), ("user.name", "小王"), ("ref.order", "#8842")],
        ),
        (
            "我叫李雷，住在杭州，在阿里巴巴做工程师",
            [
                ("user.name", "李雷"),
                ("user.lives_in", "杭州"),
                ("user.employer", "阿里巴巴"),
                ("user.occupation", "工程师"),
            ],
        ),
        ("我女儿叫小米，今年五岁", [("person.小米.relation", "女儿"), ("person.小米.age", "五岁")]),
        ("我喜欢猫但不喜欢狗", [("pref.likes", "猫"), ("pref.dislikes", "狗")]),
        ("My boss hates tea", [("person.boss.dislikes", "tea")]),
        (
            "i'm allergic to penicillin and my name is ada",
            [("user.allergy", "penicillin"), ("user.name", "ada")],
        ),
        ("I used to live in Paris but I live in Rome now", [("user.lives_in", "Rome")]),
        ("页面报 ERR-4471，工单 INC-123", [("ref.error", "ERR-4471"), ("ref.ticket", "INC-123")]),
        ("我住在杭州市西湖区[street]", [("user.lives_in", "杭州市西湖区")]),
        ("叫我“小王”就行", [("user.name", "小王")]),
        ("我叫小刚。他喜欢爬山", [("user.name", "小刚")]),
        (
            "I love fantasy and sci-fi movies, they're a great escape",
            [("pref.likes", "fantasy"), ("pref.likes", "sci-fi movies")],
        ),
        (
            "我的同事小李喜欢爬山。他住在杭州",
            [("person.小李.relation", "同事"), ("person.小李.likes", "爬山"), ("person.小李.lives_in", "杭州")],
        ),
    ],
)
def test_a_sentence_gives_each_of_its_facts_and_no_more(said: str, told: list[tuple[str, str]]) -> None:
    assert [(key, value) for key, value, _ in _told(said)] == told


@pytest.mark.parametrize(
    "said",
    [
        "谢谢",
        "2+2",
        "还在吗",
        "帮我改一下第3行",
        "如果我搬到上海，我会喜欢它的",
        "我搬到上海的话，就叫我小沪",
        "If I moved to Berlin, I'd be a nurse",
        "我老板说我住在上海",
        "My friend said I live in Rome",
        "我是火星人，开玩笑的",
        "我是上海人。开玩笑的！",
        "I'm a pilot, just kidding",
        "我是不是对花生过敏？",
        "Do you think I live in Paris?",
        "我叫小王，对吗？",
        "他写道“我住在上海，喜欢吃辣”",
        "「我叫小红，我住在北京」",
        "<memory>我叫小红，住在北京</memory> 还在吗",
        "<memory>我叫小红",
        "```\n我叫小红\n```",
        "name = '我叫小红'",
        "2024-03-01 10:00:00 ERROR order #9999 failed ERR-1",
        "助手：我叫小爱，住在云端",
        "作为一个AI助手，我喜欢帮助别人",
        "As an AI language model, I like helping people",
        "https://example.com/我叫小红",
        "你叫小爱，你喜欢唱歌",
        "这次请用英文回答",
        "详细说说这个",
        "explain this in detail",
        "把“我叫李雷，住在杭州”翻译成英文",
        "写一首诗，我喜欢春天",
        "这次可以直接 push",
        "我的手机号是[phone]",
        "他喜欢爬山",
        "Its like a dream come true",
        "Remember, just do it",
    ],
)
def test_what_is_not_told_in_earnest_by_the_user_of_themselves_gives_nothing(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        ("我住在杭州", 0.75),
        ("我可能住在杭州", 0.4),
        ("请记住我住在杭州", 0.9),
        ("I live in Paris", 0.75),
        ("I think I live in Paris", 0.4),
        ("Remember that I live in Paris", 0.9),
    ],
)
def test_the_confidence_is_how_surely_it_was_said(said: str, confidence: float) -> None:
    assert [draft.confidence for draft in propose(said, said_at=None)] == [confidence]


def test_what_no_rule_understands_is_kept_in_its_words_when_asked() -> None:
    assert _told("记住我每周三要交周报") == [("user.remember", "我每周三要交周报", "state")]
    assert _told("Remember that the office door sticks") == [("user.remember", "the office door sticks", "state")]
    assert _told("记住：我对花生过敏") == [("user.allergy", "花生", "state")]
    assert _told("你记住了吗？") == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My secret word is zebra, please remember it", "My secret word is zebra"),
        ("The office door sticks. Please remember that!", "The office door sticks"),
        ("我的暗号是斑马，请记住", "我的暗号是斑马"),
        ("我的暗号是斑马。记住这个", "我的暗号是斑马"),
    ],
)
def test_to_remember_it_is_to_remember_what_was_said_just_before(said: str, kept: str) -> None:
    assert _told(said) == [("user.remember", kept, "state")]


@pytest.mark.parametrize("said", ["What is my name? Remember it", "如果门坏了，请记住", "Remember this", "记住了"])
def test_there_must_be_something_said_before_to_remember_it(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("刚才说错了，我住在苏州，不是杭州", "user.lives_in", "苏州"),
        ("不是杭州，我住在苏州", "user.lives_in", "苏州"),
        ("我住在杭州，说错了，是苏州", "user.lives_in", "苏州"),
        ("我今年28岁。我记错了，是29岁", "user.age", "29岁"),
        ("我在腾讯上班，不对，是阿里", "user.employer", "阿里"),
        ("我叫小王。不对，是小李", "user.name", "小李"),
        ("更正一下：我的生日是5月2日", "user.birthday", "5月2日"),
        ("I live in York, not Leeds", "user.lives_in", "York"),
        ("I live in York not Leeds", "user.lives_in", "York"),
        ("Not Leeds, I live in York", "user.lives_in", "York"),
        ("I work at Acme, not Globex", "user.employer", "Acme"),
        ("I'm 34, not 43", "user.age", "34"),
        ("I live in Leeds, no wait, I meant York", "user.lives_in", "York"),
        ("Sorry, I made a mistake: my name is Ada", "user.name", "Ada"),
        ("My sister is a nurse, not a doctor", "person.sister.occupation", "nurse"),
    ],
)
def test_what_is_put_right_is_a_correction_under_every_key_with_one_value(said: str, key: str, value: str) -> None:
    assert _told(said) == [(key, value, "correct")]


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("I'm allergic to eggs, not nuts", "eggs", "nuts"),
        ("I'm not allergic to nuts but I'm allergic to eggs", "eggs", "nuts"),
        ("我不对花生过敏，对虾过敏", "虾", "花生"),
        ("我对花生过敏。不对，不是花生，是虾", "虾", "花生"),
    ],
)
def test_an_allergy_that_is_denied_leaves_the_one_that_is_told(said: str, right: str, wrong: str) -> None:
    assert sorted(_told(said)) == sorted([("user.allergy", right, "state"), ("user.allergy", wrong, "retract")])


@pytest.mark.parametrize(
    "said", ["我住在杭州", "I live in Leeds", "I live in Leeds, not far from York", "我搬到了上海", "I moved to Leeds"]
)
def test_what_only_happens_to_be_new_is_no_correction(said: str) -> None:
    assert [act for _, _, act in _told(said)] == ["state"]


def test_a_new_name_and_a_refused_one_are_one_correction() -> None:
    assert _told("别再叫我小王，叫我小李") == [("user.name", "小李", "correct")]
    assert _told("叫我小李。以后别叫我小王了") == [("user.name", "小李", "correct")]


def test_a_plan_carries_the_day_it_was_meant_for() -> None:
    plans = propose("明天开会", said_at=SAID_AT, timezone="Asia/Shanghai")
    assert [plan.value for plan in plans] == ["开会 (2024-03-02)"]
    plans = propose("I'm flying to Paris next Monday", said_at=SAID_AT)
    assert [plan.value for plan in plans] == ["flying to Paris (2024-03-04)"]


def test_a_quote_is_the_clause_it_rests_on() -> None:
    drafts = propose("你好！我叫李雷，住在杭州。", said_at=SAID_AT)
    assert [draft.quote for draft in drafts] == ["我叫李雷", "住在杭州"]
    assert {draft.said_at for draft in drafts} == {SAID_AT}


said_in_pieces = st.lists(
    st.sampled_from(
        [
            "我叫",
            "小王",
            "，",
            "。",
            "我喜欢",
            "爬山",
            "如果",
            "吗？",
            "记住",
            "my name is ",
            "Ada",
            ", ",
            "I like ",
            "tea",
            "and ",
            "「",
            "」",
            "“",
            "```",
            "<memory>",
            "订单号",
            "#8842",
            "不",
            "了",
            "明天",
            "去北京",
            "\n",
            "我女儿",
            "他",
        ]
    ),
    max_size=14,
).map("".join)


@given(st.one_of(st.text(), said_in_pieces))
def test_any_message_is_read_and_every_draft_is_well_formed(text: str) -> None:
    for draft in propose(text, said_at=SAID_AT):
        assert draft.quote in text
        assert draft.quote
        assert 0 < draft.confidence <= 0.9
        assert re.match(r"(?:user|pref|person|pet|thing|ref)\.", draft.key)
        assert draft.value or draft.act == "retract"


@given(said_in_pieces)
def test_a_message_in_our_own_fence_gives_nothing(text: str) -> None:
    assert propose(f"<memory>{text.replace('<memory>', '')}</memory>", said_at=SAID_AT) == []


@given(said_in_pieces)
def test_the_same_message_always_gives_the_same_drafts(text: str) -> None:
    clean = redact(text).text
    assert propose(clean, said_at=SAID_AT) == propose(clean, said_at=SAID_AT)


@pytest.mark.parametrize(
    "text",
    [
        "请你" * 200,
        "就行了" * 150,
        "我身高" + "只有" * 250,
        "也就" * 250,
        "please can you " * 35,
        "我" * 5000,
        "a, " * 5000,
        "我喜欢" + "和、" * 250,
        "我叫" + "小" * 500,
        "I really " * 60,
        "如果" * 3000,
        "「" * 3000,
        "明天" * 280,
    ],
    ids=lambda text: text[:6],
)
@pytest.mark.timeout(10)
def test_no_text_is_read_for_ever(text: str) -> None:
    assert len(propose(text, said_at=SAID_AT)) < 200


def test_a_long_paste_is_no_memory() -> None:
    assert _told("记住" + "一段很长的文字" * 600) == []
