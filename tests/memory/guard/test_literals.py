from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.guard.literals import Index, may_match, needs_of
from memory.guard.rows import packaged_rules

PATTERNS = [(rule.script, pattern) for rule in packaged_rules() for pattern in rule.patterns]
SAMPLES = [text.casefold() for rule in packaged_rules() for text in (*rule.yes, *rule.no)]
LETTERS = {"latin": re.compile("[a-z]"), "han": re.compile("[\u3400-\u9fff]"), "any": re.compile("")}
"""What a text must have for the rules of a script to be tried on it."""
parts = [
    "a",
    "b",
    "c",
    "ab",
    "|",
    "(",
    "(?:",
    "(?!",
    ")",
    "?",
    "*",
    "+",
    "[ab]",
    "[^c]",
    ".",
    "{1,2}",
    "{,2}",
    r"\d",
    r"\.",
    "^",
    "$",
]
patterns = st.lists(st.sampled_from(parts), max_size=10).map("".join)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        ("ignore", [{"ignore"}]),
        ("ignores?", [{"ignore"}]),
        ("(?:ignore|forget)", [{"ignore", "forget"}]),
        (r"\bignore\b.{0,9}rules?", [{"ignore"}, {"rule"}]),
        ("(?:ignore)?rules", [{"rules"}]),
        ("(?:ignore|x*)rules", [{"rules"}]),
        ("(?!not)rules", [{"rules"}]),
        ("[abc]rules", [{"rules"}]),
        ("rules{0,3}", [{"rule"}]),
        ("(?:忽略|无视)规则", [{"忽略", "无视"}, {"规则"}]),
        ("(?i:rules)", []),
        ("a|", []),
    ],
)
def test_a_pattern_says_what_it_needs(pattern: str, needs: list[set[str]]) -> None:
    assert sorted(map(sorted, needs_of(pattern))) == sorted(map(sorted, needs))


@pytest.mark.parametrize("script", LETTERS)
def test_what_a_pattern_matches_it_is_let_near(script: str) -> None:
    needs = {pattern: needs_of(pattern) for of, pattern in PATTERNS if of == script}
    index = Index(piece for sets in needs.values() for pieces in sets for piece in pieces)
    standing = [(text, index.standing_in(text)) for text in SAMPLES if LETTERS[script].search(text)]
    compiled = {pattern: re.compile(pattern, re.ASCII | re.MULTILINE) for pattern in needs}
    kept_out = [
        (pattern, text)
        for pattern, sets in needs.items()
        for text, pieces in standing
        if not may_match(sets, pieces) and compiled[pattern].search(text)
    ]
    assert kept_out == []


@given(patterns, st.text(alphabet="abc1d\n ", max_size=20))
def test_no_pattern_is_kept_from_a_text_that_it_matches(pattern: str, text: str) -> None:
    try:
        found = re.search(pattern, text, re.ASCII)
    except re.error:
        return
    needs = needs_of(pattern)
    index = Index(piece for pieces in needs for piece in pieces)
    assert found is None or may_match(needs, index.standing_in(text))


@given(st.lists(st.text(alphabet="ab忽略", min_size=1, max_size=5)), st.text(alphabet="ab忽略 ", max_size=40))
def test_the_pieces_that_stand_in_a_text_are_found(pieces: list[str], text: str) -> None:
    assert Index(pieces).standing_in(text) == {piece for piece in pieces if piece in text}
