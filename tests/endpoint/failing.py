"""Failing: for each row of the table in docs/models.md, what the endpoint does so that it happens."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graph.models.bounds import MOST_CHARS, MOST_TOOL_ROUNDS, most_s
from tests.endpoint.answers import Answer, Call, Fails, Raw, Says, Silent, limited

PAGE = Path(__file__).resolve().parents[2] / "docs" / "models.md"
BEGUN = "好的，我记住了"
TIMEOUT_S = 0.4
THINKS_FOR_EVER = Says(text=BEGUN, then="endless", forever={"reasoning_content": "嗯" * 5_000})
ONLY_CALLS = Says(calls=(Call(tool="no_such_tool"),))
REDIRECT = Raw(body=b"", status=307, headers={"Location": "http://127.0.0.1:9/elsewhere"})


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    reason: str
    what: str
    again: str
    thread: str
    zh: str
    en: str

    @property
    def tries(self) -> int:
        """Count how often the endpoint is asked for one answer."""
        return {"no": 1, "twice": 3}[self.again]

    @property
    def keeps_what_came(self) -> bool:
        """Tell whether what had come stands before the sentence."""
        return self.thread.startswith("what had come")


@dataclass(frozen=True, kw_only=True)
class Case:
    """How a reason comes about: the answers, settings that differ, and what stands in the sentence's gaps."""

    answers: tuple[Answer, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    gaps: Mapping[str, object] = field(default_factory=dict)
    reached: bool = True
    before: int = 0
    """Requests that went well before the one that fails."""


def rows() -> Mapping[str, Row]:
    """Read the table."""
    lines = re.findall(
        r"^\| `(\w+)` \|(.+)\|$", PAGE.read_text(encoding="utf-8").partition("| Reason |")[2], re.MULTILINE
    )
    return {reason: _row(reason, cells) for reason, cells in lines}


def _row(reason: str, cells: str) -> Row:
    what, again, thread, zh, en = (cell.strip() for cell in cells.split("|"))
    return Row(reason=reason, what=what, again=again, thread=thread, zh=zh, en=en)


def closed_address() -> str:
    """Give an address on loopback where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def cases() -> Mapping[str, Case]:
    """Say for each reason how it comes about."""
    closed = closed_address()
    return {
        "no_key": Case(settings={"openai_base_url": "", "openai_api_key": None}, reached=False),
        "wrong_key": Case(answers=(Fails(kind="wrong_key"),)),
        "no_access": Case(answers=(Fails(kind="no_access"),)),
        "no_money": Case(answers=(Fails(kind="no_money"),)),
        "limited": Case(answers=(limited(7),), gaps={"seconds": 7}),
        "limited_for_now": Case(answers=(Fails(kind="limited"),) * 3),
        "unreachable": Case(settings={"openai_base_url": closed}, gaps={"host": closed.split("/")[2]}, reached=False),
        "wrong_address": Case(answers=(Raw(body=b"404 page not found", status=404, content_type="text/plain"),)),
        "moved": Case(answers=(REDIRECT,)),
        "no_model": Case(answers=(Fails(kind="no_model"),)),
        "no_tools": Case(answers=(Fails(status=400, message="registry.ollama.ai/library/m does not support tools"),)),
        "time_out": Case(answers=(Silent(),), settings={"model_timeout_s": TIMEOUT_S}, gaps={"timeout": TIMEOUT_S}),
        "broke_off": Case(answers=(Says(text=BEGUN, then="cut"),)),
        "endless": Case(
            answers=(THINKS_FOR_EVER,),
            settings={"model_timeout_s": 20},
            gaps={"most_s": f"{most_s(20):g}", "most_chars": f"{MOST_CHARS:,}"},
        ),
        "cut_short": Case(answers=(Says(text=BEGUN, finish="length"),)),
        "empty": Case(answers=(Says(thinking="嗯，让我想想"),)),
        "only_tools": Case(
            answers=(ONLY_CALLS,) * (MOST_TOOL_ROUNDS + 1),
            gaps={"most_rounds": MOST_TOOL_ROUNDS},
            before=MOST_TOOL_ROUNDS,
        ),
        "too_long": Case(answers=(Fails(kind="too_long"),)),
        "refused": Case(answers=(Fails(kind="refused"),)),
        "no_media": Case(answers=(Fails(status=400, message="m is not a multimodal model"),)),
        "broken": Case(answers=(Fails(kind="broken"),) * 3, gaps={"status": 500}),
        "rejected": Case(answers=(Fails(status=422, message="messages[1]: invalid type"),), gaps={"status": 422}),
        "unreadable": Case(answers=(Raw(body=b"<html>Sign in</html>", content_type="text/html"),)),
    }
