"""Who runs: the user as LangGraph's runtime tells, and the errors of not being the one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memory.namespaces import checked_id
from store.errors import StoreError

RUNTIME_KEY = "__pregel_runtime"
USER_KEY = "jiyi_user"
NAMING_KEYS = frozenset({USER_KEY, "user_id", "langgraph_auth_user_id"})
"""Under these a user is named in what is configured: by the caller, by the run's context and by the server."""

OwnerOf = Callable[[str], str]
"""Turns a user id into what is written instead of it: a keyed hash."""

UserOf = Callable[[Any], str | None]
"""Tells from LangGraph's runtime object who runs; None when nobody is named."""


class IdentityError(StoreError):
    """A thread belongs to somebody else."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"Cannot use thread {thread_id!r}: it belongs to another user. "
            "Start a thread of your own, or run as the user who started this one."
        )


class BrokenChainError(StoreError):
    """A checkpoint's parent was deleted while the run went on."""

    def __init__(self, *, thread_id: str, parent_id: str) -> None:
        super().__init__(
            f"Cannot save a checkpoint of thread {thread_id!r}: the one it continues, {parent_id!r}, is gone "
            "(the thread was forgotten, pruned or rolled back meanwhile). Its messages would be lost without "
            "a word, so nothing was written; send the message again."
        )


class TakenThreadError(StoreError, ValueError):
    """The thread to copy to is in use."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"Cannot copy to thread {thread_id!r}: it is in use. Choose a new thread id.")


def context_user(runtime: Any) -> str | None:
    """Read the user id from the run's context, an object or a mapping."""
    context = getattr(runtime, "context", None)
    found = context.get("user_id") if isinstance(context, Mapping) else getattr(context, "user_id", None)
    return found if isinstance(found, str) and found.strip() else None


def runner(configurable: Mapping[str, Any], user_of: UserOf) -> str | None:
    """Say who runs: whom the runtime names, else whom the caller named under `jiyi_user`.

    Without a runtime (a state read or edited from outside a run) `user_of` is not asked.

    Raises:
        BlankIdError: The caller named one who cannot be: there is no user that means everybody.
    """
    runtime = configurable.get(RUNTIME_KEY)
    user = user_of(runtime) if runtime is not None else None
    if user or USER_KEY not in configurable:
        return user or None
    return checked_id(configurable[USER_KEY], "user id")


def without_user(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Leave the user id out of what is copied into a checkpoint's metadata."""
    return {key: value for key, value in (values or {}).items() if key not in NAMING_KEYS}
