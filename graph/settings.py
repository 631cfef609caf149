"""Settings: what the environment (and `.env`) says, read once."""

from __future__ import annotations

import os
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory.media import KINDS_TAKEN
from memory.prompt_parts import DEFAULT_MAX_TOKENS
from store.embed.choice import LOCAL, SMALL
from store.embed.endpoint import Endpoint, same_origin
from store.tag.choice import LOCAL as LOCAL_TAGGER
from store.tag.choice import known_tagger

OFFLINE = "offline"
REMOTE = "openai:"
RULES, LLMLINGUA = "rules", "llmlingua"
LLMLINGUA_FAMILIES = ("bert-base-multilingual-cased", "xlm-roberta-large")
"""The package tells by its name how a model cuts words; it takes no other."""
DEFAULT_REMOTE_MODEL = "openai:gpt-4.1-mini"
MEDIA_FOLDER = "media"
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
        model_timeout_s: Seconds that an endpoint may be silent before a call to it counts as failed.
        embeddings: `local`, `small`, `openai:<name>` or `none`.
        embeddings_base_url: The endpoint for embeddings, where it is another; blank: `openai_base_url`.
        embeddings_api_key: The key for it; blank: `openai_api_key`, where that is for the same server.
        tagger: `local` (a small model marks facts besides the rules) or `none` (the rules read alone).
        skills_dirs: Folders of further skills, separated as in PATH; theirs win over those that come with Jiyi.
        keys_files: YAML files with further families of facts that may be kept, separated as in PATH.
        privacy_file: A YAML file that says what becomes of each kind of private thing (`redact`, `hash` or `keep`).
        guard_files: YAML files with further patterns of what must not be remembered, separated as in PATH.
        redact_threads: Private things are replaced in threads too, not only in what is drawn from them.
        chroma_url: A Chroma server (`http://host:port`) for the vector index; blank: one in the home, where it is needed.
        database_url: A Postgres server to keep everything in; refused until that is built.
        window_tokens: What a prompt may take for the conversation itself.
        memory_tokens: What it may take, besides, for what is remembered: facts, summary, notes, episodes and skills.
        media_kept_kb: So many KB of a picture, a recording or a file a thread's own file keeps; what is larger is kept in
            files beside it.
        model_takes: The kinds that the model takes besides text (`text,image,audio,video,file`), where its own profile does
            not tell or is wrong; blank: what its profile tells, and where there is none, all are tried.
        tiktoken_cache_dir: Where the vocabulary files of tiktoken are; blank: where tiktoken itself keeps them.
        data_gym_cache_dir: The same by its older name.
        jiyi_key: The secret from which checkpoints' owners are named; blank: made once, kept in the home.
        jiyi_timezone: IANA name; in which "tomorrow" is meant when a run does not say.
        memory_writes: `inline` (before the run ends) or `background`; blank: inline for rules, background for a model.
        compressor: What shortens what leaves the window under `window=compressed`: `rules`, or `llmlingua` (an extra;
            `llmlingua:<model or folder>` for another of its models).
        langgraph_api_url: Set by the LangGraph server itself: where it can be reached.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    jiyi_home: Path = user_data_path("jiyi", appauthor=False)
    model: str = ""
    small_model: str = ""
    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    model_timeout_s: float = Field(default=60.0, gt=0, le=3600)
    embeddings: str = LOCAL
    embeddings_base_url: str = ""
    embeddings_api_key: SecretStr | None = None
    tagger: str = LOCAL_TAGGER
    skills_dirs: str = ""
    keys_files: str = ""
    privacy_file: str = ""
    guard_files: str = ""
    redact_threads: bool = False
    chroma_url: str = ""
    database_url: str = ""
    window_tokens: int = Field(default=8_000, ge=100, le=10_000_000)
    memory_tokens: int = Field(default=DEFAULT_MAX_TOKENS, ge=1, le=10_000_000)
    media_kept_kb: int = Field(default=4, ge=0, le=1_000_000)
    model_takes: str = ""
    tiktoken_cache_dir: Path | None = None
    data_gym_cache_dir: Path | None = None
    jiyi_key: SecretStr | None = None
    jiyi_timezone: str = "UTC"
    memory_writes: Literal["inline", "background"] | None = None
    compressor: str = RULES
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
        if name in (LOCAL, SMALL, "none") or (name.startswith(REMOTE) and name != REMOTE):
            return name
        raise ValueError(f"{name!r} names no embedder; use local, small, {REMOTE}<name> or none")

    @field_validator("tagger")
    @classmethod
    def _tags(cls, name: str) -> str:
        return known_tagger(name)

    @field_validator("compressor")
    @classmethod
    def _compresses(cls, name: str) -> str:
        kind, _, model = name.partition(":")
        if name in (RULES, LLMLINGUA) or (kind == LLMLINGUA and any(family in model for family in LLMLINGUA_FAMILIES)):
            return name
        raise ValueError(
            f"{name!r} names no compressor; use {RULES}, {LLMLINGUA} or {LLMLINGUA}:<model or folder> with "
            f"{' or '.join(LLMLINGUA_FAMILIES)} in its name"
        )

    @field_validator("model_takes")
    @classmethod
    def _takes(cls, kinds: str) -> str:
        if strange := sorted(_listed(kinds) - set(KINDS_TAKEN)):
            raise ValueError(f"{strange[0]!r} is no kind that a model takes; use some of {', '.join(KINDS_TAKEN)}")
        return kinds

    @field_validator("chroma_url", "openai_base_url", "embeddings_base_url")
    @classmethod
    def _address(cls, url: str) -> str:
        if url and not _is_address(url):
            raise ValueError(f"{url!r} is no address; write it as http://host:port, the port below 65536")
        return url

    @field_validator("openai_api_key", "embeddings_api_key")
    @classmethod
    def _sendable(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
            raise ValueError("a key is plain letters, digits and signs; copy it again")
        return key

    @field_validator("database_url")
    @classmethod
    def _to_come(cls, url: str) -> str:
        if url:
            raise ValueError("this version keeps everything in its data directory; leave it unset")
        return url

    @property
    def skill_folders(self) -> tuple[Path, ...]:
        """List the folders of further skills."""
        return _paths(self.skills_dirs)

    @property
    def keys_paths(self) -> tuple[Path, ...]:
        """List the files with further families of facts."""
        return _paths(self.keys_files)

    @property
    def privacy_path(self) -> Path | None:
        """Name the file that says what becomes of private things; None: as it comes with Jiyi."""
        return Path(self.privacy_file.strip()).expanduser() if self.privacy_file.strip() else None

    @property
    def guard_paths(self) -> tuple[Path, ...]:
        """List the files with further patterns of what must not be remembered."""
        return _paths(self.guard_files)

    @property
    def chosen_model(self) -> str:
        """Say which model answers when a run does not choose."""
        return self.model or (DEFAULT_REMOTE_MODEL if self.openai_api_key else OFFLINE)

    @property
    def kinds_taken(self) -> frozenset[str] | None:
        """Say which kinds the model takes, text among them; None where that was not set."""
        return _listed(self.model_takes) | {"text"} if self.model_takes.strip() else None

    @property
    def embeddings_endpoint(self) -> Endpoint:
        """Say where `openai:<name>` embeds; the model's key is sent to no other server than the model's."""
        base_url = self.embeddings_base_url or self.openai_base_url
        shared = self.openai_api_key if same_origin(base_url, self.openai_base_url) else None
        key = self.embeddings_api_key or shared
        return Endpoint(
            base_url=base_url, api_key=key.get_secret_value() if key else "", timeout_s=self.model_timeout_s
        )

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


def _listed(text: str) -> frozenset[str]:
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(Path(part.strip()).expanduser() for part in text.split(os.pathsep) if part.strip())


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port out of range, half an IPv6 address
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
