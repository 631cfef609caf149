"""Failures: what went wrong with an endpoint, made out from its error or from its answer, as a value.

ModelError (langchain_core)
├── UnreadableAnswerError   something came back that is no answer
├── UnsendableMediaError    a message shows what the client of the model cannot send
├── EndlessAnswerError      an answer did not come to its end
└── UnsendableKeyError      the key has characters that no header may have
ValueError
└── UnknownModelError       (graph/models/choice.py)
    └── MissingKeyError     OpenAI's endpoint was chosen and there is no key
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal, cast

from langchain_core.exceptions import ModelError
from langchain_core.messages import AIMessage

Reason = Literal[
    "no_key",
    "wrong_key",
    "no_access",
    "no_money",
    "limited",
    "limited_for_now",
    "unreachable",
    "wrong_address",
    "moved",
    "no_model",
    "no_tools",
    "time_out",
    "broke_off",
    "endless",
    "cut_short",
    "empty",
    "only_tools",
    "too_long",
    "refused",
    "no_media",
    "broken",
    "rejected",
    "unreadable",
]


class UnreadableAnswerError(ModelError):
    """Something came back that is no answer: a page of HTML, half a JSON, nothing at all."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"Cannot read the model's answer: {found}. OPENAI_BASE_URL must name an OpenAI-compatible endpoint, /v1 included."
        )


class EndlessAnswerError(ModelError):
    """An answer was broken off by us, since it was too long or took too long."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"Cannot wait for the end of the model's answer: {found}. Ask for less, or raise MODEL_TIMEOUT_S."
        )


class UnsendableMediaError(ModelError):
    """A message holds a picture, a recording or a file in a form or of a kind that cannot be sent to the model."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"Cannot send what a message shows: {why}. Send it in one of LangChain's standard content blocks, with its "
            "mime_type, or set MODEL_TAKES to what the model takes."
        )


