"""What is taken back no longer holds in the thread's summary, and nothing else changes with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.summary import fold_summary
from memory.summary_lines import items_of, written
from memory.summary_revoking import revokes, what_it_revokes
from memory.summary_signs import TELLS, is_revoked, rank

ENGLISH = "The user mentioned: Calls start at 9 o'clock; The cap is 400 euros; We meet on Tuesdays"
CHINESE = "用户曾提到：九点开始打电话；上限是四百元；我们周二见面"


def fold(previous: str, *texts: str, language: str = "zh") -> str:
    said: list[BaseMessage] = [message for text in texts for message in (HumanMessage(text), AIMessage("ok"))]
    return fold_summary(previous, said, language=language)


@pytest.mark.parametrize(
    ("language", "before", "said", "after"),
    [
        (
            "en",
            ENGLISH,
            "Scrap the 9 o'clock rule.",
            ENGLISH.replace("at 9 o'clock", "at 9 o'clock (revoked)"),
        ),
        ("zh", CHINESE, "九点那条规矩作废。", CHINESE.replace("打电话", "打电话（作废）")),
        (
            "en",
            ENGLISH,
            "Let's move our meeting from Tuesdays to Fridays.",
            "The user mentioned: Calls start at 9 o'clock; The cap is 400 euros; Let's move our meeting from Tuesdays to Fridays",
        ),
        ("zh", CHINESE, "周二的见面不开了。", CHINESE.replace("见面", "见面（作废）")),
        ("zh", CHINESE, "周二见面改成周五。", "用户曾提到：九点开始打电话；上限是四百元；周二见面改成周五"),
        ("en", ENGLISH, "Forget that.", f"{ENGLISH} (then: Forget that)"),
        ("zh", CHINESE, "那个作废。", f"{CHINESE}（随后：那个作废）"),
    ],
)
def test_a_revocation_reaches_what_it_speaks_of(language: str, before: str, said: str, after: str) -> None:
    assert fold(before, said, language=language) == after


@pytest.mark.parametrize(
    "said", ["Don't cancel the 9 o'clock calls.", "Should we drop the 400 euro cap?", "If we cancel Tuesdays, tell me."]
)
def test_who_asks_or_forbids_to_revoke_revokes_nothing(said: str) -> None:
    assert not revokes(said)
    assert not any(is_revoked(item.text) for item in items_of(fold(ENGLISH, said, language="en")))


@pytest.mark.parametrize("said", ["九点的电话别取消。", "四百元的上限要取消吗？", "如果周二取消，告诉我。"])
def test_who_asks_or_forbids_to_revoke_revokes_nothing_in_chinese(said: str) -> None:
    assert not revokes(said)
    assert not any(is_revoked(item.text) for item in items_of(fold(CHINESE, said)))


@pytest.mark.parametrize(("summary", "said"), [(ENGLISH, "Cancel my gym membership."), (CHINESE, "健身卡取消吧。")])
def test_what_speaks_of_nothing_known_revokes_nothing_known(summary: str, said: str) -> None:
    assert what_it_revokes(said, items_of(summary)) is None
    assert fold(summary, said).startswith(summary)


@pytest.mark.parametrize(
    ("summary", "said"),
    [(ENGLISH, "The cap is 400 euros"), (CHINESE, "上限是四百元")],
)
def test_what_was_revoked_and_is_agreed_again_holds(summary: str, said: str) -> None:
    revoked = fold(summary, "Scrap the 400 cap." if summary is ENGLISH else "四百元的上限作废。")
    assert sum(is_revoked(item.text) for item in items_of(revoked)) == 1
    again = fold(revoked, said)
    assert again.count(said) == 1
    assert not any(is_revoked(item.text) for item in items_of(again))


@given(st.text(max_size=60))
def test_one_statement_takes_back_one_at_most(said: str) -> None:
    for summary in (ENGLISH, CHINESE):
        before, after = items_of(summary), {item.text for item in items_of(fold(summary, said))}
        assert sum(item.text not in after for item in before) <= max(1, said.count("\n") + said.count("。") + 1)


@given(st.sampled_from([ENGLISH, CHINESE]))
def test_a_summary_is_read_as_it_was_written(summary: str) -> None:
    assert written(items_of(summary)) == summary


OFFSITE = {
    "en": (
        (
            "Budget is 4,200 euros, all in.",
            "Working title: Harbour Days.",
            "We meet on the 14th of March.",
            "Catering by Oli's, vegetarian only.",
            "Speaker one is the port authority, 40 minutes.",
            "Parking code is P-7731.",
        ),
        (
            "The budget went down to 3,600, finance just told me.",
            "Oli's fell through.",
            "We can't do the 14th, make it the 21st.",
            "The port authority pulled out, the lighthouse keeper speaks instead.",
        ),
        ("Harbour Days", "P-7731", "3,600", "the 21st", "lighthouse"),
        ("4,200", "14th of March", "Speaker one", "vegetarian only;"),
    ),
    "zh": (
        (
            "预算8万，全包。",
            "名字暂定“潮声”。",
            "时间定在3月14号。",
            "餐饮用老李家的，只要素食。",
            "第一位嘉宾是港务局，讲40分钟。",
            "停车码是P-7731。",
        ),
        (
            "预算砍到6万了，财务刚说的。",
            "老李家那边黄了。",
            "14号不行，改21号。",
            "港务局来不了，换成灯塔管理员讲。",
        ),
        ("潮声", "P-7731", "6万", "21号", "灯塔"),
        ("8万", "3月14号", "第一位嘉宾", "只要素食；"),
    ),
}


@pytest.mark.parametrize("language", OFFSITE)
def test_what_fell_through_or_moved_is_not_told_as_holding(language: str) -> None:
    agreed, taken_back, holding, gone = OFFSITE[language]
    summary = ""
    for said in (agreed, taken_back):
        summary = fold_summary(summary, [HumanMessage(text) for text in said], language=language, max_chars=400)
    assert [one for one in holding if one not in summary] == []
    assert [one for one in gone if one in f"{summary};"] == []


@pytest.mark.parametrize("text", ["Working title: Harbour Days", "名字暂定潮声", "口号：一起靠岸"])
def test_what_is_named_outlives_what_is_only_told(text: str) -> None:
    assert rank(text) > rank("the ferry has 4 decks") == TELLS
