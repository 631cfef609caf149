"""An endpoint for embeddings on loopback, and an embedder that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store.embed.endpoint import Endpoint
from tests.endpoint.embeddings import Embeds, embedding_routes
from tests.endpoint.endpoint import Endpoint as Server


@pytest.fixture
def served() -> Embeds:
    """Say what the endpoint does; a test may change it."""
    return Embeds()


@pytest.fixture
def endpoint(served: Embeds) -> Iterator[Endpoint]:
    with Server(routes=embedding_routes(served)).serving() as server:
        yield Endpoint(base_url=server.url, api_key="sk-very-secret", timeout_s=20)
