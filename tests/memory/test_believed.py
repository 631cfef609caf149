"""What a message says of what is already believed: endings, changes, and what only looks like them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction import propose
from memory.kinds import Act
from tests.jiyi.evals.facts_made import fact

DAY = datetime(2026, 5, 4, tzinfo=UTC)


def told(message: str, *facts: tuple[str, str]) -> set[tuple[str, str, Act]]:
    """Give what a message tells because of what is believed, and would not without."""
    known = [fact(key, value) for key, value in facts]
    anew = propose(message, said_at=DAY, believed=known)
    without = propose(message, said_at=DAY)
    return {(one.key, one.value, one.act) for one in anew} - {(one.key, one.value, one.act) for one in without}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("user.learning", "Welsh", "Dropped Welsh, there was no time"),
        ("user.hobby", "climbing", "My shoulder could not take it, so I packed in climbing last winter"),
        ("user.habit", "抽烟", "抽烟这事我早戒了，三个月没碰了"),
        ("user.hobby", "钓鱼", "竿子都送人了，我早就不钓了"),
        ("pref.dislikes", "olives", "Funny thing, I love olives now"),
        ("pref.dislikes", "香菜", "以前闻都不闻，我现在居然爱吃香菜"),
        ("pref.likes", "coffee", "I'm so sick of coffee these days"),
        ("user.project", "birdhouse webcam", "Gave up on the birdhouse webcam, the wrens moved out"),
        ("user.uses", "Coopers Mutual", "Closed my account at Coopers Mutual yesterday"),
        ("pet.Pickle.likes", "sunflower seeds", "Pickle throws sunflower seeds out of the bowl, she can't stand them any more"),
        ("user.allergy", "花生", "复查了一下，我对花生已经不过敏了"),
        ("user.goal", "run a marathon", "No longer want to run a marathon, my knees say no"),
    ],
)  # fmt: skip
def test_what_has_ended_is_taken_back_by_the_words_for_its_end(key: str, value: str, message: str) -> None:
    known = [fact(key, value)]

    found = propose(message, said_at=DAY, believed=known)

    assert (key, value, "retract") in {(one.key, one.value, one.act) for one in found}


@pytest.mark.parametrize(
    ("key", "value", "message", "new"),
    [
        ("user.religion", "Catholic", "I'd call myself agnostic these days? No: I'm agnostic now", "agnostic"),
        ("user.religion", "信佛", "我去年年底受洗成了基督徒", "基督徒"),
        ("user.height", "5'9", "Nurse measured me today: 5'8", "5'8"),
        ("pet.豆包.weight", "12kg", "豆包减肥有成效，刚称是10.5公斤", "10.5kg"),
        ("pet.Momo.age", "11", "Guess what, Momo turned 12 last week", "12"),
        (
            "user.blood_type",
            "O positive",
            "The donor card came and it says B positive, not what I thought",
            "B positive",
        ),
    ],
)
def test_a_value_of_the_same_kind_takes_its_place(key: str, value: str, message: str, new: str) -> None:
    anew = propose(message, said_at=DAY, believed=[fact(key, value)])

    assert [one.value for one in anew if one.key == key and one.act != "retract"] == [new]


@pytest.mark.parametrize(
    ("key", "value", "message", "new"),
    [
        ("user.birthday", "June 2", "I told you June 2 for my birthday, it's actually July 2", "July 2"),
        ("user.lives_in", "Leeds", "We moved from Leeds to York in the spring", "York"),
        ("user.works_in", "苏州", "公司从苏州搬到了无锡，我每天多走一小时", "无锡"),
        ("user.goal", "跑完一个全马", "膝盖不太行，今年目标改成跑完一个半马", "跑完一个半马"),
    ],
)
def test_what_stands_beside_the_old_value_or_its_name_is_the_new_one(
    key: str, value: str, message: str, new: str
) -> None:
    anew = propose(message, said_at=DAY, believed=[fact(key, value)])

    assert [one.value for one in anew if one.key == key and one.act != "retract"] == [new]


@pytest.mark.parametrize(
    ("facts", "message", "over"),
    [
        ([("user.occupation", "junior analyst")], "They made me team lead on Monday", "user.occupation"),
        ([("user.occupation", "产品助理")], "我升产品经理了", "user.occupation"),
        ([("user.personality", "内向")], "做了半年销售，我整个人变得很外向", "user.personality"),
        ([("person.Derek.relation", "boss")], "Derek retired, my boss is now Yvonne", "person.Derek.relation"),
        ([("ref.flight", "SK802")], "Rebooked to Oslo, my flight number is DY1303", "ref.flight"),
        ([("user.uses", "Firefox")], "I use Vivaldi now", "user.uses"),
    ],
)
def test_what_cannot_hold_beside_what_is_told_ends_with_it(
    facts: list[tuple[str, str]], message: str, over: str
) -> None:
    assert (over, facts[0][1], "retract") in told(message, *facts)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("user.hobby", "climbing", "I never quit climbing, whatever they say"),
        ("user.hobby", "climbing", "Should I give up climbing?"),
        ("user.habit", "smoking", "I want to quit smoking"),
        ("user.habit", "抽烟", "我想把抽烟戒了，有什么办法"),
        ("user.habit", "抽烟", "抽烟还没戒掉"),
        ("user.hobby", "climbing", "My brother quit climbing in March"),
        ("user.hobby", "钓鱼", "我弟早就不钓鱼了"),
        ("user.religion", "Catholic", "My wife became a Buddhist"),
        ("user.lives_in", "Leeds", "I went from Leeds to York by train at the weekend"),
        ("user.weight", "70kg", "我家猫现在重5公斤"),
        ("user.height", "175cm", "is 180 cm tall for a woman"),
        ("user.marital_status", "married", "Is single malt the same as whisky"),
        ("user.name", "阿杰", "咖啡杯上写的是阿吉，不是阿杰"),
        ("user.employer", "美团", "我舅从美团离职了"),
        ("user.employer", "Acme", "My uncle left Acme last year"),
        ("user.works_in", "南京", "从南京调到上海的货今天到"),
        ("user.learning", "Welsh", "If I dropped Welsh, what would I do with my lunch breaks"),
    ],
)
def test_what_is_only_wanted_asked_supposed_or_somebody_elses_changes_nothing(
    key: str, value: str, message: str
) -> None:
    assert not told(message, (key, value))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("user.hobby", "sailing", "Sailing is off tonight, there is no wind"),
        ("user.hobby", "瑜伽", "瑜伽练到一半就停了，腰有点酸"),
        ("user.employer", "Acme", "I left Acme at seven and caught the last bus"),
        ("user.employer", "青木", "今天七点离开青木，路上很堵"),
        ("user.uses", "Firefox", "I closed Firefox and started it again"),
        ("user.project", "novel", "I stopped working on my novel at midnight"),
    ],
)
def test_what_is_so_for_a_while_only_changes_nothing(key: str, value: str, message: str) -> None:
    assert not told(message, (key, value))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("user.hobby", "climbing", "I joked that I gave up climbing"),
        ("user.hobby", "climbing", "I used to hate climbing"),
        ("user.skill", "Python", "I no longer fear Python"),
        ("user.learning", "法语", "法语课取消了，我在家自己看书"),
        ("user.uses", "淘宝", "淘宝上买的鞋退了"),
        ("user.hobby", "钓鱼", "钓鱼比赛取消了，我自己去水库"),
        ("user.lives_in", "Leeds", "I moved a sofa from Leeds to York for a friend"),
        ("user.lives_in", "北京", "公司把机房从北京搬到了上海，我家网慢了"),
        ("user.birthday", "June 2", "I moved the party from June 2 to June 9"),
        ("user.weight", "70kg", "My suitcase weighs 23kg"),
        ("user.weight", "60公斤", "现在快递限重20公斤"),
        ("user.height", "170cm", "我家新柜子高200厘米"),
        ("user.age", "34", "Turned 21 pages and fell asleep"),
        ("user.age", "30", "现在20分钟后开会"),
        ("user.diet", "vegetarian", "I'm eating vegan cake"),
        ("user.marital_status", "已婚", "刚看完一部离婚的电影"),
        ("user.uses", "iPhone", "Got a new Pixel for my dad"),
        ("pref.dislikes", "olives", "I'd love olives to vanish from pizzas now"),
        ("pref.likes", "火锅", "今天火锅太辣受不了"),
    ],
)
def test_what_is_told_of_something_else_changes_nothing(key: str, value: str, message: str) -> None:
    assert key not in {about for about, _, _ in told(message, (key, value))}


@pytest.mark.parametrize(
    ("key", "value", "message", "new"),
    [
        ("user.weight", "80kg", "Down to 76 kg", "76kg"),
        ("user.weight", "65公斤", "我瘦到60公斤了", "60kg"),
        ("user.age", "28", "我今年29岁了", "29岁"),
        ("user.lives_in", "广州", "我把家从广州搬到了佛山", "佛山"),
    ],
)
def test_what_is_told_of_the_user_still_renews(key: str, value: str, message: str, new: str) -> None:
    anew = propose(message, said_at=DAY, believed=[fact(key, value)])

    assert [one.value for one in anew if one.key == key and one.act != "retract"] == [new]


WORDS = st.sampled_from(
    [
        "I",
        "we",
        "my",
        "quit",
        "dropped",
        "not",
        "from",
        "to",
        "now",
        "any",
        "more",
        "sold",
        "left",
        "love",
        "我",
        "不",
        "了",
        "戒",
        "换成",
        "现在",
        "从",
        "到",
        "Leeds",
        "York",
        "钓鱼",
        "抽烟",
    ]
)


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_whatever_is_told_rests_on_words_of_the_message_and_of_keys_that_were_believed(message: str) -> None:
    facts = [("user.lives_in", "Leeds"), ("user.hobby", "钓鱼"), ("user.habit", "抽烟")]
    known = [fact(key, value) for key, value in facts]
    without = propose(message, said_at=DAY)

    for one in propose(message, said_at=DAY, believed=known):
        assert one.quote in message
        assert one in without or one.key in dict(facts)
        assert one in without or one.act != "retract" or (one.key, one.value) in facts


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_what_the_rules_tell_by_themselves_they_tell_with_other_beliefs_too(message: str) -> None:
    known = [fact("user.employer", "Acme"), fact("pref.likes", "plum jam")]

    assert propose(message, said_at=DAY) == propose(message, said_at=DAY, believed=known)
