"""Paraphrases of one value are one fact; opposites and homonyms are two."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.testing import FixedClock, HashEmbedder
from memory.changes import KeepTurn
from memory.fold import fold
from memory.keys import KeySpec, default_keys
from memory.kinds import Act, Draft, Episode, Evidence, Fact
from memory.namespaces import Owner
from memory.same import identity
from memory.same.meaning import table, tables_of
from memory.same.numbers import han_number
from memory.values import normalised
from store.apply import apply
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.remember import remember

ADA = Owner(user="ada")
MONDAY = datetime(2024, 5, 6, 9, tzinfo=UTC)


@pytest.fixture(autouse=True, scope="module")
def _tables_are_read() -> None:
    """Read the tables before a property's first example is timed."""
    for key in KEYS:
        form("x", key)


def form(value: str, key: str) -> str:
    return identity(value, key=key, spec=default_keys().spec(key))


SAME: list[tuple[str, list[str]]] = [
    ("user.lives_in", ["北京", "北京市", "Beijing", "BEIJING", "Peking", "现在住在北京", "lives in Beijing"]),
    ("person.小李.lives_in", ["台湾", "臺灣", "Taiwan"]),
    ("user.from", ["四川", "四川人", "四川省", "Sichuan", "from Sichuan"]),
    ("user.nationality", ["德国", "德国人", "German", "Germany", "德國籍"]),
    ("user.height", ["180", "180 cm", "180公分", "１８０厘米", "1.8m", "1.80 米", "一米八", "一百八十公分", "5'11\""]),
    ("user.weight", ["70kg", "70 kilos", "70公斤", "140斤", "一百四十斤"]),
    ("user.age", ["28", "28岁", "二十八岁", "twenty-eight", "28 years old", "aged 28"]),
    ("person.儿子.age", ["三岁", "3岁", "three", "3 years old", "three years old"]),
    ("user.birthday", ["3月5日", "三月五号", "03月05日", "March 5", "March 5th", "5th of March", "the fifth of March", "03-05"]),
    ("person.妈妈.birthday", ["1960年3月5日", "一九六〇年三月五日", "March 5, 1960", "5 March 1960", "1960-03-05"]),
    ("thing.meeting.time", ["下午三点", "3pm", "3 pm", "15:00", "3 o'clock in the afternoon"]),
    ("thing.组会.time", ["每周三上午十点半", "10:30 am every Wednesday", "Wednesdays at 10:30 am"]),
    ("user.allergy", ["花生", "花生过敏", "对花生过敏", "peanuts", "peanut allergy", "allergic to peanuts"]),
    ("user.allergy", ["海鲜和花生", "花生、海鲜", "peanuts and seafood", "seafood, peanuts"]),
    ("user.allergy", ["not allergic to nuts", "对坚果不过敏", "不对坚果过敏", "no nut allergy"]),
    ("user.diet", ["素食", "素食者", "吃素", "vegetarian", "a vegetarian", "vegetarian diet", "素食主義者"]),
    ("user.diet", ["不是素食者", "not a vegetarian", "not vegetarian"]),
    ("user.diet", ["不吃猪肉", "no pork", "doesn't eat pork", "does not eat pork"]),
    ("user.occupation", ["程序员", "一名程序员", "软件工程师", "software developer", "software dev", "works as a programmer"]),
    ("person.姐姐.occupation", ["老师", "教师", "当老师", "a teacher", "teacher"]),
    ("pref.likes", ["苹果", "蘋果", "吃苹果", "apple", "apples", "really likes apples"]),
    ("pref.likes", ["爬山", "登山", "特别喜欢爬山", "mountain climbing", "climbing mountains"]),
    ("pref.dislikes", ["香菜", "吃香菜", "cilantro", "coriander", "芫荽", "really hates coriander"]),
    ("user.hobby", ["弹吉他", "吉他", "guitar", "playing the guitar", "play guitar"]),
    ("user.habit", ["每天早上跑步", "每天早晨都跑步", "runs every morning", "running every morning", "every morning jogging"]),
    ("user.habit", ["每天早上跑五公里", "runs 5 km every morning", "running five kilometres every morning"]),
    ("user.habit", ["每周三次瑜伽", "每周练三次瑜伽", "yoga three times a week", "does yoga 3 times a week"]),
    ("user.language", ["日语", "日文", "会说日语", "Japanese", "speaks Japanese"]),
    ("user.learning", ["西班牙语", "学西班牙语", "Spanish", "learning Spanish"]),
    ("user.plan", ["去日本旅游 (2026-03-02)", "travel to Japan (2026-03-02)", "visit Japan (2026-03-02)"]),
    ("user.goal", ["跑马拉松", "想跑马拉松", "run a marathon", "running a marathon", "to run a marathon"]),
    ("user.marital_status", ["已婚", "结婚了", "married"]),
    ("user.gender", ["女", "女性", "female", "a woman"]),
    ("user.education", ["硕士", "master's degree", "Master's", "硕士学位", "碩士"]),
    ("user.health", ["高血压", "有高血压", "hypertension", "high blood pressure"]),
    ("user.uses.editor", ["VS Code", "vscode", "Visual Studio Code"]),
    ("user.uses.手机", ["小米", "Xiaomi"]),
    ("user.employer", ["腾讯", "Tencent", "腾讯公司", "works at Tencent"]),
    ("user.school", ["北大", "北京大学", "Peking University", "PKU"]),
    ("user.major", ["计算机", "计算机专业", "computer science", "CS"]),
    ("user.family", ["两个孩子", "two kids", "2 children", "有两个孩子", "has two children"]),
    ("pet.布丁.kind", ["猫", "一只猫", "a cat", "cat", "猫咪"]),
    ("pet.Toby.breed", ["金毛", "golden retriever", "Golden Retriever"]),
    ("person.小李.relation", ["同事", "colleague", "coworker", "我的同事"]),
    ("thing.car.color", ["蓝色", "blue", "蓝"]),
]  # fmt: skip


