from __future__ import annotations

import re
import sys
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.guard.literals import Index
from memory.rules import RuleBook, rule_books
from memory.rules.patterns import Pattern, Words, expanded, small

WORDS = Words(where="(?:Leeds|York)", either="live|work", only="(?!not )", han="[\u3400-\u9fff]")


def _standing(pattern: Pattern, text: str) -> frozenset[str]:
    return Index(piece for pieces in pattern.needs for piece in pieces).standing_in(small(text))


@pytest.mark.parametrize(
    ("written", "needs"),
    [
        ("I live in {where}", [{"i live in "}, {"leeds", "york"}]),
        ("live in {where}?", [{"live in "}]),
        ("live in {only}{where}", [{"live in "}, {"leeds", "york"}]),
        ("live in (?-i:Hull|Bath)", [{"live in "}, {"hull", "bath"}]),
        ("I {either} here", []),
        ("(?:我|咱)住在{han}{1,4}", [{"我", "咱"}, {"住在"}]),
    ],
)
def test_a_pattern_needs_what_it_and_its_words_spell_out(written: str, needs: list[set[str]]) -> None:
    told = Pattern(written=written, words=WORDS).needs
    assert sorted(map(sorted, told)) == sorted(map(sorted, needs))


@pytest.mark.parametrize(
    ("written", "text"),
    [("I live in {where}", "i LIVE in york"), ("is {where}", "İS LEEDſ"), ("住在{han}{1,4}", "住在杭州")],
)
def test_neither_case_nor_a_letter_like_another_keeps_a_pattern_from_a_text(written: str, text: str) -> None:
    pattern = Pattern(written=written, words=WORDS)
    assert pattern.fullmatch(text, 0, len(text)) is not None
    assert pattern.may_match(_standing(pattern, text))


def test_a_text_without_what_a_pattern_needs_is_not_held_against_it() -> None:
    english, chinese = (Pattern(written=each, words=WORDS) for each in ("I live in {where}", "住在{han}{1,4}"))
    assert not english.may_match(_standing(english, "I live in Hull"))
    assert not chinese.may_match(_standing(chinese, "我在杭州"))


def test_every_letter_that_a_pattern_takes_for_another_is_small_as_that_one() -> None:
    pattern = re.compile(f"[{ascii_lowercase}]", re.IGNORECASE)
    taken = [char for char in map(chr, range(sys.maxunicode + 1)) if pattern.match(char)]
    assert [char for char in taken if not re.fullmatch(small(char), char, re.IGNORECASE)] == []
    assert {small(char) for char in taken} == set(ascii_lowercase)


@pytest.mark.parametrize("book", rule_books(), ids=lambda book: book.language)
def test_most_patterns_are_not_tried_on_an_ordinary_sentence(book: RuleBook) -> None:
    patterns = [pattern for rule in book.rules for pattern in rule.says]
    for said in ("I live in Leeds", "我住在杭州"):
        standing = book.standing_in(said)
        assert sum(pattern.may_match(standing) for pattern in patterns) < len(patterns) / 4


@given(
    st.lists(st.sampled_from(["a", "b", "{w}", "{v}", "(?:", "|", ")", "?", "+", "[ab]", "x", "."]), max_size=9),
    st.text(alphabet="abxyABX ", max_size=12),
)
def test_no_pattern_with_words_in_it_is_kept_from_a_text_that_it_matches(parts: list[str], text: str) -> None:
    pattern = Pattern(written="".join(parts), words=Words(w="(?:ab|xyb)", v="xx|yy"))
    try:
        re.compile(expanded(pattern.written, pattern.words))
    except re.error:
        return
    assert not any(pattern.finditer(text, 0, len(text))) or pattern.may_match(_standing(pattern, text))
