from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata

from memory.prompt import PromptParts, ShownExchange, ShownFact, ShownSkill, assemble
from memory.tokens import ESTIMATE, TokenCounter
from memory.usage import CONVERSATION, PARTS, REMEMBERED, shared_beginning, taken, tokens_by_part, told_usage

CHARS = TokenCounter(name="chars", text=len)
texts = st.text(max_size=60)
SAID = {
    "zh": ("我的订单 #8842 到哪了？", "已经发货。", "什么时候到？"),
    "en": ("Where is my order #8842?", "It has been shipped.", "When will it be here?"),
}


def parts(language: str, **given: Any) -> PromptParts:
    first, reply, question = SAID[language]
    window = (HumanMessage(first, id="1"), AIMessage(reply, id="2"), HumanMessage(question, id="3"))
    full: dict[str, Any] = {
        "window": window,
        "count": len,
        "facts": (ShownFact(key="ref.order", label="订单号", value="#8842"),),
        "summary": "用户问过退货。",
        "notes": "等仓库回复。",
        "recalled": (ShownExchange(id="e", said_at=None, lines=(("user", "我在杭州"),)),),
        "skills": (ShownSkill(id="track", description="查物流"),),
    }
    return PromptParts(**{**full, **given})


@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_part_of_a_prompt_is_counted_where_it_stands(language: str) -> None:
    by_part = tokens_by_part(assemble(parts(language)), counter=CHARS, tools=[{"name": "t"}])

    first, reply, question = SAID[language]
    assert tuple(by_part) == PARTS
    assert by_part["question"] == 4 + len(question)
    assert by_part["window"] == 4 + len(first) + 4 + len(reply)
    assert by_part["tools"] == len('{"name": "t"}')
    assert all(by_part[part] > len("<memory></memory>") for part in REMEMBERED)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("left_out", ["facts", "summary", "notes", "recalled", "skills"])
def test_what_is_not_there_takes_nothing(language: str, left_out: str) -> None:
    by_part = tokens_by_part(
        assemble(parts(language, **{left_out: () if left_out not in {"summary", "notes"} else ""})), counter=CHARS
    )

    assert by_part["episodes" if left_out == "recalled" else left_out] == 0
    assert by_part["tools"] == 0


@given(texts, texts, texts, st.sampled_from([CHARS, ESTIMATE]))
def test_the_parts_together_are_the_whole_prompt(said: str, summary: str, value: str, counter: TokenCounter) -> None:
    messages = assemble(
        parts(
            "en",
            window=(HumanMessage(said), AIMessage(summary), HumanMessage(value)),
            summary=summary,
            facts=(ShownFact(key="k", label=said, value=value),),
        )
    )

    assert sum(tokens_by_part(messages, counter=counter).values()) == counter.messages(messages)


def test_a_fence_that_somebody_typed_belongs_to_what_they_said() -> None:
    pasted = '<memory kind="facts" note="">\n- a (b): c\n</memory>\n'
    messages = assemble(parts("en", facts=(), window=(HumanMessage(pasted), AIMessage(pasted), HumanMessage(pasted))))

    assert tokens_by_part(messages, counter=CHARS)["facts"] == 0


def test_what_the_tools_answered_after_the_question_belongs_to_the_window() -> None:
    asked = HumanMessage("Where is it?", id="1")
    call = AIMessage("", tool_calls=[{"name": "status", "args": {}, "id": "c1"}])
    before = tokens_by_part(assemble(parts("en", window=(asked,))), counter=CHARS)
    after = tokens_by_part(
        assemble(parts("en", window=(asked, call, ToolMessage("shipped", tool_call_id="c1")))), counter=CHARS
    )

    assert after["question"] == before["question"]
    assert (before["window"], after["window"] > len("shipped")) == (0, True)


def test_usage_is_told_of_the_whole_and_of_both_budgets() -> None:
    by_part = {**dict.fromkeys(PARTS, 0), "system": 200, "tools": 100, "facts": 50, "window": 700, "question": 50}
    told = told_usage(by_part, window_tokens=1_000, memory_tokens=500)

    assert told["parts"] == by_part
    assert (told["current"], told["max"], told["remaining"], told["usage_percent"]) == (1_100, 1_800, 700, 61.1)
    assert told["window"] == {"current": 750, "max": 1_000, "remaining": 250, "usage_percent": 75.0}
    assert told["memory"] == {"current": 50, "max": 500, "remaining": 450, "usage_percent": 10.0}
    assert not set(REMEMBERED) & set(CONVERSATION)


def test_what_the_model_took_is_told_as_it_says_it() -> None:
    said = UsageMetadata(
        input_tokens=90,
        output_tokens=12,
        total_tokens=102,
        input_token_details={"cache_read": 64},
        output_token_details={"reasoning": 5},
    )
    assert taken(AIMessage("", usage_metadata=said)) == {
        "input_tokens": 90,
        "output_tokens": 12,
        "total_tokens": 102,
        "cached_tokens": 64,
        "reasoning_tokens": 5,
    }
    bare = UsageMetadata(input_tokens=1, output_tokens=2, total_tokens=3)
    assert taken(AIMessage("", usage_metadata=bare)) == {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    assert taken(AIMessage("hello")) is None


def test_two_prompts_begin_alike_up_to_where_a_text_differs() -> None:
    before: list[BaseMessage] = [
        SystemMessage("rules"),
        HumanMessage("你好"),
        AIMessage("在"),
        HumanMessage("问一件事"),
    ]
    same = shared_beginning(before, [*before, AIMessage("好")])
    changed = shared_beginning(before, [SystemMessage("rules"), HumanMessage("你们")])
    other = shared_beginning(before, [SystemMessage("Rules")])

    assert [one.text for one in same] == ["rules", "你好", "在", "问一件事"]
    assert [one.text for one in changed] == ["rules", "你"]
    assert other == ()


@given(st.lists(texts, max_size=5), st.lists(texts, max_size=5))
def test_what_two_prompts_share_is_a_beginning_of_both(first: list[str], second: list[str]) -> None:
    before, after = [HumanMessage(text) for text in first], [HumanMessage(text) for text in second]
    shared = shared_beginning(before, after)

    for prompt in (before, after):
        assert [one.text for one in shared[:-1]] == [one.text for one in prompt[: max(len(shared) - 1, 0)]]
        assert not shared or prompt[len(shared) - 1].text.startswith(shared[-1].text)
    assert len(shared_beginning(before, before)) == len(before)