@pytest.mark.parametrize(("key", "wordings"), SAME)
def test_paraphrases_have_one_form_in_both_languages(key: str, wordings: list[str]) -> None:
    assert {form(wording, key) for wording in wordings} == {form(wordings[0], key)}


APART: list[tuple[str, list[str]]] = [
    ("user.allergy", ["nuts", "not allergic to nuts", "walnuts", "peanuts"]),
    ("user.allergy", ["花生", "对花生不过敏", "坚果", "花粉"]),
    ("user.diet", ["吃肉", "不吃肉", "不能吃肉", "素食", "纯素", "吃鱼", "不吃鱼"]),
    ("user.diet", ["vegetarian", "non-vegetarian", "vegan", "pescatarian", "not vegetarian"]),
    ("pref.likes", ["吃香菜", "不吃香菜"]),
    ("pref.likes", ["fish", "fishing", "shellfish"]),
    ("pref.likes", ["turkey", "Turkey the country", "土耳其"]),
    ("pref.likes", ["橙色", "橙子", "orange"]),
    ("pref.likes", ["小米", "Xiaomi"]),
    ("pref.likes", ["love songs", "songs", "song writing"]),
    ("pref.likes", ["超级英雄", "英雄"]),
    ("pref.likes", ["Into the Wild", "the wild"]),
    ("pref.dislikes", ["hate speech", "speeches"]),
    ("pref.likes", ["爱马仕", "马仕", "爱情片", "情片"]),
    ("user.hobby", ["soccer", "American football", "football"]),
    ("user.lives_in", ["Java", "JavaScript"]),
    ("user.lives_in", ["Georgia", "Germany", "乔治亚理工"]),
    ("user.learning", ["Java", "JavaScript", "爪哇"]),
    ("user.learning", ["围棋", "golang", "go"]),
    ("user.employer", ["Apple", "millet", "Google"]),
    ("user.occupation", ["程序员", "前端工程师", "产品经理", "not a programmer", "project manager"]),
    ("user.occupation", ["policeman", "policy maker", "organist", "organizer"]),
    ("user.marital_status", ["已婚", "未婚", "单身", "离异", "not single"]),
    ("user.age", ["3", "13", "30", "33", "3 months"]),
    ("user.birthday", ["3月5日", "5月3日", "农历三月初五", "1990年3月5日", "3/5"]),
    ("thing.meeting.time", ["3am", "3pm", "3点", "3:30", "12am", "12pm"]),
    ("user.height", ["180cm", "181cm", "118 cm"]),
    ("user.weight", ["70kg", "70斤", "70"]),
    ("user.family", ["妹妹", "姐姐", "sister", "两个妹妹", "没有妹妹"]),
    ("user.habit", ["每天早上跑步", "每天晚上跑步", "跑步", "not running every morning", "每周跑步"]),
    ("user.goal", ["quit smoking", "smoking", "戒酒"]),
    ("user.health", ["diabetes", "no diabetes", "type 1 diabetes", "2型糖尿病"]),
    ("user.language", ["普通话", "粤语", "English", "不会英语"]),
    ("user.language", ["Chinese", "Japanese", "中国"]),
    ("user.family", ["no kids", "two kids", "three kids"]),
]


