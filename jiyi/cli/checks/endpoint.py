"""An OpenAI-compatible endpoint, asked only which models it has: `GET <base>/models`, with the key, of its own host.

A redirect is told and not followed: the key goes nowhere but where the settings say.
"""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from jiyi.cli.checks.addresses import shown_address
from jiyi.cli.checks.check import MIB, Status

TIMEOUT_S = 5.0
MOST_BYTES = 8 * MIB
MOST_NAMED = 3
LOOKS_LIKE = 0.5
OK, REDIRECTS, NOT_FOUND, NOT_ALLOWED, BUSY, ERRORS, NOT_BUILT = 200, 300, 404, 405, 429, 500, 501
UNAUTHORIZED, FORBIDDEN, BAD_REQUEST = 401, 403, 400

Unlisted = Literal["refused", "silent", "not_http", "unasked", "moved", "troubled", "odd"]
Judgement = tuple[Status, str, str]
"""A status, what was found, and what to do."""

JUDGED: Mapping[Unlisted, Judgement] = {
    "refused": ("fail", "it refused the key ({told})", "Set OPENAI_API_KEY to a key of that endpoint."),
    "silent": (
        "fail",
        "no answer: {told}",
        "Start the endpoint, correct OPENAI_BASE_URL, or see to the network (a proxy, a firewall).",
    ),
    "not_http": (
        "fail",
        "what answers there does not speak HTTP",
        "Correct OPENAI_BASE_URL: the port, and http against https.",
    ),
    "unasked": (
        "warn",
        "it does not list its models ({told}), so it cannot be asked that way",
        "See with `jiyi chat --message hello` whether it answers; if not, OPENAI_BASE_URL may lack its /v1.",
    ),
    "moved": (
        "warn",
        "it points elsewhere: {told}",
        "Set OPENAI_BASE_URL to where it really is; the key was not sent on.",
    ),
    "troubled": ("warn", "it is there, and in trouble ({told})", "Wait, or look at its own status and at your quota."),
    "odd": (
        "warn",
        "its answer is no list of models ({told})",
        "Correct OPENAI_BASE_URL: it is to be an OpenAI-compatible endpoint, most often ending in /v1.",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back.

    Attributes:
        kind: What sort of answer it is.
        told: The status, the redirect's goal or the fault, as it may be shown.
        models: The models' names, where they were listed.
    """

    kind: Unlisted | Literal["listed"]
    told: str = ""
    models: tuple[str, ...] = ()


def ask_for_models(base_url: str, key: str, *, timeout_s: float = TIMEOUT_S) -> Answer:
    """Ask an endpoint which models it has.

    Args:
        base_url: Its address, with its `/v1`.
        key: Sent as a bearer token; blank: nothing is sent.
        timeout_s: How long it may be silent, and how long its answer may take in all after it has begun.
    """
    import httpx  # noqa: PLC0415  (a fifth of a second: imported where it is used)

    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    try:
        with (
            httpx.Client(timeout=timeout_s, follow_redirects=False) as client,
            client.stream("GET", models_address(base_url), headers=headers) as response,
        ):
            return read_answer(
                response.status_code, response.headers.get("location", ""), _within(response.iter_bytes(), timeout_s)
            )
    except httpx.TimeoutException:
        return Answer(kind="silent", told=f"nothing came within {timeout_s:g} s")
    except (httpx.RemoteProtocolError, httpx.DecodingError):
        return Answer(kind="not_http")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Answer(kind="silent", told=str(error) or type(error).__name__)


def models_address(base_url: str) -> str:
    """Give the address at which an endpoint lists its models; a query stays."""
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/models", parts.query, ""))


def read_answer(status: int, location: str, body: bytes) -> Answer:
    """Make out what sort of answer came."""
    told = f"HTTP {status}"
    if status in (UNAUTHORIZED, FORBIDDEN):
        return Answer(kind="refused", told=told)
    if status in (NOT_FOUND, NOT_ALLOWED, NOT_BUILT):
        return Answer(kind="unasked", told=told)
    if REDIRECTS <= status < BAD_REQUEST:
        return Answer(kind="moved", told=shown_address(location) or "it does not say where")
    if status == BUSY or status >= ERRORS:
        return Answer(kind="troubled", told=told)
    models = _models(body) if status == OK else None
    return Answer(kind="odd", told=told) if models is None else Answer(kind="listed", told=told, models=models)


def found_in(answer: Answer, model: str) -> Judgement:
    """Judge an answer for one model."""
    if answer.kind == "listed":
        return _listed(answer.models, model)
    status, found, advice = JUDGED[answer.kind]
    return status, found.format(told=answer.told), advice


def _listed(models: tuple[str, ...], model: str) -> Judgement:
    if any(_is_named(listed, model) for listed in models):
        return "ok", "it is there and lists the model", ""
    near = difflib.get_close_matches(model, models, n=MOST_NAMED, cutoff=LOOKS_LIKE) or sorted(models)[:MOST_NAMED]
    advice = f"Choose one that it has: {', '.join(near)}." if near else "It has none: load or deploy one there."
    return "warn", f"it is there, and does not list the model ({len(models)} others)", advice


def _is_named(listed: str, model: str) -> bool:
    """Tell whether a listed name is the model's; some endpoints list it with a folder or `:latest`."""
    return model in (listed, listed.removesuffix(":latest"), listed.removeprefix("models/"))


def _models(body: bytes) -> tuple[str, ...] | None:
    """Read `{"data": [{"id": …}]}`; None for anything else."""
    try:
        listed = json.loads(body)["data"]
        return tuple(str(one["id"]) for one in listed)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _within(pieces: Iterable[bytes], timeout_s: float) -> bytes:
    """Read an answer, at most so much of it and for so long; what is cut off is no list."""
    until, read = time.monotonic() + timeout_s, bytearray()
    for piece in pieces:
        read += piece
        if len(read) > MOST_BYTES or time.monotonic() > until:
            break
    return bytes(read)
