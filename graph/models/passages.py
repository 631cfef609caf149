"""Passages: what was said before and can be quoted, and which of it fits a message best."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain

from graph.models.acknowledging import asks_to_forget, is_only_request
from graph.models.identifiers import identifiers_in
from graph.models.intents import is_assent, is_goodbye, is_greeting, is_question, is_thanks, refers_back
from graph.models.noting import has_private
from graph.models.situation import LONG_AGO, Situation
from graph.models.telling_words import shared_words, telling_words
from graph.models.wording import WORDINGS, Wording
from memory.privacy import PLACEHOLDER, redact
from memory.reported import TOLD

SUMMARY = "summary"
USER = "user"
ASSISTANT = "assistant"
_SENTENCE_ENDS = re.compile(r"(?<=[。；;！!？?])\s*|(?<=\.)\s+|\n+")
_FILLED = re.compile(r"\{\w+\}")
SHORTEST_PHRASE_BYTES = 9
_QUOTING = re.compile(r"(?:说过|回答过)“|\b(?:said|answered)\b[^“]{0,24}: “")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A thing said before. `speaker` is `user`, `assistant`, `summary` or somebody's name; `here`: in this thread."""

    speaker: str
    text: str
    said_at: datetime | None = None
    here: bool = False


def passages_in(situation: Situation) -> Iterator[Passage]:
    """Give all that can be quoted, what was recalled (best first) before this thread and its summary."""
    for exchange in situation.prompt.recalled:
        for speaker, text in exchange.lines:
            yield Passage(speaker=speaker, text=text, said_at=exchange.said_at)
    for text in situation.earlier:
        yield Passage(speaker=USER, text=text, here=True)
    for text in _SENTENCE_ENDS.split(situation.prompt.summary):
        yield Passage(speaker=SUMMARY, text=text)


def best_passage(situation: Situation, *, speaking_of: re.Pattern[str] | None = None) -> Passage | None:
    """Give the passage that shares telling words with the message: the user's own first, then of most, then the newest.

    A message that only points back ("what did I say before?") gets what the user said last. With `speaking_of` only
    passages count in which the pattern is found.
    """
    telling = [passage for passage in passages_in(situation) if _tells(passage)]
    telling = [passage for passage in telling if speaking_of is None or speaking_of.search(passage.text)]
    asked = telling_words(situation.asked)
    fitting = [passage for passage in telling if shared_words(asked, passage.text)]
    if fitting:
        return max(fitting, key=lambda passage: _fit(asked, passage))
    points_back = not asked and refers_back(situation.asked)
    return max(telling, key=_newness) if points_back and telling else None


def newest_passage(situation: Situation) -> Passage | None:
    """Give what the user said last that can be quoted."""
    telling = [passage for passage in passages_in(situation) if _tells(passage)]
    return max(telling, key=_newness, default=None)


def passage_with(situation: Situation, identifier: str) -> Passage | None:
    """Give the first passage in which an identifier stands."""
    return next((one for one in passages_in(situation) if identifier in one.text and _tells(one)), None)


def quoted(passage: Passage, wording: Wording, *, dated: bool) -> str:
    """Say who said what, and when if that is known and wanted."""
    when = _when(passage.said_at, wording) if dated and passage.said_at else ""
    text = redact(without_notice(passage.text)).text.strip().rstrip("。.")
    if passage.speaker == SUMMARY:
        return wording.summary_says.format(text=text)
    if passage.speaker == USER:
        return wording.user_said.format(when=when, text=text)
    if passage.speaker == ASSISTANT:
        return wording.assistant_said.format(when=when, text=text)
    return wording.somebody_said.format(who=passage.speaker, when=when, text=text)


def without_notice(text: str) -> str:
    """Take our own notice out of what is quoted."""
    for wording in WORDINGS.values():
        text = text.replace(wording.notice.strip(), "")
    return text


def _tells(passage: Passage) -> bool:
    """Tell whether a passage says something of its own: no question, no request, nothing private, no words of ours."""
    text = passage.text
    if not text.strip() or TOLD.fullmatch(text) or is_question(text) or has_private(text) or PLACEHOLDER.search(text):
        return False
    if passage.speaker == ASSISTANT:
        return not identifiers_in(text) and not _is_ours(text)
    social = is_greeting(text) or is_thanks(text) or is_assent(text) or is_goodbye(text)
    return not social and not is_only_request(text) and not asks_to_forget(text)


@cache
def _our_phrases() -> tuple[str, ...]:
    """Give what stands in our own sentences besides what is filled in, where it is long enough to be told by."""
    sentences = chain.from_iterable(wording.sentences() for wording in WORDINGS.values())
    pieces = (piece.strip().casefold() for text in sentences for piece in _FILLED.split(text))
    return tuple(piece for piece in pieces if len(piece.encode()) >= SHORTEST_PHRASE_BYTES)


def _is_ours(text: str) -> bool:
    """Tell whether an assistant's line is one that we make up: a quotation, an acknowledgement, the notice."""
    folded = text.casefold()
    return _QUOTING.search(folded) is not None or any(phrase in folded for phrase in _our_phrases())


def _fit(asked: frozenset[str], passage: Passage) -> tuple[bool, int, bool, datetime]:
    return passage.speaker != ASSISTANT, shared_words(asked, passage.text), *_newness(passage)


def _newness(passage: Passage) -> tuple[bool, datetime]:
    """Order passages in time: what was said in this thread is newer than what was recalled."""
    return passage.here, passage.said_at or LONG_AGO


def _when(said_at: datetime, wording: Wording) -> str:
    if wording is WORDINGS["zh"]:
        return f"在{said_at.year}年{said_at.month}月{said_at.day}日"
    return f" on {said_at.day} {_MONTHS[said_at.month - 1]} {said_at.year}"