@pytest.mark.parametrize(("key", "wordings"), APART)
def test_opposites_homonyms_and_neighbours_stay_apart(key: str, wordings: list[str]) -> None:
    for one, other in combinations(wordings, 2):
        assert form(one, key) != form(other, key), (one, other)


@pytest.mark.parametrize("key", ["user.name", "person.小李.name", "pet.布丁.name", "ref.order", "thing.repo.version"])
def test_names_and_identifiers_are_neither_translated_nor_stemmed(key: str) -> None:
    for value in ("北京", "李雷", "Rose", "Roses", "一一", "Three", "李蕾", "劉備", "Brooks", "#8842", "1.8m"):
        assert form(value, key) == normalised(value)


def test_a_word_is_another_word_only_in_the_slot_where_it_belongs() -> None:
    assert form("苹果", "pref.likes") == form("apple", "pref.likes")
    assert form("苹果公司", "user.employer") == form("Apple", "user.employer")
    assert form("苹果公司", "pref.likes") != form("Apple", "pref.likes")
    assert form("爪哇", "user.lives_in") == form("Java", "user.lives_in")
    assert form("爪哇", "user.uses.language") != form("Java", "user.uses.language")
    assert form("北京", "user.remember") != form("Beijing", "user.remember")


def test_a_closed_vocabulary_has_its_own_forms() -> None:
    assert form("简洁", "pref.style") == form("concise", "pref.style") == "brief"
    assert form("Mandarin", "pref.language") == form("中文", "pref.language") == "zh"


@pytest.mark.parametrize(
    ("said", "number"), [("八", 8), ("十二", 12), ("二十八", 28), ("一百零五", 105), ("一百八", 180), ("一千二", 1200)]
)
def test_chinese_numbers_are_read(said: str, number: int) -> None:
    assert han_number(said) == number


KEYS = sorted({key for key, _ in (*SAME, *APART)} | {"user.remember", "user.name", "pref.other", "pref.style"})
WORDINGS = sorted({wording for _, wordings in (*SAME, *APART) for wording in wordings})
pieces = st.sampled_from(
    [
        *WORDINGS,
        "not ",
        "不",
        "没有",
        "and ",
        "和",
        "s",
        "es",
        " every day",
        "每天",
        "1",
        "三",
        "个",
        "0",
        "'s",
        "-",
        "+",
        "了",
        "the ",
    ]
)
values = st.one_of(st.text(max_size=20), st.lists(pieces, min_size=1, max_size=4).map("".join))


@given(values, st.sampled_from(KEYS))
def test_the_form_of_a_form_is_itself(value: str, key: str) -> None:
    assert form(form(value, key), key) == form(value, key)


@given(values, st.sampled_from(KEYS))
def test_only_a_blank_value_has_a_blank_form(value: str, key: str) -> None:
    assert bool(form(value, key)) == bool(normalised(value))


