"""Thinking: taken out of what a model says, where its endpoint leaves it in the text between tags.

A tag counts where it begins the answer or a line, outside of quoted code: a reply may speak of the tag itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_NAMES = ("think", "thinking")
_OPEN = re.compile(rf"<({'|'.join(_NAMES)})>")
_OPENS = tuple(f"<{name}>" for name in _NAMES)
_CLOSE = "</{name}>"
_FENCE = "```"
_CLOSED_ONLY = re.compile(rf"\A(.*?)^[ \t]*</(?:{'|'.join(_NAMES)})>\s*", re.DOTALL | re.MULTILINE)
_HIDDEN_BLOCKS = frozenset({"reasoning", "reasoning_content", "thinking", "redacted_thinking"})

Content = str | list[Any]
"""What LangChain's messages hold: a text, or blocks."""


class Unthinking:
    """Lets a text through piece by piece without its thinking, wherever the pieces are cut.

    What may be the beginning of a tag is held back until it is clear; `rest` gives it at the end.
    """

    def __init__(self) -> None:
        self._held = ""
        self._within = ""
        self._shown = ""

    def feed(self, piece: str) -> str:
        """Take a piece, and give what may be shown by now."""
        self._held += piece
        shown = ""
        while step := self._step():
            shown += step
        return shown

    def rest(self) -> str:
        """Give what was held back, at the end of the text.

        A thought that has no end is one that was cut off where nothing was said before it; else it is what was said.
        """
        tag = f"<{self._within}>" if self._within else ""
        rest, self._held, self._within = ("" if tag and not self._shown else tag + self._held), "", ""
        return self._show(rest)

    def _step(self) -> str:
        """Go on as far as one tag; give what may be shown, "" when more must come first."""
        while True:
            if self._within:
                _, closed, after = self._held.partition(_CLOSE.format(name=self._within))
                if not closed:
                    return ""
                self._within, self._held = "", after
            tag = _OPEN.search(self._held)
            if tag is None:
                return self._take(len(self._held) - self._may_begin_a_tag())
            if not self._counts(self._held[: tag.start()]):
                return self._take(tag.end())
            before = self._take(tag.start())
            self._held, self._within = self._held[len(tag.group()) :], tag.group(1)
            if before:
                return before

    def _take(self, chars: int) -> str:
        taken, self._held = self._held[:chars], self._held[chars:]
        return self._show(taken)

    def _show(self, text: str) -> str:
        shown = text if self._shown else text.lstrip()
        self._shown += shown
        return shown

    def _counts(self, before: str) -> bool:
        """Tell whether a tag after this begins the answer or a line, and is not quoted."""
        said = self._shown + before
        line = said.rpartition("\n")[2]
        return not line.strip() and said.count(_FENCE) % 2 == 0

    def _may_begin_a_tag(self) -> int:
        """Count the characters at the end that may be the beginning of a tag."""
        at = self._held.rfind("<")
        tail = self._held[at:] if at >= 0 else ""
        return len(tail) if tail and any(tag.startswith(tail) for tag in _OPENS) else 0


def without_thinking(text: str) -> str:
    """Take the thinking out of a whole text; before a closing tag that stands alone on its line, it was thinking too."""
    unthinking = Unthinking()
    shown = unthinking.feed(text) + unthinking.rest()
    lone = None if _OPEN.search(text) else _CLOSED_ONLY.match(shown)
    return shown[lone.end() :] if lone and lone.group(1).count(_FENCE) % 2 == 0 else shown


def without_thoughts(content: Content) -> Content:
    """Take the thinking out of a message's content, blocks of it too."""
    if isinstance(content, str):
        return without_thinking(content)
    return visible_blocks(content)


def visible_blocks(blocks: Sequence[Any]) -> list[Any]:
    """Give the blocks that are no thinking."""
    return [one for one in blocks if not (isinstance(one, dict) and one.get("type") in _HIDDEN_BLOCKS)]
