"""Ids are made from what they name, so that doing a thing twice makes it once."""

from __future__ import annotations

import hashlib
import hmac
import uuid

TURNS = uuid.UUID("6f3e4f0a-58a5-5d43-9d6e-3f6c4a7b9e21")
THREADS = uuid.UUID("c1b6de0c-6a2c-5f0e-9a55-0a7f3c1d2b44")
ID_HEX_CHARS = 32


def turn_id_of(thread_id: str, message_id: str) -> str:
    """Name the turn that a user's message opens in a thread."""
    return str(uuid.uuid5(TURNS, f"{thread_id}\n{message_id}"))


def thread_id_of(name: str, *, user: str) -> str:
    """Map a thread name to a UUID by user and name together; a UUID stays what it is."""
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return str(uuid.uuid5(THREADS, f"{len(user)}:{user}:{name}"))


def is_thread_id(name: str) -> bool:
    """Tell whether a thread is called by its id, a UUID in any writing, not by a name."""
    return thread_id_of(name, user="a") == thread_id_of(name, user="b")


def keyed_id(key: bytes, *parts: str) -> str:
    """Name something by its content without giving the content away.

    A bare hash of a telephone number can be guessed, an HMAC with a secret key cannot.

    Args:
        key: The user's secret key, 32 bytes.
        parts: What it is made from; ("a", "bc") and ("ab", "c") give different ids.

    Returns:
        32 hexadecimal characters.
    """
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:ID_HEX_CHARS]
