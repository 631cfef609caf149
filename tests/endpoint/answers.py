"""Answers: what a test tells the endpoint to give to the next requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.endpoint.dialects import Fault

DEFAULT_PIECE_CHARS = 3


@dataclass(frozen=True, kw_only=True)
class Call:
    """One tool call; without an id (None) the field is not there."""

    tool: str
    args: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = "call_1"


@dataclass(frozen=True, kw_only=True)
class Says:
    """A good answer, or the beginning of one.

    Attributes:
        text: What is said; null on the wire when there are only calls.
        thinking: What is thought before, where the dialect puts it.
        calls: The tools that are called.
        pieces: How the text is cut when streamed; (): every three characters.
        finish: The reason at the end; "": `tool_calls` with calls, else `stop`.
        then: What becomes of it after the text: it ends, or the connection is cut, or nothing comes any more,
            or what comes is no JSON, or an error stands in the stream, or it goes on for ever.
        fault: Which error, where one stands in the stream.
        forever: What is said again and again, where it goes on for ever.
        pause_s: How long it waits between.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    pieces: tuple[str, ...] = ()
    finish: str = ""
    then: Literal["end", "cut", "silence", "garbage", "error", "endless"] = "end"
    fault: Fault = "broken"
    forever: Mapping[str, str] = field(default_factory=dict)
    pause_s: float = 0

    @property
    def cut_text(self) -> tuple[str, ...]:
        """Give the pieces in which the text is streamed."""
        return self.pieces or tuple(
            self.text[at : at + DEFAULT_PIECE_CHARS] for at in range(0, len(self.text), DEFAULT_PIECE_CHARS)
        )

    @property
    def reason(self) -> str:
        """Give the reason at the end."""
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True, kw_only=True)
class Fails:
    """An error as the dialect words it, or with a status and a message of the test's own."""

    kind: Fault = "broken"
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class Raw:
    """Bytes as they are: a proxy's page, half a JSON."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Silent:
    """Nothing, until the client goes away."""


Answer = Says | Fails | Raw | Silent


def limited(retry_after_s: float | str = 1) -> Fails:
    """Say that there were too many requests, and when to come again."""
    return Fails(kind="limited", headers={"Retry-After": str(retry_after_s)})
