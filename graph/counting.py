"""Counting: how many tokens a text takes, by the vocabulary of the model where its file is here, else by estimate.

The files are those that tiktoken keeps (`TIKTOKEN_CACHE_DIR`, `DATA_GYM_CACHE_DIR`, else `data-gym-cache` in the
system's folder for temporary files), under its own name for them or as `o200k_base.tiktoken`. They are read here and
not by tiktoken's loader, which fetches from the network what is missing or damaged.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from graph.settings import REMOTE, Settings
from memory.tokens import ESTIMATE, TokenCounter

log = logging.getLogger(__name__)

CounterNamed = Callable[[str], TokenCounter]
"""Gives the counter for the model of a name; "" is the one that the settings choose. The first call may take a second."""
_ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """A vocabulary as tiktoken publishes it: how its file is named in the cache, what it hashes to, how a text is cut."""

    name: str
    cached_as: str
    sha256: str
    pattern: str


O200K = Vocabulary(
    name="o200k_base",
    cached_as="fb374d419588a4632f3f557e76b4b70aebbca790",
    sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    pattern="|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _ENDINGS,
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _ENDINGS,
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
)
CL100K = Vocabulary(
    name="cl100k_base",
    cached_as="9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    pattern=r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$"
    r"|\s*[\r\n]|\s+(?!\S)|\s",
)


def counter_named(name: str, *, chosen: Settings) -> TokenCounter:
    """Give the counter for a model: its own vocabulary's where that is known and here, else the estimate.

    Args:
        name: `openai:<name>`, `offline`, or "" for the model that the settings choose. A model whose vocabulary is not
            known is counted with o200k_base.
        chosen: The settings, which say where vocabulary files are.
    """
    return counter_in(folder_of(chosen), vocabulary_named(name, chosen=chosen))


def counter_for(model: BaseChatModel, *, chosen: Settings) -> TokenCounter:
    """Give the counter for a model that was given as an object."""
    return counter_named(f"{REMOTE}{getattr(model, 'model_name', None) or ''}", chosen=chosen)


def counter_in(folder: Path, vocabulary: Vocabulary) -> TokenCounter:
    """Give the counter of a vocabulary whose file is in a folder; the estimate where it is not, or not whole."""
    for path in (folder / vocabulary.cached_as, folder / f"{vocabulary.name}.tiktoken"):
        if (counter := counter_from(path, vocabulary)) is not None:
            return counter
    return ESTIMATE


def counter_from(path: Path, vocabulary: Vocabulary) -> TokenCounter | None:
    """Give the counter of a vocabulary's file; None where there is none, or it is not what was published."""
    try:
        about = path.stat()
        return _read(path, vocabulary, about.st_mtime_ns, about.st_size)
    except FileNotFoundError:
        return None
    except OSError as error:
        log.warning("Tokens are estimated: the vocabulary file %s cannot be read (%s).", path, error.strerror)
        return None


def vocabulary_named(name: str, *, chosen: Settings) -> Vocabulary:
    """Say which vocabulary a model has, by the name that `counter_named` takes."""
    return vocabulary_of((name or chosen.chosen_model).removeprefix(REMOTE))


def vocabulary_of(model: str) -> Vocabulary:
    """Say which vocabulary a model has; o200k_base where nobody knows, as the newest ones do."""
    from tiktoken.model import encoding_name_for_model  # noqa: PLC0415  (a library in another language)

    try:
        return CL100K if encoding_name_for_model(model) == CL100K.name else O200K
    except KeyError:
        return O200K


def folder_of(chosen: Settings) -> Path:
    """Say where vocabulary files are looked for."""
    named = chosen.tiktoken_cache_dir or chosen.data_gym_cache_dir
    return named.expanduser() if named else Path(tempfile.gettempdir()) / "data-gym-cache"


@lru_cache(maxsize=4)
def _read(path: Path, vocabulary: Vocabulary, _changed_at: int, _size: int) -> TokenCounter | None:
    """Read a vocabulary once; again only when its file has changed."""
    from tiktoken import Encoding  # noqa: PLC0415

    held = path.read_bytes()
    if hashlib.sha256(held).hexdigest() != vocabulary.sha256:
        log.warning("Tokens are estimated: %s is not the %s that was published.", path, vocabulary.name)
        return None
    pairs = (line.split() for line in held.splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in pairs}
    encoding = Encoding(vocabulary.name, pat_str=vocabulary.pattern, mergeable_ranks=ranks, special_tokens={})
    return TokenCounter(name=vocabulary.name, text=lambda text: len(encoding.encode_ordinary(text)))
