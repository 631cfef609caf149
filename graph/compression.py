"""Compression by a model: LLMLingua-2 fills the seam where COMPRESSOR chooses it; the rules do by default.

LLMLingua brings torch and loads a model of its own, so it is an extra, imported when a text is first to be compressed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from threading import Lock
from typing import Any, Protocol

from graph.settings import LLMLINGUA
from memory.compression import ExtractiveCompressor
from memory.seams import CompressionError, Compressor

DEFAULT_MODEL = "microsoft/llmlingua-2-bert-base-multilingual-cased-meetingbank"
"""700 MB, and of both languages; the larger one is microsoft/llmlingua-2-xlm-roberta-large-meetingbank."""
KEPT = (
    "\n",
    "?",
    "？",
    "不",
    "没",
    "别",
    "未",
    "勿",
    "无",
    "非",
    "not",
    "no",
    "never",
    "none",
    "without",
    "except",
    "unless",
)
"""What it may not drop: the ends of lines, questions, and what denies (`max_force_token` of the package is 100)."""
FAILURES = (ImportError, OSError, ValueError, RuntimeError, AssertionError, IndexError, NotImplementedError)
"""What the package raises without a model, without memory, and on texts that it does not expect."""
_CONTRACTED = {"can": "can", "won": "will", "shan": "shall"}
_NOT = re.compile(r"\b(can|won|shan|\w+n)['’]t\b", re.IGNORECASE)

Installed = Callable[[str], bool]
"""Tells whether a package can be imported."""


class MissingExtraError(ValueError):
    """A compressor was chosen whose package is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Cannot compress with COMPRESSOR={name}: the package llmlingua is not installed. Install the extra with "
            f"`pip install 'jiyi[{LLMLINGUA}]'` (it brings torch), or leave COMPRESSOR unset for the rules."
        )


class PromptCompressor(Protocol):
    """What is used of `llmlingua.PromptCompressor`."""

    def compress_prompt(self, context: Sequence[str], **options: Any) -> dict[str, Any]:
        """Compress texts; the result is under `compressed_prompt`."""
        ...


def compressor_named(name: str, *, installed: Installed | None = None) -> Compressor:
    """Give the compressor of a name; nothing is imported or loaded yet.

    Args:
        name: As in the setting COMPRESSOR: `rules`, `llmlingua` or `llmlingua:<model or folder>`.
        installed: Tells what is installed; None: by looking.

    Raises:
        MissingExtraError: Its package is not installed.
    """
    kind, _, model = name.partition(":")
    if kind != LLMLINGUA:
        return ExtractiveCompressor()
    if not (installed or _installed)(LLMLINGUA):
        raise MissingExtraError(name)
    return LLMLinguaCompressor(model or DEFAULT_MODEL)


class LLMLinguaCompressor:
    """Drops the words of a text that tell least, as LLMLingua-2's model sees it; numbers and negations stay.

    Source:
        Pan et al. 2024, "LLMLingua-2" (arXiv 2403.12968); the call as in llmlingua 0.2.2.
    """

    name = LLMLINGUA

    def __init__(self, model: str = DEFAULT_MODEL, *, load: Callable[[str], PromptCompressor] | None = None) -> None:
        self._model = model
        self._load = load or load_llmlingua
        self._loaded: PromptCompressor | None = None
        self._lock = Lock()

    def compress(self, text: str, target_tokens: int) -> str:
        """Give the text with its least telling words dropped, line by line.

        Raises:
            CompressionError: The model cannot be loaded, or failed on this text.
        """
        if not text.strip() or target_tokens < 1:
            return ""
        try:
            with self._lock:  # its tokenizer and model are not made for several threads
                self._loaded = self._loaded or self._load(self._model)
                given = self._loaded.compress_prompt([without_contractions(text)], **options_for(target_tokens))
        except FAILURES as error:
            raise CompressionError(f"Cannot compress with {self._model!r}: {error}") from error
        return str(given["compressed_prompt"])


def options_for(target_tokens: int) -> dict[str, Any]:
    """Give the named arguments of `PromptCompressor.compress_prompt`."""
    return {
        "target_token": target_tokens,
        "force_tokens": list(KEPT),
        "force_reserve_digit": True,
        "use_context_level_filter": False,
    }


def made_with() -> dict[str, Any]:
    """Give the named arguments of `PromptCompressor` besides the model: no code of a model's repository is run."""
    return {"use_llmlingua2": True, "device_map": "cpu", "model_config": {"trust_remote_code": False}}


def load_llmlingua(model: str) -> PromptCompressor:
    """Load the model from the hub's cache, from the hub, or from a folder; it takes seconds.

    Raises:
        ImportError: The extra is not installed, or lacks a part.
        OSError: There is no such model, or the hub cannot be reached.
    """
    from llmlingua import PromptCompressor as Loaded  # noqa: PLC0415 - torch is imported where it is used

    loaded: PromptCompressor = Loaded(model, **made_with())
    return loaded


def without_contractions(text: str) -> str:
    """Write "don't" as "do not", so that the negation is a word that can be kept."""

    def spelt(found: re.Match[str]) -> str:
        word = found[1]
        return f"{_CONTRACTED.get(word.lower(), word[:-1])} not"

    return _NOT.sub(spelt, text)


def _installed(package: str) -> bool:
    return find_spec(package) is not None
