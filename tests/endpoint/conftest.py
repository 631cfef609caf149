"""An endpoint for each test that asks for one; other folders make theirs with `Endpoint(…).serving()`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.endpoint.endpoint import Endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint().serving() as serving:
        yield serving
