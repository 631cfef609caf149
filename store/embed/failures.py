"""What went wrong at an endpoint, told so that somebody can act; never with a key, a text or the endpoint's own words.

EmbeddingError                 (memory/seams.py)
    RefusedError               the endpoint refused what it was sent, perhaps for its size
    AwayError                  the endpoint is of no use for now, whatever it is sent
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.seams import EmbeddingError

KEY = "Set EMBEDDINGS_API_KEY (or OPENAI_API_KEY, where the endpoint is the model's too) to a key for this endpoint."
NAME = (
    "Check the model's name in EMBEDDINGS, and EMBEDDINGS_BASE_URL: not every endpoint has embeddings (DeepSeek's has "
    "none). EMBEDDINGS=local needs no endpoint."
)
LIMIT = "What was to be embedded waits and is tried again; if this lasts, raise the account's quota."
LATER = "What was to be embedded waits and is tried again; if this lasts, see the endpoint's own log."
REACH = "See whether the endpoint runs and EMBEDDINGS_BASE_URL (blank: OPENAI_BASE_URL) is its address."
SLOW_QUERY = "The search goes on without it. See whether the endpoint is overloaded."
MOVED = "Set EMBEDDINGS_BASE_URL (blank: OPENAI_BASE_URL) to the new address; nothing is sent there before you do."
SLOW = "See whether the endpoint is overloaded, or set MODEL_TIMEOUT_S higher."
ADVICE = {401: KEY, 403: KEY, 404: NAME, 405: NAME, 429: LIMIT}
REFUSED = frozenset({400, 413, 422})
MOVES = frozenset({301, 302, 303, 307, 308})
AWAY = frozenset({401, 403, 429, *range(500, 600)})
RETRIED = frozenset({408, 409, 429, *range(500, 600)})
NO_QUOTA = "insufficient_quota"
MAX_PAUSE_S = 10.0
"""An endpoint that asks for a longer pause is not waited for: what waits is tried again later anyway."""

_CODE = re.compile(r"[A-Za-z][A-Za-z_]{2,40}")


class RefusedError(EmbeddingError):
    """The endpoint refused what it was sent, perhaps for its size; fewer or shorter texts may be taken."""


class AwayError(EmbeddingError):
    """The endpoint cannot be reached, wants another key or more time: asking again at once is in vain."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What was attempted: so many texts, by which embedder, where."""

    texts: int
    name: str
    shown: str

    def failed(self, found: str, advice: str) -> EmbeddingError:
        """Make the error of this attempt."""
        return EmbeddingError(self._said(found, advice))

    def away(self, found: str, advice: str) -> AwayError:
        """Make the error of this attempt, after which others would fail too."""
        return AwayError(self._said(found, advice))

    def failed_by(self, error: Exception) -> EmbeddingError:
        """Make the error of this attempt from what the client raised."""
        import openai  # noqa: PLC0415  (heavy: whoever has such an error has loaded it)

        if isinstance(error, openai.APIStatusError):
            return self._answered(error.status_code, error.code or error.type)
        if isinstance(error, openai.APITimeoutError):
            return self.away("the time was up", SLOW)
        if isinstance(error, openai.APIConnectionError):
            return self.away(f"no connection ({type(error.__cause__).__name__})", REACH)
        return self.failed(f"an answer that cannot be read ({type(error).__name__})", NAME)

    def _answered(self, status: int, code: object) -> EmbeddingError:
        """Make the error of a status; the code is shown where it is a plain word."""
        word = f" ({code})" if isinstance(code, str) and _CODE.fullmatch(code) else ""
        found = f"the endpoint answered {status}{word}"
        if status in REFUSED:
            return RefusedError(self._said(found, NAME))
        if status in MOVES:
            return self.failed(f"{found}: it is at another address now", MOVED)
        if status in AWAY:
            return self.away(found, ADVICE.get(status, LATER))
        return self.failed(found, ADVICE.get(status, LATER))

    def _said(self, found: str, advice: str) -> str:
        return f"Cannot embed {self.texts} texts with {self.name!r} at {self.shown}: {found}. {advice}"


def pause_after(error: Exception, pause_s: float, *, within_s: float) -> float | None:
    """Say how many seconds to wait before a retry; None where it is in vain, or too long a pause is asked for.

    Args:
        error: What the client raised.
        pause_s: The pause where the endpoint does not say.
        within_s: Whoever asks waits no longer than this.
    """
    import openai  # noqa: PLC0415  (heavy: whoever has such an error has loaded it)

    if isinstance(error, openai.APIStatusError):
        in_vain = error.status_code not in RETRIED or error.code == NO_QUOTA
        return None if in_vain else _asked_for(error.response.headers.get("retry-after"), pause_s, within_s)
    return pause_s if isinstance(error, openai.APIConnectionError) else None


def _asked_for(header: str | None, pause_s: float, within_s: float) -> float | None:
    try:
        asked = float(header or pause_s)
    except ValueError:  # a date
        asked = pause_s
    return max(asked, 0.0) if asked <= min(MAX_PAUSE_S, within_s) else None
