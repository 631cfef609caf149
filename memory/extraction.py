"""Extraction without a model: propose memories from one message by rules that can be read (memory/rules/*.yaml).

A message is blanked and cut into clauses (memory/clauses.py); each clause is about somebody (the user, a person, a pet, a
thing); the first rule that reads the whole of it says what is told. What is asked, supposed, reported, joked or wanted only
this once gives nothing. Everything here is deterministic and takes nothing but its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.clauses import Clause, read_message
from memory.kinds import Draft
from memory.phrases import is_plausible, tidy
from memory.rules import Rule, RuleBook, rule_books
from memory.times import find_phrases, resolve_dates

EXPLICIT, UNSURE = 0.9, 0.4
SHORTEST_REMEMBERED = 4
LONGEST_ITEM_WORDS, LONGEST_ITEM_CHARS = 4, 12
USER_FIELDS = frozenset(
    "name birthday age gender occupation employer school major education lives_in from diet allergy health family plan "
    "hobby height weight remember".split()
)
SINGLE_STATES = ("user.name", "pref.style", "pref.language")
_RENAMED = {"user.likes": "pref.likes", "user.dislikes": "pref.dislikes", "user.position": "user.occupation"}
_TEMPLATE = re.compile(r"\{(\w+)(?:\|(\w+))?\}")
_WHOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class _Moment:
    """When and where the message was said."""

    said_at: datetime | None
    timezone: str


@dataclass(frozen=True, kw_only=True)
class _About:
    """Whom a clause is about, where that is said to begin being told, and what the naming tells."""

    who: str
    at: int
    gives: tuple[tuple[str, str], ...] = ()


@dataclass(kw_only=True)
class _Talk:
    """What is carried from clause to clause while one message is read."""

    text: str
    original: str
    moment: _Moment
    topic: str = ""
    topic_sentence: int = -1
    user_spoke: bool = False
    explicit_until: int = -1
    read_until: int = -1
    kept: list[tuple[int, int]] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)


def propose(text: str, *, said_at: datetime | None, timezone: str = "UTC") -> list[Draft]:
    """Propose what is worth remembering from one message of the user.

    Args:
        text: The message, already redacted; every draft's quote is a part of it.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.

    Returns:
        The drafts in the order of the message, without repetition; [] when nothing is told.
    """
    books = rule_books()
    reading = read_message(text, tuple(book.signs for book in books))
    talk = _Talk(text=reading.text, original=text, moment=_Moment(said_at=said_at, timezone=timezone))
    for clause in reading.clauses:
        _read(clause, talk, books)
    return _settled(talk.drafts)


def _read(clause: Clause, talk: _Talk, books: tuple[RuleBook, ...]) -> None:
    """Add what one clause tells to the talk."""
    if clause.unreal:
        return
    before = len(talk.drafts)
    for book in books:
        if clause.start >= talk.read_until:
            start, keep = _opened(clause, talk, book)
            if start < clause.end and _apply(start, clause, talk, book):
                keep = False
            _keep_words(keep, start, clause, talk, told=len(talk.drafts) > before)
            if len(talk.drafts) > before:
                break
    for book in books:
        _identify(clause, talk, book)


def _opened(clause: Clause, talk: _Talk, book: RuleBook) -> tuple[int, bool]:
    """Skip what opens a clause ("by the way", 请记住); say whether it asks to keep what follows in its words."""
    start = _after(book.opening, talk.text, clause.start, clause.end)
    found = None if clause.asked else book.explicit.match(talk.text, start, clause.sentence_end)
    if not found:
        return start, False
    talk.explicit_until = clause.sentence_end
    start = _after(book.opening, talk.text, found.end(), clause.sentence_end)
    return start, bool(found.groupdict().get("keep"))


def _after(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    found = pattern.match(text, start, end)
    return found.end() if found else start


def _keep_words(keep: bool, start: int, clause: Clause, talk: _Talk, *, told: bool) -> None:
    """Note that these words are to be remembered as they are, if no rule finds anything in the sentence."""
    if keep and not told:
        talk.kept.append((start, clause.sentence_end))
        value = tidy(talk.original[start : clause.sentence_end], "remember")
        if len(value) >= SHORTEST_REMEMBERED and is_plausible(value, "remember"):
            talk.drafts.append(_remembered(value, clause, talk))


def _remembered(value: str, clause: Clause, talk: _Talk) -> Draft:
    quote = talk.original[clause.start : clause.sentence_end].strip()
    return Draft(key="user.remember", value=value, confidence=EXPLICIT, quote=quote, said_at=talk.moment.said_at)