@given(st.sampled_from([wording for wording in WORDINGS if not wording.startswith(("not ", "no "))]))
def test_a_negation_is_never_what_it_negates(value: str) -> None:
    for key in ("pref.likes", "user.diet", "user.hobby", "user.occupation", "user.lives_in", "user.remember"):
        assert form(f"not {value}", key) != form(value, key)
        assert form(f"不是{value}", key) != form(value, key)


@pytest.mark.parametrize(
    "name", ["foods", "places", "occupations", "activities", "animals", "languages", "kin", "colours", "illnesses"]
)
def test_every_entry_of_a_table_speaks_both_languages(name: str) -> None:
    heads = {head for meant in table(name).values() for head in meant}
    assert {head for wording, meant in table(name).items() if not wording.isascii() for head in meant} == heads


@pytest.mark.parametrize(
    "slot", ["likes", "allergy", "learning", "diet", "goal", "habit", "nationality", "family", "occupation"]
)
def test_a_word_with_two_meanings_in_a_slot_is_neither(slot: str) -> None:
    words = {word for name in tables_of(slot) for word in table(name)}
    for word in words:
        heads = {head for name in tables_of(slot) for head in table(name).get(word, ())}
        assert len(heads) == 1 or identity(word, key=f"user.{slot}") not in heads, word


def said(value: str, day: float = 0, *, key: str, act: Act = "state") -> Evidence:
    turn = f"{day}/{act}/{value}"
    return Evidence(
        id=turn,
        key=key,
        value=value,
        act=act,
        confidence=0.75,
        source="user",
        quote=value,
        episode_id=turn,
        thread_id=f"thread {day}",
        turn_id=turn,
        said_at=MONDAY + timedelta(days=day),
    )


def spec(key: str) -> KeySpec:
    found = default_keys().spec(key)
    assert found is not None
    return found


def folded(*evidence: Evidence, key: str) -> tuple[Fact, ...]:
    return fold(key, evidence, spec=spec(key), name=lambda key, value: f"{key}={value}")


def test_another_language_is_no_change_under_a_single_valued_key() -> None:
    (fact,) = folded(said("北京", key="user.lives_in"), said("Beijing", 30, key="user.lives_in"), key="user.lives_in")
    assert (fact.status, fact.value, fact.valid_to, len(fact.evidence)) == ("active", "Beijing", None, 2)
    assert fact.confidence > 0.75


def test_what_was_said_in_one_language_is_taken_back_and_brought_back_in_the_other() -> None:
    story = [said("花生", key="user.allergy"), said("peanuts", 1, key="user.allergy", act="retract")]
    assert [fact.status for fact in folded(*story, key="user.allergy")] == ["retracted"]
    undone = said("花生过敏", 2, key="user.allergy", act="undo")
    assert [fact.status for fact in folded(*story, undone, key="user.allergy")] == ["active"]


def test_a_merge_is_taken_apart_by_folding_the_same_evidence_without_the_tables() -> None:
    evidence = [said("北京", key="user.lives_in"), said("Beijing", 30, key="user.lives_in")]
    apart = fold(
        "user.lives_in", evidence, spec=spec("user.lives_in"), name=lambda key, value: f"{key}={value}", form=normalised
    )
    assert [(fact.value, fact.status) for fact in apart] == [("北京", "superseded"), ("Beijing", "active")]
    assert len(folded(*evidence, key="user.lives_in")) == 1


def test_what_is_like_both_joins_neither() -> None:
    chain = [said(value, day, key="pref.likes") for day, value in enumerate(("橙子", "orange", "橙色"))]
    assert len(folded(*chain, key="pref.likes")) == 3


@given(st.lists(st.sampled_from(WORDINGS), min_size=1, max_size=8), st.sampled_from(["pref.likes", "user.allergy"]))
def test_there_are_as_many_facts_as_forms_and_each_holds_the_evidence_of_its_own(spoken: list[str], key: str) -> None:
    facts = folded(*(said(value, day, key=key) for day, value in enumerate(spoken)), key=key)
    assert {fact.id for fact in facts} == {f"{key}={form(value, key)}" for value in spoken}
    for fact in facts:
        assert {form(piece.split("/", 2)[2], key) for piece in fact.evidence} == {fact.id.partition("=")[2]}


