"""VectorCache: bounded, by hash, the two sides apart."""

from __future__ import annotations

from store.embed.cached import VectorCache, compact


def test_what_was_used_least_recently_goes_first() -> None:
    cache = VectorCache(2)
    cache.keep("query", {"a": [1.0], "b": [2.0]})
    cache.keep("query", cache.known("query", ["a"]))
    cache.keep("query", {"c": [3.0]})
    assert cache.known("query", ["a", "b", "c"]) == {"a": [1.0], "c": [3.0]}


def test_a_query_and_a_passage_of_the_same_words_are_two() -> None:
    cache = VectorCache(8)
    cache.keep("query", {"茶": [1.0]})
    assert cache.known("passage", ["茶"]) == {}
    assert cache.known("query", ["茶"]) == {"茶": [1.0]}


def test_a_text_that_cannot_be_written_is_held_too() -> None:
    cache = VectorCache(8)
    cache.keep("query", {"\ud800": [1.0]})
    assert cache.known("query", ["\ud800"]) == {"\ud800": [1.0]}


def test_a_compact_vector_has_the_numbers_of_the_other() -> None:
    assert list(compact([0.5, -0.25])) == [0.5, -0.25]
