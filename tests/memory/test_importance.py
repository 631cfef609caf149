"""How much a message matters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importance import asks_to_remember, importance, is_small_talk, names_something

SMALL = [
    "谢谢",
    "ok",
    "OK!",
    "2+2",
    "2+2=?",
    "1加1等于几",
    "3乘以4是多少",
    "你好",
    "还在吗",
    "在吗？",
    "好的，谢谢你",
    "Thanks a lot!",
    "thank you so much",
    "哈哈哈",
    "👍",
    "hello there",
    "good morning",
    "早上好呀",
    "what is 12*3?",
    "嗯嗯",
    "太好了！",
    "谢谢你的帮助",
    "收到，辛苦了",
    "…",
]
TALK = [
    "好的，我住在杭州",
    "#8842",
    "8842",
    "5/20",
    "我不吃香菜",
    "ok I'm vegan",
    "行李丢了",
    "好吃的面",
    "素",
    "thanks to him I moved",
    "是我妈妈",
    "138-0013",
    "可以吃鱼",
    "好莱坞",
    "继续教育",
    "谢谢我妈妈",
    "no nuts please",
    "hi, my name is Max",
]


@pytest.mark.parametrize("text", SMALL)
def test_greeting_thanks_assent_and_sums_do_not_matter(text: str) -> None:
    assert is_small_talk(text)
    assert importance(text) == 0


@pytest.mark.parametrize("text", TALK)
def test_what_only_begins_like_small_talk_matters(text: str) -> None:
    assert not is_small_talk(text)
    assert importance(text) >= 0.3


def test_what_bore_fruit_is_no_small_talk() -> None:
    assert importance("好的", fruitful=True) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("text", "fruitful", "matters"),
    [
        ("今儿真闷", False, 0.3),
        ("我对花生过敏", True, 0.6),
        ("我的订单号是 #8842", False, 0.5),
        ("记住我叫小王", True, 0.8),
        ("请记住下周三交房租 3000 元", True, 1.0),
        ("Please remember the flight MU5137", True, 1.0),
    ],
)
def test_each_reason_adds_its_share(text: str, fruitful: bool, matters: float) -> None:
    assert importance(text, fruitful=fruitful) == pytest.approx(matters)


@pytest.mark.parametrize(
    "text",
    [
        "ERR-4471",
        "orderService.cancel 挂了",
        "三千元",
        "明天开会",
        "300 dollars",
        "about 40 kg",
        "v1.2.3",
        "下周三",
        "May 3rd",
        "100%",
        "3点半",
        "2024-05-01",
    ],
)
def test_identifiers_amounts_and_dates_are_seen(text: str) -> None:
    assert names_something(text)


@pytest.mark.parametrize(
    "text", ["I have two cats", "I may go", "e.g. this", "some-thing", "一点也不", "a first-class seat"]
)
def test_ordinary_words_are_no_identifiers(text: str) -> None:
    assert not names_something(text)


def test_asking_whether_it_is_remembered_is_not_asking_to_remember() -> None:
    assert asks_to_remember("记住我叫小王")
    assert asks_to_remember("Remember: I am vegan")
    assert not asks_to_remember("你还记得我吗")
    assert not asks_to_remember("Do you remember me?")


@given(st.text(max_size=80), st.booleans())
def test_it_is_always_between_nought_and_one(text: str, fruitful: bool) -> None:
    assert 0 <= importance(text, fruitful=fruitful) <= 1
    assert importance(text, fruitful=True) >= importance(text)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["1,", "1+", "a-", "谢谢你", "哈你", "10 ", "#", "(1"])
def test_a_very_long_message_is_read_in_time(piece: str) -> None:
    assert importance(piece * 5000 + "我x") >= 0.3


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["哈" * 40 + "x1", "ha" * 29 + "x", "谢" * 50 + "9", "1+" * 29 + "x"])
def test_laughter_that_ends_in_something_else_is_read_in_time(text: str) -> None:
    assert 0 <= importance(text) <= 1
