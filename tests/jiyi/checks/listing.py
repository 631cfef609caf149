"""An endpoint that answers every request with one thing, and remembers with which key it was asked for what."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Listing:
    """The endpoint of one test.

    Args:
        status: Of each answer.
        body: Of each answer.
        headers: Further headers of each answer.
    """

    def __init__(self, status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self._answer = status, body, headers or {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @contextmanager
    def serving(self) -> Iterator[Listing]:
        """Serve while the block runs."""
        thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        asked, (status, body, headers) = self.asked, self._answer

        class Handler(BaseHTTPRequestHandler):
            """Gives the one answer."""

            def answer(self) -> None:
                asked.append((self.command, self.path, self.headers.get("Authorization", "")))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer  # noqa: N815 - the library's names

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


def models(*names: str) -> bytes:
    """Give the body that lists models."""
    return json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in names]}).encode()


@contextmanager
def answering_bytes(said: bytes) -> Iterator[str]:
    """Serve something that says its piece to whoever connects (nothing: it stays silent); give its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        open_ones: list[socket.socket] = []

        def answer() -> None:
            connection, _ = listening.accept()
            open_ones.append(connection)
            if said:
                connection.recv(65536)
                connection.sendall(said)
                connection.shutdown(socket.SHUT_WR)

        thread = Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join()
        for connection in open_ones:
            connection.close()


def nobody() -> str:
    """Give an address at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    return f"http://127.0.0.1:{port}/v1"
