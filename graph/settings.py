"""Settings: what the environment (and `.env`) says, read once."""

from __future__ import annotations

from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from platformdirs import user_data_path
from pydantic import SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

OFFLINE = "offline"
DEFAULT_REMOTE_MODEL = "openai:gpt-4.1-mini"
STORE_FILE, THREADS_FILE, ORDERS_FILE = "memory.db", "threads.db", "orders.db"
"""What stands in the home, besides the secret (graph/secret.py) and the locks of who is alive (store/holders.py)."""


class Settings(BaseSettings):
    """One field per environment variable; a blank variable counts as not set.

    Attributes:
        jiyi_home: Where everything is kept; by default the system's place for a user's data.
        model: `offline` or `openai:<name>`; blank: `openai:` when there is a key, else `offline`.
        small_model: For side calls (extraction, summaries); blank: the same as `model`.
        openai_api_key: The key for the endpoint.
        openai_base_url: Any OpenAI-compatible endpoint (DeepSeek, Qwen, Ollama, vLLM, …).
        embeddings: `local` or `none`.
        chroma_url: A Chroma server to use as the vector index; refused until that is built.
        database_url: A Postgres server to keep everything in; refused until that is built.
        jiyi_key: The secret from which checkpoints' owners are named; blank: made once, kept in the home.
        jiyi_timezone: IANA name; in which "tomorrow" is meant when a run does not say.
        memory_writes: `inline` (before the run ends) or `background`.
        langgraph_api_url: Set by the LangGraph server itself: where it can be reached.
    """

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    jiyi_home: Path = user_data_path("jiyi", appauthor=False)
    model: str = ""
    small_model: str = ""
    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    embeddings: str = "local"
    chroma_url: str = ""
    database_url: str = ""
    jiyi_key: SecretStr | None = None
    jiyi_timezone: str = "UTC"
    memory_writes: Literal["inline", "background"] = "inline"
    langgraph_api_url: str = ""

    @field_validator("jiyi_home")
    @classmethod
    def _expanded(cls, home: Path) -> Path:
        return home.expanduser()

    @field_validator("jiyi_timezone")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"{name!r} is no time zone; use an IANA name such as Asia/Shanghai") from error
        return name

    @field_validator("embeddings")
    @classmethod
    def _embeds(cls, name: str) -> str:
        if name in ("local", "none"):
            return name
        raise ValueError(f"{name!r} names no embedder of this version; use local or none")

    @field_validator("chroma_url", "database_url")
    @classmethod
    def _to_come(cls, url: str) -> str:
        if url:
            raise ValueError("this version keeps everything in its data directory; leave it unset")
        return url

    @property
    def chosen_model(self) -> str:
        """Say which model answers when a run does not choose."""
        return self.model or (DEFAULT_REMOTE_MODEL if self.openai_api_key else OFFLINE)

    @property
    def on_loopback(self) -> bool:
        """Tell whether the server that runs us (if one does) listens to this machine only."""
        host = urlsplit(self.langgraph_api_url).hostname or ""
        return host == "localhost" or _is_loopback(host)


@cache
def settings() -> Settings:
    """Give the process's settings, read at first use.

    Raises:
        pydantic.ValidationError: A variable has a value that means nothing (it is a ValueError).
    """
    return Settings()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
