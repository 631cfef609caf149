"""KeptEmbedder over an embedder whose vectors' length is known late, or changes behind the same name."""

from __future__ import annotations

from pathlib import Path

from store.embed.endpoint import Endpoint
from store.embed.kept import KeptEmbedder
from store.embed.openai import OpenAIEmbedder
from tests.endpoint.embeddings import Embeds

TEXTS = ["the weather is nice", "今天天气不错"]


def lengths(vectors: object) -> list[int]:
    return [len(vector) for vector in vectors]  # type: ignore[attr-defined]


async def test_vectors_are_read_again_before_the_embedder_knows_their_length(
    endpoint: Endpoint, served: Embeds, tmp_path: Path
) -> None:
    await KeptEmbedder(OpenAIEmbedder("m", endpoint), tmp_path).embed_passages(TEXTS)
    again = KeptEmbedder(OpenAIEmbedder("m", endpoint), tmp_path)
    assert again.dimensions == 0
    assert lengths(await again.embed_passages(TEXTS)) == [8, 8]
    assert served.asked == [TEXTS]


async def test_vectors_of_another_length_are_made_anew_with_the_first_new_text(
    endpoint: Endpoint, served: Embeds, tmp_path: Path
) -> None:
    await KeptEmbedder(OpenAIEmbedder("m", endpoint), tmp_path).embed_passages(TEXTS)
    served.dimensions = 12
    again = KeptEmbedder(OpenAIEmbedder("m", endpoint), tmp_path)
    assert lengths(await again.embed_passages([*TEXTS, "one more", "one more"])) == [12] * 4
    assert lengths(await again.embed_passages(TEXTS)) == [12, 12]


async def test_vectors_of_another_length_than_the_embedder_has_now_are_made_anew(
    endpoint: Endpoint, served: Embeds, tmp_path: Path
) -> None:
    embedder = OpenAIEmbedder("m", endpoint)
    kept = KeptEmbedder(embedder, tmp_path)
    assert lengths(await kept.embed_passages(TEXTS)) == [8, 8]
    served.dimensions = 12
    (query,) = await embedder.embed_queries(["weather"])
    assert lengths(await kept.embed_passages(TEXTS)) == [len(query)] * 2
