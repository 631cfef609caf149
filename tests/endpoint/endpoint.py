"""An OpenAI-compatible endpoint on loopback, which gives the answers that a test scripted and notes what was asked."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from tests.endpoint.answers import Answer, Fails, Raw, Says, Silent
from tests.endpoint.dialects import OPENAI, Dialect, Refusal
from tests.endpoint.wire import again, events, whole

HOST = "127.0.0.1"
START_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a request was: its path, its headers (lower case) and its JSON."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Give the key that it came with."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def tools(self) -> list[str]:
        """Name the tools that were offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]


class Endpoint:
    """A scripted endpoint; each good request takes the next answer of the script.

    What the dialect refuses (a `response_format`, a `tool_choice`, a key) it refuses by itself, and no answer of
    the script is used up. With the script at its end it gives `otherwise`.

    Attributes:
        dialect: How it speaks; may be changed between requests.
        key: The key it wants; "": any, and none.
        models: What it serves; other names get the dialect's error. (): any name.
        otherwise: What it answers when the script has come to its end.
        asked: What was asked so far, refused requests too.
    """

    def __init__(
        self,
        *answers: Answer,
        dialect: Dialect = OPENAI,
        key: str = "",
        models: Sequence[str] = (),
        otherwise: Answer | None = None,
        routes: Sequence[BaseRoute] = (),
    ) -> None:
        self.dialect, self.key, self.models = dialect, key, tuple(models)
        self.otherwise: Answer = otherwise or Fails(kind="broken", message="The script has no more answers.")
        self.asked: list[Asked] = []
        self._script = deque(answers)
        self._socket = socket.create_server((HOST, 0))
        own = [Route("/v1/chat/completions", self._chat, methods=["POST"]), Route("/v1/models", self._models)]
        self._app = Starlette(routes=[*own, *routes])

    @property
    def url(self) -> str:
        """Give what OPENAI_BASE_URL must be."""
        return f"http://{HOST}:{self._socket.getsockname()[1]}/v1"

    @property
    def chats(self) -> list[Mapping[str, Any]]:
        """Give the bodies of the chat requests."""
        return [one.body for one in self.asked if one.path.endswith("/chat/completions")]

    def will(self, *answers: Answer) -> None:
        """Add answers to the script."""
        self._script.extend(answers)

    def start_anew(self, *answers: Answer) -> None:
        """Forget the script and what was asked, and begin another."""
        self._script = deque(answers)
        self.asked.clear()

    @contextmanager
    def serving(self) -> Iterator[Endpoint]:
        """Serve in a thread while the block runs."""
        config = uvicorn.Config(self._app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False)
        server = uvicorn.Server(config)
        thread = Thread(target=self._run, args=(server,), name="endpoint")
        thread.start()
        try:
            yield self
        finally:
            server.should_exit = server.force_exit = True
            thread.join(START_S)
            self._socket.close()

    def _run(self, server: uvicorn.Server) -> None:
        asyncio.run(server.serve(sockets=[self._socket]))

    async def _models(self, request: Request) -> Response:
        self._note(request, {})
        served = [{"id": name, "object": "model", "created": 1, "owned_by": "tests"} for name in self.models or ("m",)]
        return JSONResponse({"object": "list", "data": served})

    async def _chat(self, request: Request) -> Response:
        body = cast("dict[str, Any]", json.loads(await request.body()))
        asked = self._note(request, body)
        refusal = self._refusal(asked)
        if refusal is not None:
            return self._failed(refusal, {})
        answer = self._script.popleft() if self._script else self.otherwise
        match answer:
            case Says():
                return self._said(answer, body)
            case Fails():
                return self._failed(_worded(answer, self.dialect), answer.headers)
            case Raw():
                return Response(
                    answer.body,
                    status_code=answer.status,
                    media_type=answer.content_type,
                    headers=dict(answer.headers),
                )
            case Silent():
                return _Parts([], ending="silence", before_anything=True)

    def _note(self, request: Request, body: Mapping[str, Any]) -> Asked:
        asked = Asked(path=request.url.path, headers=dict(request.headers), body=body)
        self.asked.append(asked)
        return asked

    def _said(self, says: Says, body: Mapping[str, Any]) -> Response:
        model = str(body.get("model", ""))
        if not body.get("stream"):
            done = json.dumps(whole(says, self.dialect, model), ensure_ascii=False)
            parts = [done if says.then == "end" else done[: len(done) // 2]]
            kind = "application/json"
            return _Parts(parts, ending=says.then, content_type=kind, forever=" ", pause_s=says.pause_s)
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        parts = list(events(says, self.dialect, model, asked_for_usage=usage))
        return _Parts(parts, ending=says.then, forever=again(says, model), pause_s=says.pause_s)

    def _failed(self, refusal: Refusal, headers: Mapping[str, str]) -> Response:
        return JSONResponse(self.dialect.error(refusal), status_code=refusal.status, headers=dict(headers))

    def _refusal(self, asked: Asked) -> Refusal | None:
        """Say what the dialect has against a request, if anything."""
        body, dialect = asked.body, self.dialect
        if self.key and asked.key != self.key:
            return dialect.fault("wrong_key")
        if self.models and body.get("model") not in self.models:
            return dialect.fault("no_model")
        for name, refusal in dialect.refused_fields.items():
            if name in body:
                return refusal
        if dialect.no_developer and any(one.get("role") == "developer" for one in body.get("messages", [])):
            return dialect.no_developer
        return _format_refusal(body, dialect) or _choice_refusal(body, dialect)


class _Parts(Response):
    """Sends texts one by one, and ends as it should, or does not."""

    def __init__(
        self,
        parts: Sequence[str],
        *,
        ending: str,
        content_type: str = "text/event-stream",
        before_anything: bool = False,
        forever: str = "",
        pause_s: float = 0,
    ) -> None:
        super().__init__(media_type=content_type)
        del self.headers["content-length"]
        self._forever, self._pause_s = forever, pause_s
        self._parts, self._ending, self._before_anything = parts, ending, before_anything

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send; without an ending the server closes the connection in the middle of the body."""
        if not self._before_anything:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for part in self._parts:
            await send({"type": "http.response.body", "body": part.encode(), "more_body": True})
            await asyncio.sleep(0)
        if self._ending == "silence":
            await _until_the_client_goes(receive)
        elif self._ending == "endless":
            await self._go_on(receive, send)
        elif self._ending != "cut":
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _go_on(self, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_until_the_client_goes(receive))
        while not gone.done():
            await send({"type": "http.response.body", "body": self._forever.encode(), "more_body": True})
            await asyncio.sleep(self._pause_s)


async def _until_the_client_goes(receive: Receive) -> None:
    with suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass


def _worded(answer: Fails, dialect: Dialect) -> Refusal:
    known = dialect.fault(answer.kind)
    return Refusal(
        status=answer.status or known.status,
        message=known.message if answer.message is None else answer.message,
        type=known.type,
        code=known.code,
        param=known.param,
    )


def _format_refusal(body: Mapping[str, Any], dialect: Dialect) -> Refusal | None:
    wanted = (body.get("response_format") or {}).get("type", "text")
    if wanted not in dialect.formats:
        return dialect.no_format
    said = json.dumps(body.get("messages", []), ensure_ascii=False).casefold()
    return dialect.word_json if wanted == "json_object" and "json" not in said else None


def _choice_refusal(body: Mapping[str, Any], dialect: Dialect) -> Refusal | None:
    choice = body.get("tool_choice") or "auto"
    kind = choice if isinstance(choice, str) else "named"
    return None if kind in dialect.choices else dialect.no_choice
