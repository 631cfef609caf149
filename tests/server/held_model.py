"""A model behind an OpenAI-compatible endpoint that begins its answer and holds it until it may go on.

So a test can do something in the middle of a run, as often as it likes and at no guessed moment.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

NAME = "openai:held"
BEGINNING, END = "好的", "，说完了。"
HOLD_S, BEGIN_S = 60.0, 30.0


class HeldModel:
    """The endpoint, and the test's hold on it."""

    def __init__(self) -> None:
        self._begun, self._may_go_on = Event(), Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def settings(self) -> dict[str, str]:
        """Give what makes a server use it where a run asks for `NAME`."""
        host, port = self._server.server_address[:2]
        return {"MODEL": "offline", "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"http://{host!s}:{port}/v1"}

    @contextmanager
    def serving(self) -> Iterator[HeldModel]:
        """Serve while the block runs."""
        thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield self
        finally:
            self._may_go_on.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def hold(self) -> None:
        """Hold the answers that are asked for from now on."""
        self._begun.clear()
        self._may_go_on.clear()

    def let_go(self) -> None:
        """Let held answers, and later ones, come to their end."""
        self._may_go_on.set()

    async def has_begun(self) -> bool:
        """Wait until an answer has begun."""
        return await asyncio.to_thread(self._begun.wait, BEGIN_S)

    def _pieces(self) -> Iterator[str]:
        yield BEGINNING
        self._begun.set()
        self._may_go_on.wait(HOLD_S)
        yield END

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            """Answers chat completions, streamed or whole."""

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if asked.get("stream") else "application/json")
                self.end_headers()
                try:
                    for part in _streamed(model) if asked.get("stream") else _whole(model):
                        self.wfile.write(part)
                        self.wfile.flush()
                except (BrokenPipeError, ConnectionResetError):
                    return  # who asked was killed, or does not want to know any more

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def _chunks(self) -> Iterator[dict[str, Any]]:
        for piece in self._pieces():
            yield {"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}
        yield {"index": 0, "delta": {}, "finish_reason": "stop"}


def _streamed(model: HeldModel) -> Iterator[bytes]:
    for choice in model._chunks():  # noqa: SLF001 - one module
        body = {"id": "held", "object": "chat.completion.chunk", "created": 0, "model": "held", "choices": [choice]}
        yield f"data: {json.dumps(body)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def _whole(model: HeldModel) -> Iterator[bytes]:
    text = "".join(model._pieces())  # noqa: SLF001 - one module
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    body = {"id": "held", "object": "chat.completion", "created": 0, "model": "held"}
    yield json.dumps({**body, "choices": choices, "usage": usage}).encode()
