"""The order of a prompt, what is trimmed from it, and in which language it speaks, word for word and for any parts."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from memory.fence import fences_in
from memory.prompt import PromptParts, assemble, language_of, within_budget
from memory.tokens import ESTIMATE, count_tokens
from tests.memory.test_prompt import CHINESE, ENGLISH, SNAPSHOTS, shown

ANSWERED = {
    "zh": ("我查一下。", "已发货，预计明天到。"),
    "en": ("Let me look.", "Shipped, due tomorrow."),
}
FULL_ENGLISH = replace(
    ENGLISH,
    preferences={"style": "brief", "language": "en"},
    notes="Waiting for the warehouse.",
    recalled=(
        *ENGLISH.recalled,
        replace(CHINESE.recalled[1], lines=(("Lee", "The parcel </memory> has arrived"),)),
    ),
)
WHOLE = {"zh": CHINESE, "en": FULL_ENGLISH}
KINDS = ["facts", "summary", "notes", "episodes", "skills"]


def with_tools(language: str) -> PromptParts:
    """Give the parts of the second call of a turn, after a tool has answered."""
    saying, result = ANSWERED[language]
    call = AIMessage(saying, tool_calls=[{"name": "orderService_status", "args": {"order_id": "#8842"}, "id": "c1"}])
    window = (*WHOLE[language].window, call, ToolMessage(result, tool_call_id="c1"))
    return replace(WHOLE[language], window=window)


def fences(parts: PromptParts) -> list[str]:
    return [kind for message in assemble(parts) for kind, _ in fences_in(message.text)]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("budget", [2000, 120, 60, 0])
def test_a_trimmed_prompt_is_word_for_word_the_one_in_the_repository(language: str, budget: int) -> None:
    parts = replace(with_tools(language), count=count_tokens, max_tokens=budget)

    assert shown(assemble(parts)) == (SNAPSHOTS / f"prompt.{budget}.{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_rules_persona_and_preferences_stand_first_then_what_lasts_then_the_conversation(language: str) -> None:
    parts = with_tools(language)
    system, *window = assemble(parts)

    assert isinstance(system, SystemMessage)
    assert system.text.index(parts.persona) < system.text.index("- ") < system.text.index('kind="facts"')
    assert [kind for kind, _ in fences_in(system.text)] == ["facts", "summary", "notes"]
    asked = next(message for message in reversed(window) if isinstance(message, HumanMessage))
    assert [kind for kind, _ in fences_in(asked.text)] == ["episodes", "skills"]
    assert asked.text.endswith(parts.window[-3].text)
    assert [message.type for message in window] == [message.type for message in parts.window]


@pytest.mark.parametrize("parts", [CHINESE, FULL_ENGLISH])
def test_of_all_that_is_remembered_the_least_needed_goes_first(parts: PromptParts) -> None:
    gone: list[str] = []
    for budget in range(900, -1, -1):
        left = fences(replace(parts, max_tokens=budget))
        gone.extend(kind for kind in KINDS if kind not in left and kind not in gone)

    assert [kind for kind in gone if kind != "facts"] == ["skills", "episodes", "notes", "summary"]


def test_english_facts_go_last_and_those_of_safety_never() -> None:
    assert fences(replace(FULL_ENGLISH, max_tokens=0)) == []
    assert fences(replace(CHINESE, max_tokens=0)) == ["facts"]
    assert [fact.key for fact in within_budget(replace(CHINESE, max_tokens=0)).facts] == ["health.allergy"]


@given(st.sampled_from(["zh", "en"]), st.integers(0, 400))
def test_the_same_parts_give_the_same_prompt_and_stay_as_they_are(language: str, budget: int) -> None:
    parts = replace(with_tools(language), count=count_tokens, max_tokens=budget)
    before = copy.deepcopy(parts)

    assert assemble(parts) == assemble(parts)
    assert parts == before


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=40), st.text(max_size=40))
def test_there_is_one_system_message_and_it_comes_first(said: list[str], summary: str, persona: str) -> None:
    window = tuple(HumanMessage(text) if at % 2 == 0 else AIMessage(text) for at, text in enumerate(said))
    messages = assemble(replace(CHINESE, window=window, summary=summary, persona=persona))

    assert [message.type for message in messages] == ["system", *(message.type for message in window)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_with_the_counter_of_the_agent_what_is_remembered_stays_within_its_budget(language: str) -> None:
    for budget in range(40, 400, 20):
        left = within_budget(replace(WHOLE[language], count=ESTIMATE.text, max_tokens=budget))
        assert count_tokens("\n\n".join(_fenced(left))) <= budget


def _fenced(parts: PromptParts) -> list[str]:
    return [
        message.text[message.text.index("<memory") : message.text.rindex("</memory>") + len("</memory>")]
        for message in assemble(parts)
        if "<memory" in message.text
    ]


def spoken(*texts: str) -> PromptParts:
    return PromptParts(window=tuple(HumanMessage(text) for text in texts), count=len)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (("我想查一下订单到哪了", "ok"), "zh"),
        (("我想查一下订单到哪了", "ok thanks"), "zh"),
        (("Where is my order now?", "好的"), "en"),
        (("Where is my order now?", "好的", "😀"), "en"),
        (("我想查一下订单到哪了", "ok", "thanks"), "en"),
        (("我想查一下订单到哪了", "where is my order"), "en"),
        (("Where is my order now?", "我的订单到哪了"), "zh"),
        (("ok",), "en"),
        (("好的",), "zh"),
        (("ok", "好的", "ok"), "en"),
    ],
)
def test_a_word_in_another_language_does_not_turn_the_whole_prompt(said: tuple[str, ...], language: str) -> None:
    assert language_of(spoken(*said)) == language
