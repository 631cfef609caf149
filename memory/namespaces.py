"""Namespaces: the one place where a user, an agent and a kind become a path in the store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from urllib.parse import unquote

from memory.kinds import Kind

SHARED_AGENT = "_"
MAX_LABEL_BYTES = 160

Namespace = tuple[str, ...]


class BlankIdError(ValueError):
    """An id that names nobody was given where somebody must be named."""

    def __init__(self, what: str, got: object) -> None:
        super().__init__(
            f"Cannot use {got!r} as {what}: it must be a non-blank string of valid Unicode. "
            f"Pass the {what} explicitly; there is no default that means everybody."
        )


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Whose memory it is: a user, and the agent that remembers (`_` is shared by all agents)."""

    user: str
    agent: str = SHARED_AGENT

    def __post_init__(self) -> None:
        checked_id(self.user, "user id")
        checked_id(self.agent, "agent id")


def in_reach(owner: Owner) -> tuple[Owner, ...]:
    """Give whose memory a user's agent looks into: its own, then what all agents share."""
    return tuple(replace(owner, agent=agent) for agent in dict.fromkeys((owner.agent, SHARED_AGENT)))


def checked_id(value: object, what: str) -> str:
    """Return the id as it is, or refuse it.

    Raises:
        BlankIdError: It is not a string, is blank, or cannot be written as UTF-8.
    """
    if not isinstance(value, str) or not value.strip():
        raise BlankIdError(what, value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BlankIdError(what, value) from error
    return value


def label_of(value: str) -> str:
    """Encode any id as one namespace label: readable, injective, without `.`, `/` or controls.

    Labels of more than 160 bytes become `~` and a hash, so that no id is too long.
    """
    encoded = "".join(_escaped(char) for char in value)
    if len(encoded.encode()) <= MAX_LABEL_BYTES:
        return encoded
    return "~" + hashlib.sha256(value.encode()).hexdigest()


def id_of(label: str) -> str:
    """Give back the id that `label_of` encoded (a hashed label stays as it is)."""
    return unquote(label, errors="strict")


def user_space(owner: Owner, kind: Kind) -> Namespace:
    """Where memories of one kind of one user are kept."""
    return ("users", label_of(owner.user), label_of(owner.agent), kind)


def user_root(user: str) -> Namespace:
    """The prefix under which everything about one user is kept."""
    return ("users", label_of(checked_id(user, "user id")))


def _escaped(char: str) -> str:
    if char.isalnum() or char in "-_@+ ":
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode())
