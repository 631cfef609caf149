"""Words: how text is split for keyword search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.words import MAX_WORD_CHARS, STOP_WORDS, has_cjk, query_words_of, words_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def test_chinese_is_kept_as_characters_and_pairs_and_asked_as_pairs() -> None:
    assert words_of("西湖区") == ["西", "湖", "区", "西湖", "湖区"]
    assert query_words_of("西湖区") == ["西湖", "湖区"]
    assert query_words_of("茶") == ["茶"]


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert words_of("ERR-4471") == ["err-4471", "err", "4471"]
    assert words_of("orderService.cancel") == ["orderservice.cancel", "orderservice", "cancel"]
    assert words_of("#8842") == ["#8842", "8842"]
    assert words_of("C++ and c#") == ["c++", "c", "and", "c#", "c"]


def test_mixed_text_is_cut_where_the_script_changes() -> None:
    assert words_of("用Python写") == ["用", "python", "写"]
    assert query_words_of("我的订单号是 #8842，帮我查物流")[:2] == ["我的", "的订"]
    assert "#8842" in query_words_of("我的订单号是 #8842，帮我查物流")


def test_width_and_case_do_not_matter() -> None:
    assert words_of("ＡＢＣ１") == words_of("abc1")
    assert query_words_of("Caroline's") == ["caroline's", "caroline"]


def test_stop_words_are_not_asked_for_unless_nothing_else_is_left() -> None:
    assert query_words_of("where is the cat") == ["cat"]
    assert query_words_of("who are you") == ["who", "are", "you"]
    assert "the" in words_of("the cat")


@pytest.mark.parametrize(
    ("text", "expected"), [("abc", False), ("abc 茶", True), ("かな", True), ("", False), ("，。", False)]
)
def test_chinese_and_kana_are_told_apart_from_the_rest(text: str, *, expected: bool) -> None:
    assert has_cjk(text) is expected


@given(texts)
def test_whatever_is_asked_in_a_texts_own_words_stands_in_it(text: str) -> None:
    assert set(query_words_of(text)) <= set(words_of(text))


@given(texts)
def test_no_word_is_blank_or_holds_what_separates_words(text: str) -> None:
    for word in words_of(text):
        assert word
        assert len(word) <= MAX_WORD_CHARS
        assert not any(char.isspace() or char in '"~' for char in word)


@given(texts)
def test_each_asked_word_comes_once_and_none_says_nothing_beside_one_that_does(text: str) -> None:
    asked = query_words_of(text)
    assert len(asked) == len(set(asked))
    assert all(word in STOP_WORDS for word in asked) or not any(word in STOP_WORDS for word in asked)


@given(texts, texts)
def test_texts_beside_each_other_keep_each_others_words(one: str, other: str) -> None:
    assert words_of(f"{one}\n{other}") == [*words_of(one), *words_of(other)]
