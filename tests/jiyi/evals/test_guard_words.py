"""Which words a text is asked for by."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.guard_words import ASKED_WORDS, MOST_CHARS, TellingWords
from memory.words import query_words_of


def test_the_rarest_words_are_taken_the_longest_of_them_in_the_order_of_the_text() -> None:
    texts = ["the garden gate is open", "the garden wall", "my umbrella stands at the garden gate by the lighthouse"]

    assert TellingWords(texts).of(texts[2]) == ("umbrella", "stands", "gate", "lighthouse")


def test_of_chinese_pairs_of_characters_are_taken() -> None:
    texts = ["今天天气很好", "今天天气不错，雨伞在灯塔"]

    assert TellingWords(texts).of(texts[1])[:2] == ("气不", "不错")
    assert TellingWords(texts).of("今天雨伞") == ("今天", "天雨", "雨伞")


def test_codes_are_asked_for_only_where_there_are_no_words() -> None:
    assert TellingWords([]).of("the code 4471-22 opens " + "x" * 99) == ("code", "opens")
    assert TellingWords([]).of("4471") == ("4471",)
    assert TellingWords([]).of("x" * 99) == ()


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_they_are_words_of_the_text_few_and_short(text: str, others: list[str]) -> None:
    found = TellingWords([text, *others]).of(text)

    assert len(found) == len(set(found)) <= ASKED_WORDS
    assert set(found) <= set(query_words_of(text))
    assert all(len(word) <= MOST_CHARS for word in found)
