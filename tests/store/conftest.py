"""Stores with each of the vector indexes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from store.chroma.process import ChromaProcess
from store.database import Database
from store.vectors import ExactIndex, VectorIndex
from tests.store.chroma_server import EagerIndex, chroma_server

IndexOf = Callable[[Database], VectorIndex]


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaProcess]:
    """Give an embedded Chroma that all tests share; each store has collections of its own."""
    process = ChromaProcess(str(tmp_path_factory.mktemp("embedded") / "chroma"))
    yield process
    asyncio.run(process.close())


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaProcess]:
    """Give a Chroma server that all tests share."""
    with chroma_server(tmp_path_factory.mktemp("served") / "chroma") as address:
        process = ChromaProcess(address)
        yield process
        asyncio.run(process.close())


def index_named(name: str, request: pytest.FixtureRequest) -> IndexOf:
    """Give what makes an index: `exact`, `chroma` or `chroma server`."""
    if name == "exact":
        return ExactIndex
    return partial(EagerIndex, process=request.getfixturevalue("embedded" if name == "chroma" else "served"))


@pytest.fixture(params=["exact", "chroma", "chroma server"])
def index_of(request: pytest.FixtureRequest) -> IndexOf:
    """Give each vector index in turn."""
    return index_named(request.param, request)
