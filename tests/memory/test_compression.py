"""Tests of compression by extraction: what is kept is what was said, whole, within the tokens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.compression import LEFT_OUT, ExtractiveCompressor, compress
from memory.seams import Compressor
from memory.summary import identifiers
from memory.tokens import count_tokens

CHINESE = (
    "你好，麻烦看一下。我叫林晓，在杭州做后端。上次说的订单 #8842 先不退了，等周五再说。我不吃香菜，也不喝牛奶，其它的都可以。\n"
    "如果明天下雨，就改到下周三下午三点开会，记得通知小王。今天天气真好，我们去公园走了走，看到很多花，也拍了照片。谢谢！\n"
    "服务器地址是 10.0.3.17，别用 10.0.3.18。"
)
ENGLISH = (
    "Hi there! My name is Laura and I work in Leeds. Please cancel order #8842, I don't want it any more. I never eat peanuts.\n"
    "If it rains on Friday, move the call to Monday 3 pm, otherwise keep it. It was a lovely day, we walked in the park, "
    "saw a lot of flowers and took photos. Thanks!\nThe server is at 10.0.3.17, not 10.0.3.18."
)
clauses = st.sampled_from(
    [
        "我不吃香菜，",
        "订单 #8842 不退了。",
        "预算是 3,000.50 元，",
        "如果下雨，就不去了。",
        "天气很好！",
        "see ERR-4471, ",
        "do not call before 9:30. ",
        "the total is 12.5 km; ",
        "Anna likes tea.\n",
        "unless it rains, we go. ",
        "ok\n",
    ]
)
texts = st.one_of(
    st.lists(clauses, max_size=25).map("".join),
    st.text(alphabet="abc 不好12.5,，。!#-\n", max_size=200),
    st.text(max_size=80),
)


@given(texts, st.integers(0, 120))
def test_what_is_kept_fits(text: str, target: int) -> None:
    assert count_tokens(compress(text, target)) <= target


@given(texts, st.integers(0, 120))
def test_nothing_is_said_that_was_not_said(text: str, target: int) -> None:
    short = compress(text, target)
    at = 0
    for piece in re.split(r"[…\n]", short):
        for said in re.split(r"(?<=[。！？；.!?;]) ?", piece) if piece not in text[at:] else [piece]:
            at = text.index(said.strip(), 0)
    assert short == text or len(short) <= len(text) + 3 * short.count(LEFT_OUT)


@given(texts, st.integers(0, 120))
def test_numbers_and_identifiers_are_whole(text: str, target: int) -> None:
    short = compress(text, target)
    numbers = r"\d+(?:[.,:]\d+)*"
    assert set(re.findall(numbers, short)) <= set(re.findall(numbers, text))
    assert set(identifiers(short)) <= set(identifiers(text))


@given(texts)
def test_a_text_that_fits_stays_as_it_is(text: str) -> None:
    assert compress(text, count_tokens(text)) == text


@pytest.mark.parametrize(
    ("text", "target", "kept"),
    [
        (CHINESE, 20, "上次说的订单 #8842 先不退了…"),
        (ENGLISH, 20, "Please cancel order #8842, I don't want it any more."),
        (ENGLISH, 28, "Please cancel order #8842, I don't want it any more. I never eat peanuts."),
    ],
)
def test_what_binds_is_kept_first(text: str, target: int, kept: str) -> None:
    assert compress(text, target) == kept


@pytest.mark.parametrize(
    ("text", "told", "small"),
    [
        (
            CHINESE,
            ["林晓", "#8842", "我不吃香菜，也不喝牛奶", "如果明天下雨，就改到下周三", "别用 10.0.3.18"],
            ["公园", "谢谢"],
        ),
        (
            ENGLISH,
            ["Laura", "#8842", "never eat peanuts", "If it rains on Friday, move", "not 10.0.3.18"],
            ["park", "Thanks"],
        ),
    ],
)
def test_small_talk_goes_and_what_tells_stays(text: str, told: list[str], small: list[str]) -> None:
    short = compress(text, count_tokens(text) * 4 // 5)
    assert [one for one in told if one not in short] == []
    assert [one for one in small if one in short] == []


@pytest.mark.parametrize("target", range(5, 60, 5))
@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("我想说的是，如果周五之前没有收到货，就把订单 #77 取消，另外天气很好，大家都去爬山", ("取消", "如果")),
        (
            "well, if it has not come by Friday, cancel order #77, and by the way the hills were nice, we all went",
            ("cancel", "if it has not come"),
        ),
        ("关于晚饭，我不吃辣，也不吃羊肉，其它的随便，昨天的汤很好喝", ("羊肉", "不吃")),
    ],
)
def test_no_clause_loses_its_condition_or_its_negation(text: str, split: tuple[str, str], target: int) -> None:
    short = compress(text, target)
    assert split[0] not in short or split[1] in short


def test_a_clause_without_its_sentence_says_so() -> None:
    text = "昨天的会开得很长，大家都说了很多话，预算定为 3000 元，后来又聊了聊天气"
    assert compress(text, 16) == "…预算定为 3000 元…"


def test_where_nothing_whole_fits_nothing_is_kept() -> None:
    assert compress("x" * 5_000, 10) == ""
    assert compress("不" * 500, 10) == ""
    assert compress(CHINESE, 0) == ""


def test_another_counter_may_count() -> None:
    assert compress("一二三。\n四五 #66 六。", 12, count=len) == "四五 #66 六。"


def test_a_target_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        compress("一", -1)


def test_the_rules_fill_the_seam() -> None:
    rules: Compressor = ExtractiveCompressor()
    assert (rules.name, rules.compress(ENGLISH, 20)) == ("rules", compress(ENGLISH, 20))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text", ["如果" * 5_000, "if, " * 5_000, "不，" * 5_000, "we chose a. " * 5_000, "#8842 " * 5_000, "，" * 20_000]
)
def test_no_text_takes_long(text: str) -> None:
    assert count_tokens(compress(text, 200)) <= 200
