"""Quoting: whether a place in a text is within quoted code, or straight after a quotation mark."""

from __future__ import annotations

import re

_RUNS = re.compile(r"`+|\n")
_FENCE = 3
_QUOTES = frozenset("`'\"“‘「『《«")


class Place:
    """Where one stands in a text that is passed over piece by piece; nothing of it is kept."""

    def __init__(self) -> None:
        self._fences = self._ticks = self._run = 0
        self._last = ""
        self.begins_line = True

    @property
    def is_in_backticks(self) -> bool:
        """Tell whether this is in a block of code, or within backticks of this line."""
        return self._fences % 2 == 1 or self._ticks % 2 == 1

    @property
    def is_quoted(self) -> bool:
        """Tell whether this is in code or straight after a quotation mark."""
        return self.is_in_backticks or self._last in _QUOTES

    @property
    def follows_blank(self) -> bool:
        """Tell whether a blank, or nothing, stands before this."""
        return not self._last or self._last.isspace()

    def pass_over(self, text: str) -> None:
        """Go on to the end of a piece."""
        if not text:
            return
        end = 0
        for found in _RUNS.finditer(text):
            self._words(text[end : found.start()])
            end = found.end()
            if found[0] == "\n":
                self._run = self._ticks = 0
                self.begins_line = True
            else:
                self._backticks(len(found[0]))
        self._words(text[end:])
        self._last = text[-1]

    def _words(self, text: str) -> None:
        if text:
            self._run = 0
            self.begins_line = self.begins_line and text.isspace()

    def _backticks(self, count: int) -> None:
        """Count a run that may go on from the piece before: three make a fence, fewer open or close a quotation."""
        before, self._run = self._run, self._run + count
        self._fences += self._run // _FENCE - before // _FENCE
        self._ticks += (self._run % _FENCE > 0) - (before % _FENCE > 0)
        self.begins_line = False
