"""Thinking: taken out of what a model says, where its endpoint leaves it in the text between tags.

A tag is quoted, and so a word like any other, in a block of code, within backticks or straight after a quotation mark: a
reply may speak of the tag itself. Else what stands between an opening and a closing tag is thinking, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from graph.models.quoting import Place

_NAMES = ("think", "thinking", "thought", "thoughts")
_TAG = re.compile(rf"<\|?(/?)(?:{'|'.join(_NAMES)})[ \t]{{0,4}}\|?>", re.IGNORECASE)
_BEGUN = re.compile(r"<\|?/?([a-z]{0,8})([ \t]{0,4}\|?)\Z", re.IGNORECASE)
_LONGEST_TAG = 20
_HIDDEN_BLOCKS = frozenset({"reasoning", "reasoning_content", "thinking", "redacted_thinking"})

Content = str | list[Any]
"""What LangChain's messages hold: a text, or blocks."""


class Unthinking:
    """Lets a text through piece by piece without its thinking, wherever the pieces are cut.

    What may be the beginning of a tag is held back until it is clear, and so is what follows a thought in which another
    was begun, since that may have been the inner one's end; `rest` gives what was held at the end. The work is in
    proportion to the text, however many pieces it comes in.
    """

    def __init__(self) -> None:
        self._held = ""
        self._place = Place()
        self._shown_any = False
        self._open = 0
        self._answers = False
        self._kept: list[str] = []
        self._at_start = False

    def feed(self, piece: str) -> str:
        """Take a piece, and give what may be shown by now."""
        self._held += piece
        shown: list[str] = []
        while tag := _TAG.search(self._held):
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            shown += [self._text(before), self._tag(tag)]
        clear = len(self._held) - _may_begin_a_tag(self._held)
        clear_text, self._held = self._held[:clear], self._held[clear:]
        shown.append(self._text(clear_text))
        return "".join(shown)

    def rest(self) -> str:
        """Give what was held back, at the end of the text.

        A thought that has no end is one that was cut off where it began the answer; else it is what was said.
        """
        held, self._held = self._held, ""
        shown = self._text(held)
        if self._open:
            cut_off = self._at_start and not self._answers
            self._open, kept = 0, "".join(self._kept)
            shown += "" if cut_off else self._text(kept)
        return shown

    def _text(self, text: str) -> str:
        """Keep a text to oneself while within a thought, else show it."""
        if not self._open:
            text = text if self._shown_any else text.lstrip()
            self._shown_any = self._shown_any or bool(text)
        else:
            self._kept.append(text)
        self._place.pass_over(text)
        return "" if self._open else text

    def _tag(self, tag: re.Match[str]) -> str:
        """Begin or end a thought; a quoted tag, and an end without a beginning, are text."""
        quoted = self._place.is_quoted if not self._open or self._answers else self._place.is_in_backticks
        if tag[1]:
            return self._close(tag[0]) if self._open and not (quoted and self._answers) else self._text(tag[0])
        if quoted:
            return self._text(tag[0])
        if not self._open:
            self._at_start, self._answers, self._kept = not self._shown_any, False, [tag[0]]
        elif self._answers:
            self._kept.append(tag[0])
        self._open += 1
        return ""

    def _close(self, tag: str) -> str:
        """End the innermost thought; what follows the end of an inner one is an answer only if no other end comes."""
        self._open -= 1
        self._answers, self._kept = True, []
        self._place = Place()
        return ""


def without_thinking(text: str) -> str:
    """Take the thinking out of a whole text; before a closing tag that has no beginning, it was thinking too."""
    unthinking = Unthinking()
    shown = unthinking.feed(text) + unthinking.rest()
    if any(not tag[1] for tag in _TAG.finditer(text)):
        return shown
    return shown[_end_of_lone_thought(shown) :].lstrip() if _TAG.search(shown) else shown


def without_thoughts(content: Content) -> Content:
    """Take the thinking out of a message's content, blocks of it too."""
    if isinstance(content, str):
        return without_thinking(content)
    return visible_blocks(content)


def visible_blocks(blocks: Sequence[Any]) -> list[Any]:
    """Give the blocks that are no thinking."""
    return [one for one in blocks if not (isinstance(one, dict) and one.get("type") in _HIDDEN_BLOCKS)]


def _end_of_lone_thought(text: str) -> int:
    """Give the place after a closing tag that begins a line or follows a word without a blank, unquoted; 0 if none does."""
    place, at = Place(), 0
    for tag in _TAG.finditer(text):
        place.pass_over(text[at : tag.start()])
        if not place.is_quoted and (place.begins_line or not place.follows_blank):
            return tag.end()
        place.pass_over(tag[0])
        at = tag.end()
    return 0


def _may_begin_a_tag(text: str) -> int:
    """Count the characters at the end that may be the beginning of a tag."""
    at = text.rfind("<", -_LONGEST_TAG)
    begun = _BEGUN.match(text, at) if at >= 0 else None
    if begun is None:
        return 0
    word, after = begun[1].lower(), begun[2]
    possible = word in _NAMES if after else any(name.startswith(word) for name in _NAMES)
    return len(text) - at if possible else 0
