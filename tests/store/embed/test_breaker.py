"""An endpoint that is away is waited for once and shortly, and then let be."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.seams import EmbeddingError
from store.embed.breaker import FIRST_REST_S, LONGEST_REST_S, Breaker
from store.embed.endpoint import MAX_QUERY_S, Endpoint
from store.embed.openai import OpenAIEmbedder
from tests.endpoint.embeddings import Bytes, Embeds, Error, Fault, Silence

DOWN = Error(status=401)


@dataclass
class Watch:
    """A time that stands still until it is moved."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def embedder(endpoint: Endpoint, watch: Watch) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", replace(endpoint, timeout_s=0.3), seconds=watch)


async def failure_of(embedder: OpenAIEmbedder, text: str = "tea") -> str:
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed_queries([text])
    return str(caught.value)


@pytest.mark.parametrize(
    "fault",
    [
        Silence(),
        Error(status=401),
        Error(status=403),
        Error(status=429, code="insufficient_quota"),
        Error(status=429, headers={"retry-after": "3600"}),
        Error(status=503, headers={"retry-after": "3600"}),
    ],
)
async def test_after_a_failure_that_lasts_nothing_is_asked_until_the_rest_is_over(
    embedder: OpenAIEmbedder, served: Embeds, watch: Watch, fault: Fault
) -> None:
    served.will(fault)
    first = await failure_of(embedder)
    said = await failure_of(embedder, "coffee")
    assert len(served.asked) == 1
    assert "is not asked for another 5 s" in said
    assert first in said
    watch.seconds = FIRST_REST_S
    assert len(await embedder.embed_queries(["tea"])) == 1


async def test_passages_fail_at_once_as_well_and_nothing_but_the_endpoint_is_named(
    embedder: OpenAIEmbedder, served: Embeds
) -> None:
    served.will(DOWN)
    await failure_of(embedder, "a secret")
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed_passages(["another secret"])
    assert len(served.asked) == 1
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("fault", [Error(status=404), Error(status=400), Bytes(body=b"null")])
async def test_a_failure_that_another_text_may_not_have_does_not_stop_the_next(
    embedder: OpenAIEmbedder, served: Embeds, fault: Fault
) -> None:
    served.will(fault)
    await failure_of(embedder, "x")
    assert len(await embedder.embed_queries(["tea"])) == 1


async def test_each_further_failure_doubles_the_rest_and_a_success_ends_it(
    embedder: OpenAIEmbedder, served: Embeds, watch: Watch
) -> None:
    for rest_s in (5, 10, 20, 40, 60, 60):
        served.will(DOWN)
        await failure_of(embedder)
        assert f"another {rest_s} s" in await failure_of(embedder)
        watch.seconds += rest_s
    await embedder.embed_queries(["tea"])
    served.will(DOWN)
    await failure_of(embedder, "coffee")
    assert "another 5 s" in await failure_of(embedder, "coffee")


async def test_calls_that_fail_together_count_once(embedder: OpenAIEmbedder, served: Embeds) -> None:
    served.will(*[Silence()] * 3)
    await asyncio.gather(*(failure_of(embedder, text) for text in ("a", "b", "c")))
    assert "another 5 s" in await failure_of(embedder)


async def test_an_endpoint_that_does_not_run_is_let_be(watch: Watch) -> None:
    embedder = OpenAIEmbedder("m", Endpoint(base_url="http://127.0.0.1:1/v1", timeout_s=20), seconds=watch)
    assert "no connection" in await failure_of(embedder)
    assert "is not asked for another 5 s" in await failure_of(embedder)


@pytest.mark.parametrize(("timeout_s", "waits_s"), [(60, MAX_QUERY_S), (2, 2)])
def test_a_query_waits_shortly(timeout_s: float, waits_s: float) -> None:
    assert Endpoint(timeout_s=timeout_s).query_timeout_s == waits_s


async def test_a_query_is_given_up_before_a_passage_would_be(endpoint: Endpoint, served: Embeds) -> None:
    served.will(Silence())
    said = await failure_of(OpenAIEmbedder("m", replace(endpoint, timeout_s=600)))
    assert "no answer within 5 s" in said
    assert "MODEL_TIMEOUT_S" not in said


async def test_a_pause_that_is_longer_than_a_query_waits_is_not_made(endpoint: Endpoint, served: Embeds) -> None:
    served.will(Error(status=429, headers={"retry-after": "8"}))
    assert "429" in await failure_of(OpenAIEmbedder("m", endpoint))
    assert len(served.asked) == 1


@given(st.lists(st.floats(min_value=0, max_value=200)))
def test_no_rest_is_longer_than_the_longest(steps: list[float]) -> None:
    watch = Watch()
    breaker = Breaker(watch)
    for step in steps:
        breaker.failed(EmbeddingError("away"), began_at=breaker.now())
        assert FIRST_REST_S <= breaker.left_s <= LONGEST_REST_S
        watch.seconds += step
    breaker.worked()
    assert breaker.left_s == 0
