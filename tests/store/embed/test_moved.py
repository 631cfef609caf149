"""An endpoint that says it is elsewhere: neither texts nor the key follow."""

from __future__ import annotations

import pytest

from memory.seams import EmbeddingError
from store.embed.endpoint import Endpoint
from store.embed.openai import OpenAIEmbedder
from tests.endpoint.embeddings import Embeds, Error, embedding_routes
from tests.endpoint.endpoint import Endpoint as Server


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed_and_the_error_says_what_to_set(
    endpoint: Endpoint, served: Embeds, status: int
) -> None:
    elsewhere = Embeds()
    with Server(routes=embedding_routes(elsewhere)).serving() as other:
        served.will(Error(status=status, headers={"location": f"{other.url}/embeddings"}))
        with pytest.raises(EmbeddingError) as caught:
            await OpenAIEmbedder("m", endpoint).embed_passages(["a secret"])
    assert elsewhere.asked == []
    assert f"answered {status}" in str(caught.value)
    assert "Set EMBEDDINGS_BASE_URL" in str(caught.value)
    assert "to the new address" in str(caught.value)
