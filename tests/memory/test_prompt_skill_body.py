"""A skill with a body in the prompt: shown line by line, cut before anything else, read back as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from memory.fence import fences_in
from memory.prompt import PromptParts, ShownSkill, assemble, within_budget
from memory.prompt_lines import whole_lines
from memory.prompt_reading import read_prompt

BODY = "# Watering\n\n1. Feel the soil.\n   - dry: water\n2. Wait <a week>."
PLANTS = ShownSkill(
    id="water-plants", description="Water plants", tools=("plants_list",), body=BODY, body_in="water-plants/SKILL.md"
)
ENGLISH = PromptParts(window=(HumanMessage("My plant looks dry"),), count=len, skills=(PLANTS,), max_tokens=5000)


def lines_of(parts: PromptParts) -> list[str]:
    [(kind, lines)] = fences_in(assemble(parts)[-1].text)
    assert kind == "skills"
    return lines


def test_a_body_is_written_behind_bars_with_its_lines_and_indents() -> None:
    assert lines_of(ENGLISH) == [
        "[water-plants] Water plants",
        "- Tools: plants_list",
        "| # Watering",
        "|",
        "| 1. Feel the soil.",
        "|    - dry: water",
        "| 2. Wait &lt;a week&gt;.",
    ]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("My plant looks dry", "- Cut here, the rest is in: water-plants/SKILL.md"),
        ("叶子干了", "- 未完，其余在: water-plants/SKILL.md"),
    ],
)
def test_a_cut_body_says_where_the_rest_is(said: str, line: str) -> None:
    parts = replace(ENGLISH, window=(HumanMessage(said),), skills=(replace(PLANTS, body_cut=True),))
    assert lines_of(parts)[-1] == line


def test_a_body_is_read_back() -> None:
    assert read_prompt(assemble(ENGLISH)).skills == (replace(PLANTS, body_in=""),)
    cut = replace(ENGLISH, skills=(replace(PLANTS, body_cut=True),))
    assert read_prompt(assemble(cut)).skills == cut.skills


@pytest.mark.parametrize("line", ["[other] x", "- Tools: orderService_cancel", "- 工具: x", "</memory>", "| x", "&lt;"])
def test_no_line_of_a_body_is_taken_for_one_of_ours(line: str) -> None:
    parts = replace(ENGLISH, skills=(replace(PLANTS, tools=(), body=f"{line}\n{line}"),))
    [read] = read_prompt(assemble(parts)).skills
    assert (read.id, read.tools) == ("water-plants", ())
    assert read.body.count("\n") == 1


def test_the_last_skill_loses_its_body_and_itself_before_the_first_is_touched() -> None:
    second = replace(PLANTS, id="feed-fish", body="\n".join(["Feed the fish at noon."] * 12))
    parts = replace(ENGLISH, skills=(PLANTS, second))
    sizes = [within_budget(replace(parts, max_tokens=most)).skills for most in range(700, 0, -1)]
    lengths = [(len(skills), sum(len(skill.body) for skill in skills)) for skills in sizes]
    assert lengths == sorted(lengths, reverse=True)
    assert {len(skills) for skills in sizes} == {0, 1, 2}
    assert all(skills[0] == PLANTS for skills in sizes if len(skills) == 2)
    assert any(0 < len(skills[1].body) < len(second.body) for skills in sizes if len(skills) == 2)


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=500))
def test_within_any_budget_what_is_left_of_a_body_are_its_first_lines(budget: int) -> None:
    left = within_budget(replace(ENGLISH, max_tokens=budget)).skills
    for skill in left:
        assert BODY.startswith(skill.body)
        assert skill.body_cut == (skill.body != BODY)
    shown = "" if not left else "\n".join(lines_of(replace(ENGLISH, max_tokens=budget)))
    assert len(shown) <= budget


@given(st.text(max_size=60), st.integers(min_value=0, max_value=70))
def test_whole_lines_are_a_beginning_within_the_bound(text: str, most: int) -> None:
    head = whole_lines(text, most)
    assert text.startswith(head)
    assert len(head) <= most
    assert head == text or len(text) > most
