"""Endpoint: where and with which key embeddings are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPENAI_BASE_URL = "https://api.openai.com/v1"
NO_KEY = "none-needed"
DEFAULT_TIMEOUT_S = 60.0
MAX_QUERY_S = 5.0
"""A conversation waits for what is searched for, so it is waited for less long than texts that are kept."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible endpoint.

    Attributes:
        base_url: Its address up to and with the version (`http://localhost:11434/v1`); blank: OpenAI's.
        api_key: Blank where none is needed (Ollama, vLLM, LM Studio).
        timeout_s: Within so many seconds a request is answered, its retries included, or it failed.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    timeout_s: float = DEFAULT_TIMEOUT_S

    @property
    def address(self) -> str:
        """Give the address to ask."""
        return self.base_url or OPENAI_BASE_URL

    @property
    def query_timeout_s(self) -> float:
        """Say within how many seconds a query is answered, or it failed."""
        return min(self.timeout_s, MAX_QUERY_S)

    @property
    def shown(self) -> str:
        """Give the address as it may be shown: without a name, a password or a query, which may be secret."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def same_origin(one: str, other: str) -> bool:
    """Tell whether two base URLs (blank: OpenAI's) lead to one server, so that a key for one may be sent to the other."""
    return _origin(one) == _origin(other)


def _origin(base_url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(base_url or OPENAI_BASE_URL)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
