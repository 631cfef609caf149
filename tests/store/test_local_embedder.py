"""LocalEmbedder: cut to the model's limit, cached, loaded at first use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.seams import EmbeddingError, Vector
from store.embed.local import CACHED_TEXTS, MAX_TOKENS, PIECE_TEXTS, SURE_CHARS, LocalEmbedder

HELD_S = 60.0


class CountingModel:
    """A model that counts a token a character, and notes what it is given."""

    def __init__(self, *, chars_a_token: int = 1) -> None:
        self.given: list[str] = []
        self.threads: set[str] = set()
        self._chars_a_token = chars_a_token

    def query(self, texts: list[str]) -> Sequence[Vector]:
        return self._embedded("q", texts)

    def passage(self, texts: list[str]) -> Sequence[Vector]:
        return self._embedded("p", texts)

    def token_count(self, text: str) -> int:
        return len(text) // self._chars_a_token

    def _embedded(self, side: str, texts: list[str]) -> Sequence[Vector]:
        self.given += texts
        self.threads.add(threading.current_thread().name)
        return [[float(len(text)), float(ord(side))] for text in texts]


async def test_the_model_is_loaded_at_first_use_and_once() -> None:
    loaded: list[CountingModel] = []

    def load() -> CountingModel:
        loaded.append(CountingModel())
        return loaded[-1]

    embedder = LocalEmbedder(load)
    assert loaded == []
    await asyncio.gather(*(embedder.embed_passages([f"text {number}"]) for number in range(5)))
    assert len(loaded) == 1
    assert len(loaded[0].threads) == 1
    assert threading.current_thread().name not in loaded[0].threads


async def test_a_text_is_embedded_once_and_both_sides_apart() -> None:
    model = CountingModel()
    embedder = LocalEmbedder(lambda: model)
    first = await embedder.embed_passages(["茶", "tea", "茶"])
    assert await embedder.embed_passages(["tea", "茶"]) == [first[1], first[0]]
    assert model.given == ["茶", "tea"]
    assert await embedder.embed_queries(["茶"]) != [first[0]]
    assert model.given == ["茶", "tea", "茶"]


async def test_the_cache_is_bounded_and_forgets_what_was_used_least_recently() -> None:
    model = CountingModel()
    embedder = LocalEmbedder(lambda: model)
    await embedder.embed_passages(["first", "second"])
    await embedder.embed_passages([f"text {number}" for number in range(CACHED_TEXTS - 2)])
    await embedder.embed_passages(["first"])
    await embedder.embed_passages(["one more"])
    model.given.clear()
    await embedder.embed_passages(["first", "second"])
    assert model.given == ["second"]


async def test_more_texts_at_once_than_are_cached_all_get_their_vectors() -> None:
    embedder = LocalEmbedder(CountingModel)
    vectors = await embedder.embed_passages([f"{number}" * 3 for number in range(CACHED_TEXTS + 50)])
    assert len(vectors) == CACHED_TEXTS + 50


@pytest.mark.parametrize("chars_a_token", [1, 2, 3])
async def test_a_long_text_is_cut_to_the_longest_beginning_that_fits(chars_a_token: int) -> None:
    model = CountingModel(chars_a_token=chars_a_token)
    await LocalEmbedder(lambda: model).embed_passages(["长" * 200_000])
    (cut,) = model.given
    assert model.token_count(cut) <= MAX_TOKENS
    assert model.token_count(cut + "长") > MAX_TOKENS or len(cut) == MAX_TOKENS * 8


@settings(max_examples=60)
@given(st.text(st.characters() | st.characters(categories=["Cs"]), max_size=SURE_CHARS * 3), st.integers(1, 3))
def test_no_text_is_too_long_or_unwritable_for_the_model(text: str, chars_a_token: int) -> None:
    model = CountingModel(chars_a_token=chars_a_token)
    asyncio.run(LocalEmbedder(lambda: model).embed_passages([text]))
    (given_to_it,) = model.given
    assert given_to_it.encode() is not None
    assert "\x00" not in given_to_it
    assert model.token_count(given_to_it) <= MAX_TOKENS


async def test_a_model_that_cannot_be_loaded_says_what_to_do_and_is_tried_again() -> None:
    tries: list[int] = []

    def load() -> CountingModel:
        tries.append(1)
        if len(tries) == 1:
            raise EmbeddingError("Cannot load the local embedder: set EMBEDDINGS=none.")
        return CountingModel()

    embedder = LocalEmbedder(load)
    with pytest.raises(EmbeddingError, match="EMBEDDINGS=none"):
        await embedder.embed_passages(["x"])
    assert len(await embedder.embed_passages(["x"])) == 1


class HeldModel(CountingModel):
    """A model that stands still in its first batch of passages until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.works, self.may_go_on = threading.Event(), threading.Event()

    def passage(self, texts: list[str]) -> Sequence[Vector]:
        self.works.set()
        assert self.may_go_on.wait(HELD_S)
        return super().passage(texts)


PASSAGES = [f"passage {number}" for number in range(PIECE_TEXTS * 3)]


async def test_a_query_goes_before_the_rest_of_a_long_batch_and_before_other_batches() -> None:
    model = HeldModel()
    embedder = LocalEmbedder(lambda: model)
    batches = [asyncio.create_task(embedder.embed_passages([f"{side} {text}" for text in PASSAGES])) for side in "ab"]
    assert await asyncio.to_thread(model.works.wait, HELD_S)
    query = asyncio.create_task(embedder.embed_queries(["query"]))
    await asyncio.sleep(0)
    model.may_go_on.set()
    assert [len(vectors) for vectors in await asyncio.gather(query, *batches)] == [1, len(PASSAGES), len(PASSAGES)]
    assert model.given.index("query") == PIECE_TEXTS
    assert len(model.given) == 1 + 2 * len(PASSAGES)


async def test_a_batch_that_nobody_waits_for_any_more_is_not_gone_on_with() -> None:
    model = HeldModel()
    embedder = LocalEmbedder(lambda: model)
    batch = asyncio.create_task(embedder.embed_passages(PASSAGES))
    assert await asyncio.to_thread(model.works.wait, HELD_S)
    batch.cancel()
    model.may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await batch
    await embedder.embed_queries(["query"])
    assert model.given == [*PASSAGES[:PIECE_TEXTS], "query"]


async def test_the_real_model_puts_what_means_the_same_in_both_languages_near() -> None:
    embedder = LocalEmbedder()
    query, *passages = [
        *(await embedder.embed_queries(["我的猫叫什么名字"])),
        *(await embedder.embed_passages(["My cat is called Bean.", "The train leaves at eight."])),
    ]
    near, far = (sum(a * b for a, b in zip(query, passage, strict=True)) for passage in passages)
    assert near > far
    assert sum(number * number for number in query) == pytest.approx(1, abs=1e-3)
    assert len(query) == embedder.dimensions
