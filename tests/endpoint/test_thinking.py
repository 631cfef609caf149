"""Thinking is never shown, wherever the tags stand and the pieces are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.models.thinking import Unthinking, without_thinking, without_thoughts

THOUGHT = "<think>\n嗯，用户叫小王……</think>\n\n"
NO_TAGS = st.text(alphabet=st.sampled_from("ab中文 \n.,>/`")).map(lambda text: text.replace("```", ""))


def fed(pieces: list[str]) -> str:
    unthinking = Unthinking()
    return "".join(unthinking.feed(piece) for piece in pieces) + unthinking.rest()


def cut_at(text: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(edges)]


@given(NO_TAGS, st.lists(st.integers(min_value=0), max_size=12))
def test_what_holds_no_tag_comes_through_whole_but_for_blanks_before_it(text: str, places: list[int]) -> None:
    assert fed(cut_at(text, places)) == text.lstrip()


@given(NO_TAGS, NO_TAGS, st.lists(st.integers(min_value=0), max_size=20))
def test_a_thought_is_out_wherever_the_stream_is_cut(thought: str, said: str, places: list[int]) -> None:
    whole = f"<think>{thought}</think>{said}"
    assert fed(cut_at(whole, places)) == said.lstrip() == without_thinking(whole)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{THOUGHT}你好，小王", "你好，小王"),
        ("<thinking>a</thinking>b", "b"),
        (f"{THOUGHT}{THOUGHT}好", "好"),
        (f"我查一下。\n{THOUGHT}查到了。", "我查一下。\n\n\n查到了。"),
        ("<think>still thinking when it was cut", ""),
        ("<think></think>", ""),
        ("<THINK>a</THINK>b", "b"),
        ("<think >a</think >b", "b"),
        ("<|think|>a<|/think|>b", "b"),
        ("<thinking>a</think>b", "b"),
        ("<thought>a</thought>b<Thoughts>c</Thoughts>", "b"),
        ("你好<think>a</think>，小王", "你好，小王"),
        ("hello <think>a</think> x", "hello  x"),
        ("<think>a<think>b</think>c</think>\nd", "d"),
        ("<think>a <think> is a tag</think>b", "b"),
        ("<think>a `<think>` is a tag</think>b", "b"),
        ("<think>a <think> is a tag</think>It ends with `</think>`, I mean", "It ends with `</think>`, I mean"),
        ("<thoughtful>yes</thoughtful>", "<thoughtful>yes</thoughtful>"),
        ("What `<think>` and `</think>` are for", "What `<think>` and `</think>` are for"),
        ("“<think>”是开头，“</think>”是结尾。", "“<think>”是开头，“</think>”是结尾。"),
        ('It begins with "<think>" and ends with "</think>".', 'It begins with "<think>" and ends with "</think>".'),
        ("```xml\nx <think>quoted</think>\n```\n<think>a</think>b", "```xml\nx <think>quoted</think>\n```\nb"),
        ("Use these:\n<think>\nfor thoughts", "Use these:\n<think>\nfor thoughts"),
        ("A closing </think> ends it.", "A closing </think> ends it."),
        ("The tag <think> marks thoughts.", "The tag <think> marks thoughts."),
        ("```\n<think>quoted</think>\n```", "```\n<think>quoted</think>\n```"),
        ("if a <think", "if a <think"),
        ("1 < 2", "1 < 2"),
        ("", ""),
    ],
)
def test_what_is_shown_of_a_text(text: str, shown: str) -> None:
    assert without_thinking(text) == shown
    assert fed(list(text)) == shown


def test_a_lone_closing_tag_ends_a_thought_that_the_template_began() -> None:
    assert without_thinking("the user greets me\n</think>\n\nHello") == "Hello"
    assert without_thinking("the user greets me</think>Hello") == "Hello"
    assert without_thinking("用户在问候我</think>你好") == "你好"
    assert without_thinking("```\n</think>\n``` ends it") == "```\n</think>\n``` ends it"
    assert without_thinking("`</think>` ends it") == "`</think>` ends it"


@given(NO_TAGS, NO_TAGS, NO_TAGS, st.lists(st.integers(min_value=0), max_size=20))
def test_a_thought_within_a_line_is_out_wherever_the_stream_is_cut(
    before: str, thought: str, after: str, places: list[int]
) -> None:
    said = before.replace("`", "") + "。"
    whole = f"{said}<think>{thought}</think>{after}"
    assert fed(cut_at(whole, places)) == (said + after).lstrip() == without_thinking(whole)


def test_blocks_of_thinking_are_no_content() -> None:
    blocks = [{"type": "reasoning", "summary": []}, {"type": "text", "text": "好"}]
    assert without_thoughts(blocks) == [{"type": "text", "text": "好"}]
