"""What a model wrote for a thread's summary, checked: nothing that binds gets lost by it, and nothing revoked holds again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from memory.summary import folds_into, holds, joined
from memory.summary_lines import Item, items_of, written
from memory.summary_revoking import as_revoked, numbers_in, replaces, revokes, terms_in, what_it_revokes
from memory.summary_signs import BARE, BINDS, identifiers, is_revoked, rank

MAX_LINES = 12
MUCH = 0.6
"""So much of a revoked statement's words in a line means that the line tells it again."""

_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)、])\s+")
_REFUSES = re.compile(
    r"^\W*(?:抱歉|对不起|很抱歉|不好意思|我(?:不能|无法|没法|不可以)|作为(?:一个|一名)?(?:人工智能|AI|语言模型)"
    r"|(?:i'm|i am) (?:sorry|afraid|unable|not able)|sorry\b|unfortunately\b|i (?:cannot|can't|can not|won't|will not|do not have|don't have)\b"
    r"|as an ai\b|i apologi[sz]e|i must decline)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W*(?:无|没有|none|nothing|n/?a)\W*", re.IGNORECASE)
_SEPARATORS = re.compile(r"；|;\s")
_NO_PROSE = re.compile(r"^\s*(?:[{\[<]|```)")


def is_usable(told: str) -> bool:
    """Say whether a model's answer is a summary: not empty, no refusal, no data structure."""
    if not told.strip() or _NO_PROSE.match(told):
        return False
    return _REFUSES.match(told.replace("’", "'")) is None


def fold_told(
    previous: str, messages: Sequence[BaseMessage], told: str, *, language: str, max_chars: int = 200
) -> str | None:
    """Fold what left the window into the summary in a model's words, checked against what the rules find.

    What the rules hold to bind, and every identifier, is put back where the model's words lack its numbers or
    identifiers. What was taken back is taken back whatever the model says of it.

    Args:
        previous: The summary so far.
        messages: What left the window, redacted, as for `fold_summary`.
        told: What the model wrote.
        language: "zh…" or any other.
        max_chars: Length of what is added.

    Returns:
        The new summary; None where the model's answer cannot be used, so that the rules' summary is to be taken.
    """
    if not is_usable(told):
        return None
    before, added = folds_into(previous, messages, language=language, max_chars=max_chars)
    known = items_of(previous)
    revoked = [item for item in [*before, *added] if is_revoked(item.text)]
    lines = [item for item in _lines(told) if item.text not in {one.text for one in [*before, *known]}]
    lines = [item for item in lines if not _tells_again(item, revoked)]
    if any(item not in before for item in known) or any(is_revoked(item.text) for item in added):
        lines = [item for item in lines if not _only_takes_back(item)]  # the user's own words did that
    else:
        before, lines = _taken_back(before, lines)
    return joined(previous, before, _within(lines, added, max_chars))


def _lines(told: str) -> list[Item]:
    """Read what a model wrote, one thing a line, whatever marks it set before them."""
    texts = [item.text for line in told.splitlines() for item in items_of(_BULLET.sub("", line))]
    parts = [part.strip().rstrip("。.；;") for text in texts for part in _SEPARATORS.split(text)]
    said = [text for text in parts if any(char.isalnum() for char in text) and not _NOTHING.fullmatch(text)]
    return [Item(speaker="other", text=text, rank=max(1, rank(text)), label="") for text in said[:MAX_LINES]]


def _only_takes_back(line: Item) -> bool:
    return revokes(line.text) and not replaces(line.text, line)


def _tells_again(line: Item, revoked: Sequence[Item]) -> bool:
    """Say whether a line tells what was taken back, as holding or as taken back: that stands in the summary already."""
    spoken = terms_in(line.text)
    return any(
        len(spoken & terms_in(item.text)) >= MUCH * len(terms_in(item.text))
        or (revokes(line.text) and what_it_revokes(line.text, [_as_held(item)]) is not None)
        for item in revoked
    )


def _as_held(item: Item) -> Item:
    text = re.sub(r"(?:（作废）| \(revoked\)|（随后：.*）| \(then: .*\))$", "", item.text)
    return Item(speaker=item.speaker, text=text, rank=rank(text), label=item.label)


def _taken_back(before: list[Item], lines: list[Item]) -> tuple[list[Item], list[Item]]:
    """Let the model's lines take back what the summary held, as the user's own words do."""
    left: list[Item] = []
    for line in lines:
        which = what_it_revokes(line.text, before) if revokes(line.text) else None
        if which is None:
            left.append(line)
        elif replaces(line.text, before[which]):
            before = [*before[:which], *before[which + 1 :]]
            left.append(line)
        else:
            before = [*before[:which], as_revoked(before[which]), *before[which + 1 :]]
    return before, left


def _is_lost(item: Item, told: str) -> bool:
    """Say whether what binds is not told: its identifiers or its numbers are missing, or most of its words."""
    if not all(holds(told, name) for name in identifiers(item.text)):
        return True
    if item.rank == BARE:
        return not holds(told, item.text)
    if item.rank < BINDS:
        return not numbers_in(item.text) <= numbers_in(told)
    words = terms_in(item.text)
    return not numbers_in(item.text) <= numbers_in(told) or len(words & terms_in(told)) < len(words) / 3


def _within(lines: Sequence[Item], added: Sequence[Item], max_chars: int) -> list[Item]:
    """Give as many of the model's lines, those that matter most, as fit with what the rules hold and these lack."""
    chosen = list(lines)
    while True:
        kept = [item for item in added if is_revoked(item.text) or _is_lost(item, written(chosen))]
        if not chosen or len(written([*chosen, *kept])) <= max_chars:
            return [*chosen, *kept]
        chosen.pop(min(range(len(chosen)), key=lambda at: (chosen[at].rank, -at)))
