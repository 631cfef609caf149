"""Identity: who is speaking, decided in one place; nobody is never everybody."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from langgraph.runtime import Runtime

from graph.context import Context
from graph.settings import Settings
from memory.namespaces import BlankIdError, Owner
from memory.seams import Clock
from store.memory_store import MemoryStore

LOCAL_USER = "local"


class RunError(ValueError):
    """A run lacks, or has wrongly, what only its caller can give."""


class NoStoreError(RuntimeError):
    """The graph was run without the store that it needs."""

    def __init__(self, found: object) -> None:
        super().__init__(
            f"Cannot remember anything: the graph runs with store {type(found).__name__!r}, it needs Jiyi's. "
            "In process use `async with jiyi.open_agent() as agent:`; under a server set store.path and "
            "checkpointer.path in langgraph.json."
        )


def context_of(runtime: Runtime[Context]) -> Context:
    """Give the run's context; a caller that passed none gets the defaults."""
    return runtime.context or Context()


def owner_of(runtime: Runtime[Context], settings: Settings) -> Owner:
    """Say whose memory this run uses.

    The server's authenticated user counts before anything a client says. Without authentication it is the
    context's `user_id`; a blank one is `local` on a server that listens to this machine only.

    Raises:
        BlankIdError: In process, or on a server that others can reach, nobody was named.
    """
    return Owner(user=user_of(runtime, settings), agent=context_of(runtime).agent)


def user_of(runtime: Runtime[Context], settings: Settings) -> str:
    """Say who speaks in this run; see `owner_of`."""
    authenticated = _authenticated(runtime)
    if authenticated:
        return authenticated
    named = context_of(runtime).user_id
    if isinstance(named, str) and named.strip():
        return named
    if named == "" and runtime.server_info is not None and settings.on_loopback:
        return LOCAL_USER
    raise BlankIdError("user id", named)


def thread_of(runtime: Runtime[Context]) -> str:
    """Say in which thread this run is.

    Raises:
        RunError: It has none, so that nothing could be continued.
    """
    info = runtime.execution_info
    if info is None or not info.thread_id:
        raise RunError(
            "Cannot run without a thread: pass config={'configurable': {'thread_id': '<a UUID>'}}, and compile "
            "the graph with a checkpointer (`jiyi.open_agent` does)."
        )
    return info.thread_id


def store_of(runtime: Runtime[Context]) -> MemoryStore:
    """Give the store of this run.

    Raises:
        NoStoreError: There is none, or it is not ours.
    """
    if not isinstance(runtime.store, MemoryStore):
        raise NoStoreError(runtime.store)
    return runtime.store


def now_of(runtime: Runtime[Context], clock: Clock) -> datetime:
    """Say what time it is for this run: the context's, or the clock's.

    Raises:
        RunError: The context's `now` is no time.
    """
    given = context_of(runtime).now
    if not given:
        return clock()
    try:
        when = datetime.fromisoformat(given)
    except ValueError as error:
        raise RunError(f"Cannot use now={given!r}: give ISO 8601, such as 2026-05-01T08:00:00Z.") from error
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def timezone_of(runtime: Runtime[Context], settings: Settings) -> str:
    """Say in which time zone this run's "tomorrow" is meant.

    Raises:
        RunError: The context's `timezone` is none.
    """
    named = context_of(runtime).timezone or settings.jiyi_timezone
    try:
        ZoneInfo(named)
    except (KeyError, ValueError, OSError) as error:
        raise RunError(f"Cannot use timezone={named!r}: give an IANA name, such as Asia/Shanghai.") from error
    return named


def _authenticated(runtime: Runtime[Context]) -> str | None:
    user: Any = runtime.server_info.user if runtime.server_info else None
    identity = getattr(user, "identity", None)
    return identity if isinstance(identity, str) and identity.strip() else None
