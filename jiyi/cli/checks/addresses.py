"""Addresses as they may be shown: without passwords, and without what stands in a query."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

MASKED = "(set)"


def shown_address(address: str) -> str:
    """Give an address with `(set)` in place of its user and password, and of its query."""
    parts = urlsplit(address)
    place = f"{MASKED}@{parts.netloc.rpartition('@')[2]}" if "@" in parts.netloc else parts.netloc
    return urlunsplit((parts.scheme, place, parts.path, MASKED if parts.query else "", ""))
