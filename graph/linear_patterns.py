"""Linear patterns: regular expressions of others, searched in a time that grows with the text and not beyond.

What a user writes into a policy file is tried on what strangers write. Python's own engine takes for ever on some pairs
of the two (`(a+)+$` on thirty letters); RE2 has no such pair, since it does not go back, and for the same reason it has
no look-around and no back-references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.guard.rows import Found, Sought

_LINES = "(?m)"
_SURROGATES = re.compile("[\ud800-\udfff]")
_UNREADABLE = "\ufffd"


@dataclass(frozen=True, kw_only=True)
class _Linear:
    """A pattern of RE2, which reads UTF-8: half a character, which has none, stands as one that cannot be read."""

    compiled: Sought

    def search(self, text: str, /) -> Found | None:
        return self.compiled.search(_SURROGATES.sub(_UNREADABLE, text))

    def finditer(self, text: str, /) -> Iterator[Found]:
        return self.compiled.finditer(_SURROGATES.sub(_UNREADABLE, text))


def linear(pattern: str) -> Sought:
    """Compile a pattern with RE2; as in the shipped ones `^` and `$` stand for the ends of lines; letters are ASCII.

    Raises:
        ValueError: RE2 cannot take it.
    """
    import re2  # noqa: PLC0415  (only whoever has patterns of their own needs it)

    options = re2.Options()
    options.log_errors = False
    try:
        return _Linear(compiled=re2.compile(_LINES + pattern, options))
    except re2.error as error:
        raise ValueError(
            f"RE2 says: {_said(error)} (patterns of your own are searched by RE2, which never takes for ever and therefore "
            "knows no look-ahead, look-behind, back-reference or possessive repeat; what must stand beside it goes into "
            "`beside`, what must not into `unless`)"
        ) from error


def _said(error: Exception) -> str:
    """Give the complaint of RE2, which it writes as bytes, as text."""
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
