"""The routes of an embeddings endpoint: a model without meaning behind them, and the faults that a test scripts.

`Endpoint(routes=embedding_routes(Embeds(max_texts=10))).serving()` serves it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Entry = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Error:
    """An answer that is an error."""

    status: int
    code: str | None = None
    message: str = "No."
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Bytes:
    """An answer of these bytes, as JSON or as what it says."""

    body: bytes
    media_type: str = "application/json"


@dataclass(frozen=True, kw_only=True)
class Silence:
    """No answer until the client goes."""


@dataclass(frozen=True, kw_only=True)
class Changed:
    """The right answer, its entries (`index`, `embedding`) changed."""

    change: Callable[[list[Entry]], list[Any]]


Fault = Error | Bytes | Silence | Changed


@dataclass(kw_only=True)
class Embeds:
    """What the endpoint does.

    Attributes:
        dimensions: How long its vectors are.
        max_texts: More in one request are refused.
        max_chars: A longer text is refused.
        key: The key that it wants; "": none.
        encoding: How it writes vectors, whatever it is asked for; "as asked" for what the request wants.
        faults: What it answers to the next requests, one each; then it works.
        asked: The texts of each request.
        bodies: What each request was.
    """

    dimensions: int = 8
    max_texts: int = 2048
    max_chars: int = 100_000
    key: str = ""
    encoding: Literal["as asked", "float", "base64"] = "as asked"
    faults: deque[Fault] = field(default_factory=deque)
    asked: list[list[str]] = field(default_factory=list)
    bodies: list[Mapping[str, Any]] = field(default_factory=list)

    def will(self, *faults: Fault) -> None:
        """Script what comes next."""
        self.faults.extend(faults)


def embedding_routes(embeds: Embeds) -> list[Route]:
    """Give the route for `/v1/embeddings`."""

    async def answer(request: Request) -> Response:
        body = json.loads(await request.body())
        embeds.bodies.append(body)
        embeds.asked.append(body["input"])
        fault = embeds.faults.popleft() if embeds.faults else _refusal(embeds, request, body["input"])
        entries = _entries(embeds, body)
        match fault:
            case None:
                return _answer(entries)
            case Changed():
                return _answer(fault.change(entries))
            case Error():
                error = {"message": fault.message, "type": "error", "code": fault.code}
                return JSONResponse({"error": error}, status_code=fault.status, headers=dict(fault.headers))
            case Bytes():
                return Response(fault.body, media_type=fault.media_type)
            case Silence():
                return await _silence(request)

    return [Route("/v1/embeddings", answer, methods=["POST"])]


def vector_for(text: str, dimensions: int) -> list[float]:
    """Give the served model's vector of a text; its length is not 1."""
    words = array("h", hashlib.shake_256(text.encode()).digest(dimensions * 2))
    return [(word + 0.5) / 1000 for word in words]


def _refusal(embeds: Embeds, request: Request, texts: Sequence[str]) -> Error | None:
    if embeds.key and request.headers.get("authorization") != f"Bearer {embeds.key}":
        return Error(status=401, code="invalid_api_key")
    if len(texts) > embeds.max_texts or any(len(text) > embeds.max_chars for text in texts):
        return Error(status=400, code="InvalidParameter")
    return Error(status=400) if any(not text.strip() for text in texts) else None


def _entries(embeds: Embeds, body: Mapping[str, Any]) -> list[Entry]:
    wanted = body.get("encoding_format", "float") if embeds.encoding == "as asked" else embeds.encoding
    vectors = [vector_for(text, embeds.dimensions) for text in body["input"]]
    written = [vector if wanted == "float" else base64.b64encode(array("f", vector)).decode() for vector in vectors]
    return [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(written)]


def _answer(entries: Sequence[Any]) -> Response:
    text = json.dumps({"object": "list", "model": "m", "data": list(entries), "usage": {}})  # NaN as Python writes it
    return Response(text, media_type="application/json")


async def _silence(request: Request) -> Response:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response()
