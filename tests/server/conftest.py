"""A real `langgraph dev` for each module, shared by its tests, and a client of it for each test."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Generator, Iterator

import pytest
from langgraph_sdk import get_client

from tests.server.client import Client
from tests.server.dev_server import DevServer
from tests.server.held_model import HeldModel


@pytest.fixture(scope="module")
def held_model() -> Iterator[HeldModel]:
    with HeldModel().serving() as model:
        yield model


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, held_model: HeldModel
) -> Iterator[DevServer]:
    """Run a server with a home of its own, which answers offline unless a run asks for the held model.

    A module's `SETTINGS` are the environment's.
    """
    if not hasattr(os, "killpg"):
        pytest.skip("the server is run, and killed, as a process group")
    settings: dict[str, str] = getattr(request.module, "SETTINGS", {})
    with DevServer(tmp_path_factory.mktemp("server"), **held_model.settings, **settings).running() as started:
        yield started


@pytest.fixture
async def client(server: DevServer) -> AsyncIterator[Client]:
    async with get_client(url=server.url) as sdk:
        yield Client(sdk)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the end of the server's log under a test that failed."""
    report = yield
    started = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(started, DevServer):
        report.sections.append(("the server's log", started.tail()))
    return report