class UnsendableKeyError(ModelError):
    """The key cannot be sent: a header holds printable ASCII only."""

    def __init__(self) -> None:
        super().__init__(
            "Cannot send OPENAI_API_KEY: it has characters other than printable ASCII. Copy it anew from its provider."
        )


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why there is no answer, or no whole one.

    Attributes:
        reason: What kind of failure it is.
        seconds: When to try again, where the endpoint said so.
        status: The HTTP status, 0 where there was none.
        detail: What may be logged: names and codes, nothing that was sent.
    """

    reason: Reason
    seconds: int = 0
    status: int = 0
    detail: str = ""


def endpoint_errors() -> tuple[type[Exception], ...]:
    """List the errors that are an endpoint's and not ours; a client's own kinds where that client is in use."""
    openai, langchain_openai = sys.modules.get("openai"), sys.modules.get("langchain_openai")
    of_client = (openai.APIError,) if openai else ()
    of_stream = (langchain_openai.StreamChunkTimeoutError,) if langchain_openai else ()
    return (ModelError, *of_client, *of_stream)


def failure_of_error(error: BaseException) -> Failure:
    """Make out why a call failed."""
    status = int(getattr(error, "status_code", 0) or 0)
    seconds = retry_after_s(error)
    reason = _reason(error, status)
    if reason == "limited" and not seconds:
        reason = "limited_for_now"
    return Failure(reason=reason, seconds=math.ceil(seconds), status=status, detail=_detail(error))


def failure_in_answer(message: AIMessage) -> Failure | None:
    """Make out what is wrong with an answer that came to its end; None where nothing is."""
    finish = str(message.response_metadata.get("finish_reason", ""))
    if finish == "content_filter":
        return Failure(reason="refused", detail=f"finish_reason {finish!r}")
    if message.text.strip():
        return Failure(reason="cut_short", detail=f"finish_reason {finish!r}") if finish == "length" else None
    if message.tool_calls and finish != "length":
        return None
    return Failure(reason="empty", detail=f"finish_reason {finish!r}")


def retry_after_s(error: BaseException) -> float:
    """Give the seconds after which the endpoint wants to be asked again; 0 where it does not say."""
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", None) or {}
    asked = headers.get("retry-after", "")
    try:
        seconds = float(asked) if asked else 0.0
    except ValueError:
        seconds = _between(headers.get("date", ""), asked)
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _between(now: str, then: str) -> float:
    """Count the seconds between two dates of a response; 0 where one is none."""
    try:
        return (parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


_TOLD: tuple[tuple[Reason, re.Pattern[str]], ...] = tuple(
    (cast("Reason", reason), re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        ("no_money", r"insufficient[_ ](?:quota|balance)|arrearage|current quota|billing"),
        ("refused", r"data_inspection|content[_ ](?:policy|filter|management)|content exists risk|safety system|inappropriate content"),
        (
            "too_long",
            r"context[_ ](?:length|window|size)|maximum context|range of input length|prompt is too long|initial prompt is greater"
            r"|too many tokens|input is too long",
        ),
        (
            "no_media",
            r"unknown variant .?(?:image_url|input_audio|file|video_url)|is not a multimodal model|only supported by certain models"
            r"|(?:not|n't) support (?:image|audio|video|file|vision)|support (?:image|audio|video|file) input"
            r"|(?:image|audio|video|file|pdf)s? (?:inputs? )?(?:is|are) not supported",
        ),
        ("no_tools", r"does not support (?:tools|function)|tool[- ]choice requires|tool[-_]call[-_]parser"),
        ("no_model", r"model_not_found|model.{0,80}(?:not exist|not found)|(?:invalid|unknown|no such) model"),
        ("wrong_key", r"invalid_api_key|incorrect api key|authentication[_ ](?:error|fails)"),
    )
)  # fmt: skip
"""What endpoints write in message, type or code (tests/endpoint/dialects.py names where each was read)."""

_BY_STATUS: Mapping[int, Reason] = {
    401: "wrong_key",
    402: "no_money",
    403: "no_access",
    404: "wrong_address",
    405: "wrong_address",
    408: "time_out",
    413: "too_long",
    429: "limited",
}
_OURS: Mapping[type[BaseException], Reason] = {
    UnreadableAnswerError: "unreadable",
    EndlessAnswerError: "endless",
    UnsendableKeyError: "wrong_key",
    UnsendableMediaError: "no_media",
}
_REDIRECTS = range(300, 400)
_SERVER_ERRORS = 500
_NOT_THERE = frozenset({"ConnectError", "ConnectTimeout", "UnsupportedProtocol", "ProxyError"})


def _reason(error: BaseException, status: int) -> Reason:
    """Read the names in the chain of causes first, then what was told, then the status."""
    ours = next((_OURS[type(one)] for one in _chain(error) if type(one) in _OURS), None)
    if ours or status in _REDIRECTS:
        return ours or "moved"
    names = [kind.__name__ for one in _chain(error) for kind in type(one).__mro__]
    if not _NOT_THERE.isdisjoint(names):
        return "unreachable"
    if any("Timeout" in name for name in names):
        return "time_out"
    told = _told(error)
    for reason, pattern in _TOLD:
        if pattern.search(told):
            return reason
    if status:
        return _BY_STATUS.get(status, "broken" if status >= _SERVER_ERRORS else "rejected")
    return "broke_off" if "APIError" in names or "APIConnectionError" in names else _by_kind(names)


def _by_kind(names: list[str]) -> Reason:
    """Read the kinds that LangChain gives the errors of any provider."""
    kinds: Mapping[str, Reason] = {
        "ModelAuthenticationError": "wrong_key",
        "ModelPermissionDeniedError": "no_access",
        "ModelNotFoundError": "no_model",
        "ModelRateLimitError": "limited",
        "ModelConnectionError": "unreachable",
        "ContextOverflowError": "too_long",
        "ModelRefusalError": "refused",
        "ModelAPIError": "broken",
    }
    return next((kinds[name] for name in names if name in kinds), "rejected")


def _told(error: BaseException) -> str:
    """Give what the endpoint wrote: its body, in any of the shapes, or the client's message."""
    body: Any = getattr(error, "body", None)
    parts = [body.get(name) for name in ("message", "type", "code")] if isinstance(body, dict) else [body]
    return " ".join(str(part) for part in [*parts, error] if part)


def _detail(error: BaseException) -> str:
    """Say what may stand in a log: never the endpoint's message, which may repeat the key or what was sent."""
    facts = {
        "status": getattr(error, "status_code", None),
        "type": getattr(error, "type", None),
        "code": getattr(error, "code", None),
        "request": getattr(error, "request_id", None),
    }
    causes = " from ".join(type(one).__name__ for one in _chain(error))
    return ", ".join([causes, *(f"{name} {str(fact)[:80]!r}" for name, fact in facts.items() if fact)])


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Go from an error to its cause, and to that one's."""
    at: BaseException | None = error
    while at is not None:
        yield at
        at = at.__cause__
