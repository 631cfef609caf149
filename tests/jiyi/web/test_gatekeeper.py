"""Whom a server on this machine answers."""

from __future__ import annotations

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from jiyi.web.gatekeeper import STUDIO, Gatekeeper


def hello(_: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def status(*, host: str, origin: str | None = None, on_loopback: bool = True) -> int:
    app = Starlette(
        routes=[Route("/", hello, methods=["GET", "POST"])],
        middleware=[Middleware(Gatekeeper, on_loopback=lambda: on_loopback)],
    )
    headers = {"Host": host} | ({"Origin": origin} if origin is not None else {})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://x") as client:
        return (await client.post("/", headers=headers, content="{}")).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:2024", "localhost:2024", "[::1]:2024", "127.0.0.2", "jiyi.localhost:1"])
async def test_programs_on_this_machine_are_answered(host: str) -> None:
    assert await status(host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:2024", "192.168.1.7:2024", "localhost.evil.example", "", "["]
)
async def test_a_name_that_is_not_this_machine_is_refused(host: str) -> None:
    assert await status(host=host) == 403


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:9", "http://127.0.0.1:2024.evil.example"]
)
async def test_pages_of_others_are_refused(origin: str) -> None:
    assert await status(host="127.0.0.1:2024", origin=origin) == 403


@pytest.mark.parametrize("origin", [STUDIO, "http://127.0.0.1:2024"])
async def test_studio_and_our_own_pages_are_answered(origin: str) -> None:
    assert await status(host="127.0.0.1:2024", origin=origin) == 200


async def test_a_server_for_others_answers_to_its_name_but_not_to_foreign_pages() -> None:
    assert await status(host="agents.example", on_loopback=False) == 200
    assert await status(host="agents.example", origin="https://evil.example", on_loopback=False) == 403
