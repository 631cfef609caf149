"""Passages: what was said before and can be quoted, and which of it fits a message best."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graph.models.intents import is_question, refers_back
from graph.models.situation import Situation
from graph.models.wording import WORDINGS, Wording
from memory.words import query_words_of, words_of

SUMMARY = "summary"
USER = "user"
ASSISTANT = "assistant"
_SENTENCE_ENDS = re.compile(r"(?<=[。；;！!？?])\s*|(?<=\.)\s+")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A thing said before. `speaker` is `user`, `assistant`, `summary` or somebody's name."""

    speaker: str
    text: str
    said_at: datetime | None = None


def passages_in(situation: Situation) -> Iterator[Passage]:
    """Give all that can be quoted, what was recalled (best first) before this thread and its summary."""
    for exchange in situation.prompt.recalled:
        for speaker, text in exchange.lines:
            yield Passage(speaker=speaker, text=text, said_at=exchange.said_at)
    for text in situation.earlier:
        yield Passage(speaker=USER, text=text)
    for text in _SENTENCE_ENDS.split(situation.prompt.summary):
        yield Passage(speaker=SUMMARY, text=text)


def best_passage(situation: Situation, *, must_share_words: bool) -> Passage | None:
    """Give the passage that shares most words with the message; when none does, the best that was recalled or meant."""
    telling = [passage for passage in passages_in(situation) if _tells(passage)]
    if not telling:
        return None
    asked = set(query_words_of(situation.asked))
    best = max(telling, key=lambda passage: _fit(asked, passage))
    if _fit(asked, best)[0] > 0:
        return best
    may_guess = not must_share_words and (situation.prompt.recalled or refers_back(situation.asked))
    return telling[0] if may_guess else None


def passage_with(situation: Situation, identifier: str) -> Passage | None:
    """Give the first passage in which an identifier stands."""
    return next((one for one in passages_in(situation) if identifier in one.text and _tells(one)), None)


def quoted(passage: Passage, wording: Wording, *, dated: bool) -> str:
    """Say who said what, and when if that is known and wanted."""
    when = _when(passage.said_at, wording) if dated and passage.said_at else ""
    text = without_notice(passage.text).strip().rstrip("。.")
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
    """Tell whether a passage says something: not a question, nor a reply that knew nothing."""
    if not passage.text.strip():
        return False
    if passage.speaker != ASSISTANT:
        return not is_question(passage.text)
    return not any(_says_nothing(passage.text, wording) for wording in WORDINGS.values())


def _says_nothing(text: str, wording: Wording) -> bool:
    folded = text.casefold()
    phrases = (wording.cannot_answer, wording.not_known, wording.nothing_remembered, wording.which, wording.here)
    return any(phrase.casefold() in folded for phrase in (*phrases, wording.unknown_now))


def _fit(asked: set[str], passage: Passage) -> tuple[int, bool]:
    return len(asked.intersection(words_of(passage.text))), passage.speaker != ASSISTANT


def _when(said_at: datetime, wording: Wording) -> str:
    if wording is WORDINGS["zh"]:
        return f"在{said_at.year}年{said_at.month}月{said_at.day}日"
    return f" on {said_at.day} {_MONTHS[said_at.month - 1]} {said_at.year}"
