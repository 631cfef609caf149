"""Traces: what LangSmith is sent goes without what is private.

LangChain's tracer sends the state before and after each step: what users typed and what is remembered of them. While
tracing is on, all of it (inputs, outputs, metadata, errors) is redacted first, by the policy of the process. Here nothing
is named by a hash, so that traces do not tell that two users have one number. Tags and the names of runs are sent as their
caller gave them.

What somebody sets up himself stays his: a client of his own (`langsmith.run_trees.configure(client=…)`) goes on being used,
with our redaction where it has none; one with an anonymizer, or with functions that hide inputs or outputs, is left as it
is, and the log says so. A client that is handed to a single call, tracer or replica is never seen here; give it
`anonymizer=Redaction(policy)`. So is tracing that is turned on after the agent was opened: call `redact_traces` then.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from memory.media.encoded import is_readable
from memory.privacy import Policy, redact
from store.checkpoint_redaction import redacted_strings

log = logging.getLogger(__name__)

UNREDACTED = "[not sent: it could not be redacted]"
MEDIA_UNSENT = "[not sent: the bytes of a picture, a recording or a file]"
LONGEST_CODE = 4096
"""Base64 that is longer is a picture, a recording or a file: none of what a policy knows is found in it, in many seconds."""
KEPT_RESULTS = 4096
"""A thread's messages are sent with each step anew; so many texts are redacted once."""
FAILURES = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError)
"""At anything else LangSmith's client itself gives the run up; neither way is anything sent raw."""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""An id says nothing, and by it traces are joined; its digits may look like a number's."""


class Redaction:
    """An anonymizer for `langsmith.Client`: redacts each string of a JSON value by every policy that was given.

    Of several agents in one process each adds its policy: what one of them replaces is replaced for all.
    """

    def __init__(self, *policies: Policy) -> None:
        self._policies = [*policies]
        self._known = lru_cache(KEPT_RESULTS)(self._redacted)

    def add(self, policy: Policy) -> None:
        """Redact by this policy too."""
        if policy not in self._policies:
            self._policies.append(policy)
            self._known.cache_clear()

    def __call__(self, data: dict[str, Any]) -> dict[str, Any]:
        """Give the value redacted; a string that cannot be is replaced by a mark."""
        clean: dict[str, Any] = redacted_strings(data, self._string)
        return clean

    def _string(self, text: str) -> str:
        if UUID.fullmatch(text):
            return text
        if len(text) > LONGEST_CODE and is_readable(text):
            return MEDIA_UNSENT
        try:
            return self._known(text)
        except FAILURES as error:
            log.warning("A string of a trace could not be redacted and is not sent (%s)", type(error).__name__)
            return UNREDACTED

    def _redacted(self, text: str) -> str:
        for policy in self._policies:
            text = redact(text, policy=policy).text
        return text


_OF_THE_PROCESS = Redaction()


def redact_traces(policy: Policy) -> None:
    """Let LangSmith be sent nothing that the policy replaces, from now on; while tracing is off it does nothing.

    Call it before the first run; the store's opening does.
    """
    from langsmith.utils import tracing_is_enabled  # noqa: PLC0415 - only what runs a graph has it loaded anyway

    if tracing_is_enabled():
        _OF_THE_PROCESS.add(policy)
        _OF_THE_PROCESS({"": ""})  # the patterns are read now, not in the middle of the first run
        _install(_OF_THE_PROCESS)


def _install(redaction: Redaction) -> None:
    from langsmith import Client, run_trees  # noqa: PLC0415

    client = run_trees._CLIENT  # noqa: SLF001 - as LangChain's own tracer looks at it; nothing public tells it
    if client is None:
        run_trees.configure(client=Client(anonymizer=redaction))
    elif _hides_by_itself(client):
        if client._anonymizer is not redaction:  # noqa: SLF001
            log.warning("Traces go out as your own LangSmith client hides them; Jiyi's privacy policy is not applied.")
    else:
        client._anonymizer = redaction  # noqa: SLF001 - a client keeps the one it was made with, or gets none


def _hides_by_itself(client: Any) -> bool:
    hides = (client._hide_inputs, client._hide_outputs, client._hide_metadata)  # noqa: SLF001
    return client._anonymizer is not None or any(callable(one) for one in hides)  # noqa: SLF001
