"""Tests of key information by rules: what of a conversation outlives the window, by kind, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory.key_information import LABELS, fold_key_information
from memory.prompt_texts import Language
from memory.seams import CompressionError
from memory.summary import identifiers
from memory.tokens import count_tokens


def said(*pairs: tuple[str, str]) -> list[BaseMessage]:
    return [message for user, answer in pairs for message in (HumanMessage(user), AIMessage(answer))]


def one_line(text: str, label: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(label.strip())]
    return line.removeprefix(label.strip()).strip()


class FirstWords:
    """A compressor that keeps the first words of each line, and loses the rest."""

    name = "first words"

    def compress(self, text: str, target_tokens: int) -> str:
        return "\n".join(line[:6] for line in text.splitlines())


class Broken:
    """A compressor that always fails."""

    name = "broken"

    def compress(self, text: str, target_tokens: int) -> str:
        raise CompressionError("no model")


ZH = said(
    ("你好", "你好！"),
    ("我喜欢喝咖啡，尤其是美式", "记住了。"),
    ("推荐一家上海的咖啡馆", "可以去 Manner，在南京西路。"),
    ("订单 #8842 先不退了，等周五再说", "好，我会在周五 10 点提醒你。"),
    ("就定周三下午三点开会，小王参加", "好"),
    ("改成四点", "好"),
    ("我在杭州做后端，家里有两只猫", "嗯"),
    ("那天路上的花开得真好看", "真好"),
)
EN = said(
    ("Hi", "Hello!"),
    ("I love black coffee, mostly americano", "Noted."),
    ("Which cafe in Leeds is good?", "Try Laynes."),
    ("Don't return order #8842, it can wait until Friday", "OK, I will remind you on Friday at 10 am."),
    ("Let's meet on Wednesday at 3 pm, with Anna", "ok"),
    ("I work as a nurse and have two cats", "nice"),
    ("the walk was lovely and so quiet", "yes"),
)


def test_a_chinese_conversation_leaves_its_facts_preferences_decisions_and_entities() -> None:
    assert fold_key_information("", ZH, language="zh") == (
        "关键事实：我在杭州做后端，家里有两只猫\n"
        "用户偏好：我喜欢喝咖啡，尤其是美式\n"
        "决定与约定：订单 #8842 先不退了，等周五再说；助手说“好，我会在周五 10 点提醒你”；就定周三下午三点开会，小王参加（随后：改成四点）\n"
        "相关实体：Manner"
    )


def test_an_english_conversation_leaves_the_same() -> None:
    assert fold_key_information("", EN, language="en") == (
        "Key facts: I work as a nurse and have two cats\n"
        "Preferences: I love black coffee, mostly americano\n"
        "Decisions: Don't return order #8842, it can wait until Friday; the assistant said “OK, I will remind you on Friday at 10 am”; Let's meet on Wednesday at 3 pm, with Anna\n"
        "Entities: Leeds; Laynes"
    )


@pytest.mark.parametrize(("thread", "language"), [(ZH, "zh"), (EN, "en")])
def test_folded_piece_by_piece_it_is_the_same(thread: list[BaseMessage], language: Language) -> None:
    kept = ""
    for at in range(0, len(thread), 6):
        kept = fold_key_information(kept, thread[at : at + 6], language=language)
    assert kept == fold_key_information("", thread, language=language)


@pytest.mark.parametrize(
    ("language", "kept", "added", "line"),
    [
        ("zh", "决定与约定：周三开会", "那个会不开了", "决定与约定：周三开会；那个会不开了"),
        ("zh", "决定与约定：九点提醒我", "九点提醒那条作废", "决定与约定：九点提醒我（作废）"),
        (
            "en",
            "Decisions: we meet on Wednesday",
            "the meeting is called off",
            "Decisions: we meet on Wednesday (revoked)",
        ),
        ("en", "Preferences: I like tea", "I no longer drink tea", "Decisions: I no longer drink tea"),
    ],
)
def test_what_was_taken_back_is_marked(language: Language, kept: str, added: str, line: str) -> None:
    lines = fold_key_information(kept, said((added, "好")), language=language).splitlines()
    assert line in lines


def test_a_question_is_kept_while_nobody_answered() -> None:
    asked: list[BaseMessage] = [HumanMessage("发票什么时候寄？"), HumanMessage("地址是文三路 90 号")]
    assert one_line(fold_key_information("", asked, language="zh"), LABELS["zh"]["open"]) == "发票什么时候寄？"
    assert "发票" not in fold_key_information(
        "", said(("发票什么时候寄？", "周五"), ("我住在杭州", "好")), language="zh"
    )


def test_tool_results_and_small_talk_leave_nothing() -> None:
    thread = [*said(("在吗", "在"), ("谢谢", "不客气")), ToolMessage("#1 预算 300 元", tool_call_id="c1")]
    assert fold_key_information("关键事实：有猫", thread, language="zh") == "关键事实：有猫"
    assert fold_key_information("", [], language="zh") == ""


def test_something_is_left_of_anything_said() -> None:
    assert fold_key_information("", said(("花开得真好看", "嗯")), language="zh") == "关键事实：花开得真好看"


def test_what_is_said_again_stands_once() -> None:
    once = fold_key_information("", EN, language="en")
    assert sorted(fold_key_information(once, EN, language="en")) == sorted(once)


def test_a_summary_from_before_is_kept() -> None:
    kept = fold_key_information("用户曾提到：订单号是 #8842", ZH, language="zh")
    assert kept.startswith("用户曾提到：订单号是 #8842\n关键事实：")


def test_identifiers_that_a_compressor_loses_are_put_back() -> None:
    thread = said(*((f"请记住设备 {n} 的编号是 DEV-{n}77，放在仓库里", "好") for n in range(20)))
    kept = fold_key_information("", thread, language="zh", compressor=FirstWords(), fold_tokens=60)
    assert "仓库" not in kept
    assert set(identifiers(kept)) >= {f"DEV-{n}77" for n in range(20)}


def test_what_fits_needs_no_compressor_and_a_failure_folds_nothing() -> None:
    assert fold_key_information("", ZH, language="zh", compressor=Broken()) == fold_key_information(
        "", ZH, language="zh"
    )
    with pytest.raises(CompressionError, match="no model"):
        fold_key_information("", ZH, language="zh", compressor=Broken(), fold_tokens=20)


sentences = st.sampled_from(
    [message.text for message in (*ZH, *EN)]
    + ["单号 AB-1234 取消", "we chose plan B-77", "", "；：", "关键事实：", "Entities: x; y"]
)


@given(st.lists(st.tuples(sentences, sentences), max_size=30), st.sampled_from(["zh", "en"]), st.integers(60, 400))
def test_it_stays_bounded_whatever_is_folded(pairs: list[tuple[str, str]], language: Language, most: int) -> None:
    kept = ""
    for at in range(0, len(pairs), 5):
        kept = fold_key_information(kept, said(*pairs[at : at + 5]), language=language, max_tokens=most)
        assert count_tokens(kept) <= most


def test_over_three_hundred_turns_decisions_outlive_remarks() -> None:
    kept = ""
    decided = [f"项目 P-{n:02} 定了用方案 {n}" for n in range(10)]
    remarks = [[f"昨天我们在第 {n} 站下车走了走", f"我们今天看了 {n} 页书"] for n in range(100)]
    for n, pair in enumerate(remarks):
        told = [decided[n // 10]] if n % 10 == 0 else []
        kept = fold_key_information(kept, said(*((text, "好") for text in [*told, *pair])), language="zh")
    assert [one for one in decided if one not in kept] == []
    assert count_tokens(kept) <= 600
