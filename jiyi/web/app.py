"""The server's own pages, and what runs beside it: the drainer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.resources import files
from urllib.parse import quote

from langgraph.config import get_store
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from graph.drainer import Drainer
from graph.identity import NoStoreError
from graph.parts import process_parts
from graph.server import saver_with
from graph.settings import settings
from jiyi.web.gatekeeper import Gatekeeper
from store.memory_store import MemoryStore

HERE = "{{here}}"
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Finish turns that were left, for as long as the server runs.

    The server's store is given here only (in a route, LangGraph's `get_store` gives another one).
    """
    store = get_store()
    if not isinstance(store, MemoryStore):
        raise NoStoreError(store)
    parts = process_parts()
    async with AsyncExitStack() as opened:
        saver = await opened.enter_async_context(saver_with(parts))
        await opened.enter_async_context(Drainer(store, saver, parts).running())
        yield


def start(request: Request) -> HTMLResponse:
    """Say what is where; the way to Studio leads back to the address that was asked."""
    page = files("jiyi.web").joinpath("start.html").read_text(encoding="utf-8")
    here = quote(f"{request.url.scheme}://{request.url.netloc}", safe="")
    return HTMLResponse(page.replace(HERE, here), headers=SECURITY_HEADERS)


app = Starlette(
    routes=[Route("/", start)],
    lifespan=lifespan,
    middleware=[Middleware(Gatekeeper, on_loopback=lambda: settings().on_loopback)],
)
