"""Texts as a model can be given them."""

from __future__ import annotations


def written(text: str) -> str:
    """Give a text without what cannot be sent or read: lone surrogates become `?`, NUL becomes a space."""
    return text.encode("utf-8", "replace").decode().replace("\x00", " ")