@given(st.permutations([said(value, day, key="user.allergy") for day, value in enumerate(dict(SAME)["user.allergy"])]))
def test_the_order_in_which_wordings_are_read_does_not_matter(evidence: list[Evidence]) -> None:
    assert folded(*evidence, key="user.allergy") == folded(*reversed(evidence), key="user.allergy")
    assert folded(*evidence, key="user.allergy")[0].value == dict(SAME)["user.allergy"][-1]


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=HashEmbedder()).opened() as opened:
        yield opened


TWENTY = [
    ("我对花生过敏", "花生"),
    ("我对花生严重过敏", "花生"),
    ("我花生过敏", "花生过敏"),
    ("我對花生過敏", "花生"),
    ("我对花生米过敏", "花生米"),
    ("我会对花生过敏的", "花生"),
    ("再说一遍，我对花生过敏。", "对花生过敏"),
    ("我對花生嚴重過敏", "對花生嚴重過敏"),
    ("我有花生过敏", "花生过敏"),
    ("我对 花生 过敏！", "花生"),
    ("I'm allergic to peanuts", "peanuts"),
    ("I am allergic to peanuts.", "allergic to peanuts"),
    ("I'm severely allergic to peanuts", "severely allergic to peanuts"),
    ("I have a peanut allergy", "peanut allergy"),
    ("I have a severe peanut allergy", "a severe peanut allergy"),
    ("I'm allergic to groundnuts", "groundnuts"),
    ("I have an allergy to peanuts", "an allergy to peanuts"),
    ("PEANUTS: I'm allergic to them", "PEANUTS"),
    ("I am really allergic to peanuts", "really allergic to peanuts"),
    ("I'm allergic to the peanut", "the peanut"),
]


async def keep(store: MemoryStore, text: str, value: str, *, at: datetime, key: str = "user.allergy") -> None:
    turn = f"turn {at}"
    episode = Episode(
        id=f"{turn}-0", speaker="user", text=text, thread_id="thread", turn_id=turn, position=0, said_at=at
    )
    draft = Draft(key=key, value=value, confidence=0.75, quote=text, said_at=at)
    await apply(store, ADA, [KeepTurn(episodes=(episode,), drafts=(draft,))])


async def test_twenty_paraphrases_in_two_languages_are_one_fact_with_their_evidence(
    store: MemoryStore, clock: FixedClock
) -> None:
    assert len({text for text, _ in TWENTY}) == 20
    for text, value in TWENTY:
        await keep(store, text, value, at=clock.advance(timedelta(days=1)))
    (fact,) = await facts_of(store, ADA)
    assert (fact.value, fact.status, len(fact.evidence)) == ("the peanut", "active", 20)
    assert fact.confidence == pytest.approx(0.99)


async def test_what_is_said_in_two_languages_is_known_once(store: MemoryStore, clock: FixedClock) -> None:
    for text in ("我住在杭州", "I live in Hangzhou", "我是素食者", "I'm a vegetarian"):
        await remember(store, ADA, text, said_at=clock.advance(timedelta(days=1)))
    facts = {fact.key: fact for fact in await facts_of(store, ADA)}
    assert len(facts) == len(await facts_of(store, ADA)) == 2
    assert [len(fact.evidence) for fact in facts.values()] == [2, 2]
    assert facts["user.lives_in"].value == "Hangzhou"


async def test_a_thing_and_its_opposite_are_two_facts(store: MemoryStore, clock: FixedClock) -> None:
    for text, value in (("I'm allergic to nuts", "nuts"), ("我对坚果不过敏", "对坚果不过敏")):
        await keep(store, text, value, at=clock.advance(timedelta(days=1)))
    assert len(await facts_of(store, ADA)) == 2
