"""Framing: whether words that would be an order are one, or are denied, told of others, asked about or quoted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.guard.rows import Frame

REACH = 240
MAX_QUOTED = 160
MAX_PARAGRAPH = 4000

_ENDS = re.compile(r"[.!?。;\n]")
_DOUBT = re.compile(
    r"(?:[.!?。;\n]\s*)?(?:(?:and|but|so) )?(?:(?:is|isn't|was|are|aren't) (?:that|this|it|they|these) (?:really |still |all )?"
    r"(?:right|true|correct|legal|lawful|normal|fair|usual|so|the case|how \w+ works?|a scam|a joke)|does (?:that|this|it) (?:hold|apply|sound right)"
    r"|right|correct|true|really)\?|[.!?。;\n,]?\s*(?:这|那)?(?:对吗|对不对|对吧|是吗|是不是|是真的吗|真的吗|真的假的|合法吗|合规吗|正常吗|没错吧)\?"
)
_TAG = re.compile(r", ?(?:right|correct|isn't it|对吗|是吗|对吧)\?$")
_OPENING = re.compile("[\"「『《`“(（]|(?<![a-z0-9])'")
_CLOSING = {'"': '"', "「": "」", "『": "』", "《": "》", "`": "`", "'": "'", "“": "”", "(": ")", "（": "）"}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a text the words of an order stand, with as much of their sentence as is within reach."""

    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        """The sentence up to the words."""
        near = self.text[max(0, self.start - REACH) : self.start]
        return _ENDS.split(near)[-1]

    @property
    def sentence(self) -> str:
        """The sentence with the words and what follows them, its end mark too."""
        rest = self.text[self.end : self.end + REACH]
        end = _ENDS.search(rest)
        return self.before + self.text[self.start : self.end] + (rest[: end.end()] if end else rest)

    @property
    def after(self) -> str:
        """What follows the sentence, from its end mark on."""
        rest = self.text[self.end : self.end + REACH]
        end = _ENDS.search(rest)
        return rest[end.start() :] if end else ""


def is_mere_talk(place: Place, frames: tuple[Frame, ...], *, asks_too: bool, may_quote: bool) -> bool:
    """Say whether the words are no order where they stand.

    Args:
        place: Where they stand.
        frames: How each language shows it.
        asks_too: The words are an attack as a question too.
        may_quote: Words between quotation marks may be what is talked about, and who says them may doubt them ("… Is that
            right?").
    """
    before = place.before
    for frame in frames:
        if frame.negated.search(before) or frame.others.search(before):
            return True
        if not asks_too and frame.asked.match(before) and not frame.anew.search(before):
            return True
    return may_quote and (_is_doubted(place) or _is_quoted(place, frames))


def _is_doubted(place: Place) -> bool:
    """Say whether the next thing said is whether that is so: what is wished for is not asked about like that."""
    return _DOUBT.match(place.after) is not None or _TAG.search(place.sentence) is not None


def _is_quoted(place: Place, frames: tuple[Frame, ...]) -> bool:
    """Say whether the words stand within short quotation marks, in a passage that talks about such words."""
    left = place.text[max(0, place.start - MAX_QUOTED) : place.start].rpartition("\n")[2]
    for opening in _OPENING.finditer(left):
        rest = left[opening.end() :]
        closing = _CLOSING[opening[0]]
        closes = place.text.find(closing, place.end, place.end + MAX_QUOTED)
        if closing in rest or closes < 0 or "\n" in place.text[place.end : closes] or _is_end(place, opening[0], rest):
            continue
        start = place.start - len(left) + opening.start()
        around = place.text[max(0, start - REACH) : start] + " " + place.text[closes + 1 : closes + REACH]
        if any(frame.about.search(around) for frame in frames):
            return True
    return False


def _is_end(place: Place, mark: str, rest: str) -> bool:
    """Say whether a mark that opens and closes alike is one that closes, by how many stand before it."""
    paragraph = place.text.rfind("\n", max(0, place.start - MAX_PARAGRAPH), place.start) + 1
    return mark in '"`' and place.text.count(mark, paragraph, place.start - len(rest)) % 2 == 0
