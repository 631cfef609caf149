"""The gatekeeper: which pages and names a server that listens to this machine only answers to.

A page on any site can make a browser send requests to this machine (as plain text, so that nobody asks first), and a
name that points here (DNS rebinding) makes its answers readable to that page. Both would reach every user's memory.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

STUDIO = "https://smith.langchain.com"
TUNNELS = (".trycloudflare.com",)
"""Where `langgraph dev --tunnel` makes itself reachable; its user has asked for it."""


class Gatekeeper:
    """ASGI middleware that refuses requests from foreign pages, and to foreign names while on loopback.

    Programs send no Origin and are let through. A server that others are to reach (not on loopback) needs
    authentication instead; there only foreign pages are refused.
    """

    def __init__(self, app: App, *, on_loopback: Callable[[], bool]) -> None:
        self._app = app
        self._on_loopback = on_loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403 with the reason."""
        if scope["type"] == "http" and (why := self._refusal(Headers(scope=scope))):
            await PlainTextResponse(f"{why}\n", status_code=403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers) -> str:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._on_loopback() and not _is_ours(host):
            return f"Refused: this server listens to its own machine only and does not answer to the name {host!r}."
        if origin is not None and origin != STUDIO and urlsplit(origin).netloc != host:
            return f"Refused: pages of {origin!r} may not use this server. Use Studio, its own pages, or a program."
        return ""


def _is_ours(host: str) -> bool:
    """Tell whether a Host header names this machine (or its owner's tunnel)."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        return name == "localhost" or name.endswith((".localhost", *TUNNELS)) or ip_address(name).is_loopback
    except ValueError:  # it is no address, or not even a host
        return False
