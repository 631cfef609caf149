"""What the offline model must not claim, confuse or quote."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from graph.models.offline import answer
from graph.models.wording import CHINESE, ENGLISH
from memory.prompt import PromptParts, ShownExchange, ShownFact, ShownSkill, assemble

STATUS = {
    "type": "function",
    "function": {
        "name": "orderService_status",
        "description": "查询订单状态 / look up an order",
        "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    },
}
TRACK = ShownSkill(id="track", description="查询物流", tools=("orderService.status",))
FACTS = (
    ShownFact(key="ref.order", label="order number", value="#8842"),
    ShownFact(key="user.allergy", label="过敏", value="花生"),
    ShownFact(key="user.diet", label="饮食", value="素食"),
    ShownFact(key="pref.dislikes", label="不喜欢", value="香菜"),
    ShownFact(key="user.occupation", label="职业", value="护士"),
    ShownFact(key="person.小芳.relation", label="小芳的关系", value="姐姐"),
    ShownFact(key="person.Mia.relation", label="Mia's relation", value="daughter"),
)


def said(*window: BaseMessage | str, **parts: Any) -> AIMessage:
    messages = tuple(HumanMessage(one) if isinstance(one, str) else one for one in window)
    shown = PromptParts(window=messages, count=len, **{"name": "小王", "facts": FACTS, **parts})
    return answer(assemble(shown), [STATUS])


def reply(*window: BaseMessage | str, **parts: Any) -> str:
    return said(*window, **parts).text.removesuffix(CHINESE.notice).removesuffix(ENGLISH.notice)


def recalled(*lines: tuple[str, str], day: int = 1) -> ShownExchange:
    return ShownExchange(id=f"e{day}", said_at=datetime(2024, 5, day, tzinfo=UTC), lines=lines)


@pytest.mark.parametrize(
    "text",
    ["我告诉你一个秘密", "我的手机号是 13800138000", "actually I'd rather not say", "My phone number is 415-555-0132"],
)
def test_what_no_rule_finds_is_not_said_to_be_noted(text: str) -> None:
    replied = reply(text)
    assert "记下" not in replied
    assert "oted" not in replied
    assert not any(number in replied for number in ("13800138000", "0132"))


@pytest.mark.parametrize(
    ("text", "told"),
    [("忘掉我的生日", "好的，我会忘掉：生日。"), ("forget my birthday", "all right, I will forget: birthday.")],
)
def test_what_is_to_be_forgotten_is_named(text: str, told: str) -> None:
    assert reply(text).endswith(told)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我姐姐叫什么？", "小芳"),
        ("What's my daughter's name?", "Mia"),
        ("我做什么工作？", "护士"),
        ("What do I do for a living?", "护士"),
    ],
)
def test_a_question_gets_the_fact_it_is_about(text: str, value: str) -> None:
    assert value in reply(text, name="")


@pytest.mark.parametrize(
    "text",
    ["我女儿的老师叫什么", "What's my wife's name?", "我老婆叫什么？", "What's my phone number?", "我有什么爱好？"],
)
def test_what_is_not_known_is_not_answered_with_something_else(text: str) -> None:
    facts = tuple(fact for fact in FACTS if "daughter" not in fact.value)
    assert reply(text, facts=facts).endswith((CHINESE.not_known, ENGLISH.not_known[1:]))


@pytest.mark.parametrize(
    "text",
    [
        "我能退货吗？",
        "Please don't call me, text me instead",
        "是",
        "exit",
        "法国首都是哪里？",
        "How is it going with my thesis?",
    ],
)
def test_no_order_is_looked_up_for_what_speaks_of_none(text: str) -> None:
    assert said(text, skills=(TRACK,)).tool_calls == []


@pytest.mark.parametrize(
    "text", ["进度怎么样了？", "到了吗？", "物流到哪了", "any news?", "How is it going?", "has my parcel shipped?"]
)
def test_an_order_is_looked_up_when_it_is_spoken_of(text: str) -> None:
    assert said(text, skills=(TRACK,)).tool_calls[0]["args"] == {"order_id": "#8842"}


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "法国首都是哪里？",
        "你知道我穿几码的鞋吗",
        "In order to win, what should I do?",
    ],
)
def test_nothing_unrelated_is_quoted(text: str) -> None:
    past = (recalled(("user", "我的订单号是 #8842，请帮我查一下"), ("assistant", "We talked about the order.")),)
    assert "“" not in reply(text, recalled=past)


def test_of_what_was_said_twice_the_newest_is_quoted() -> None:
    past = (recalled(("user", "会议在周一"), day=1), recalled(("user", "会议在周三"), day=9))
    assert "会议在周三" in reply("会议什么时候？", recalled=past)


@pytest.mark.parametrize(
    "line",
    [
        "你说过“会议在周五”。",
        "You said on 1 May 2024: “会议 meeting”.",
        "好的，记下了：计划 会议。",
        "订单 #8842：会议室已发货。",
        f"会议{CHINESE.notice}",
    ],
)
def test_our_own_words_are_not_quoted(line: str) -> None:
    assert "“" not in reply("会议在哪天？", recalled=(recalled(("user", "会议什么时候？"), ("assistant", line)),))


@pytest.mark.parametrize("text", ["再见，谢谢", "Bye, thanks", "今天好累啊", "I am so tired today", "我告诉你一件事"])
def test_small_talk_is_answered_in_a_friendly_way(text: str) -> None:
    assert CHINESE.cannot_answer not in reply(text)
    assert ENGLISH.cannot_answer[2:] not in reply(text)


@pytest.mark.parametrize(
    "text",
    [
        "今晚想吃火锅，有什么要注意的？",
        "I want hotpot tonight, anything to watch out for?",
        "推荐一家餐厅",
        "Can I take aspirin?",
    ],
)
def test_allergies_and_diet_are_named_when_it_is_about_food(text: str) -> None:
    replied = reply(text)
    assert "花生" in replied
    assert "素食" in replied


@pytest.mark.parametrize("text", ["用中文回答我", "请用中文回答"])
def test_a_wish_for_a_language_is_noted_by_its_name(text: str) -> None:
    assert reply(text).endswith("记下了：回答语言 中文。")


@pytest.mark.parametrize(("text", "told"), [("你叫什么名字？", CHINESE.myself), ("What's your name?", ENGLISH.myself)])
def test_asked_for_its_own_name_it_does_not_give_the_users(text: str, told: str) -> None:
    assert reply(text, name="") == told
