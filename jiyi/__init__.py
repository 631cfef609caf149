"""jiyi: how is it met? `open_agent`, `remember`, `recall`; the command line; the pages; the test doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jiyi.agent import Agent, open_agent
    from store.recall import recall
    from store.remember import remember
    from store.wanted import Wanted

__all__ = ["Agent", "Wanted", "open_agent", "recall", "remember"]
__version__ = "0.1.0"

_HOMES = {
    "Agent": "jiyi.agent",
    "open_agent": "jiyi.agent",
    "recall": "store.recall",
    "Wanted": "store.recall",
    "remember": "store.remember",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use: reading facts must not load the graph."""
    import importlib  # noqa: PLC0415

    if name not in _HOMES:
        raise AttributeError(f"module 'jiyi' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
