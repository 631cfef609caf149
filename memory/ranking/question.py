"""The question: what a query asks for, taken apart: its pieces, who and when it is about, whether it asks a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.kinds import is_name
from memory.ranking.asked_time import Span, asked_times
from memory.ranking.asked_time_frame import Occasion, occasion_of, topic_of
from memory.ranking.terms import terms_of

MOST_PIECES = 8
LEAST_PIECE_CHARS = 3
LAST_TURNS = 2
_SPLIT = re.compile(r"[。！？!?；;\n]+|[，,]|另外|还有(?=[^，。]{4})|\b(?:and also|also,|by the way)\b", re.IGNORECASE)
_LINE = re.compile(r"<?((?=[^:：]*[^\W\d])[^<>:：\"“]{1,40})>?[:：](?!//)(.*)")
_ASSISTANT = re.compile(r"^(?:assistant|ai|bot|助手|助理)$", re.IGNORECASE)
WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|year|month|time)\b|\bhow long (?:ago|since)\b|\bhow long\b"
    r"|什么时候|哪[一]?天|几月|几号|何时|多久|哪年|几点|啥时候",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|mine)\b|我", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query taken apart.

    Attributes:
        text: What is compared by meaning: the query, or of a conversation what the user said in it.
        last: The end of it: the user's last turns where it is a conversation, else the same as `text`.
        pieces: Its parts between punctuation, at most 8, the last ones.
        terms: Its terms, each once, without the names of those who speak in the corpus.
        about: Which of the corpus's speakers it names.
        by: Who says it, where it is a conversation with names.
        asks_when: It asks for a time.
        of_me: It is about the one who asks.
        times: The times that it names, for what was said or what happened then.
        occasion: Whether it asks for the last time, or the first.
        topic: The terms of what it asks about, without its times, the names that speak, and the words that only ask.
        only_time: It names a time or an occasion and has no other content ("what did I say in May?"); it has no terms then.
        asked_at: When it is asked, aware; None where that is not known.
    """

    text: str
    last: str
    pieces: tuple[str, ...]
    terms: tuple[str, ...]
    about: tuple[str, ...]
    by: str
    asks_when: bool
    of_me: bool
    times: tuple[Span, ...] = ()
    occasion: Occasion = ""
    topic: tuple[str, ...] = ()
    only_time: bool = False
    asked_at: datetime | None = None


def question_of(query: str, speakers: Sequence[str], *, now: datetime | None = None) -> Question:
    """Take a query apart.

    Args:
        query: A sentence, several, or a conversation of lines `Name: …`.
        speakers: Who speaks in the corpus.
        now: When it is asked, aware; None: only times that name their year are known.
    """
    own = _own_lines(query, speakers)
    texts = [said for _, said in own]
    text = "\n".join(texts) if texts else query
    named = [name for name in speakers if is_name(name) and _names(text, name)]
    without = {term for name in speakers for term in terms_of(name)}
    named_times = () if own else asked_times(text, now)  # a talk tells of times and asks for none
    times = _newest(named_times, text, now)
    occasion: Occasion = "" if own else occasion_of(text)
    topic = topic_of(text, [*(one.phrase for one in named_times), *named])
    only_time = bool(times or occasion) and not topic
    return Question(
        text=text,
        last="\n".join(texts[-LAST_TURNS:]) if texts else query,
        pieces=_pieces(text),
        terms=() if only_time else tuple(term for term in dict.fromkeys(terms_of(text)) if term not in without),
        about=tuple(named),
        by=own[-1][0] if own else "",
        asks_when=bool(WHEN.search(text)),
        of_me=bool(_FIRST_PERSON.search(text)),
        times=times,
        occasion=occasion,
        topic=tuple(dict.fromkeys(terms_of(topic))),
        only_time=only_time,
        asked_at=now,
    )


def _own_lines(query: str, speakers: Sequence[str]) -> list[tuple[str, str]]:
    """Give who said what in a conversation of lines `Name: …`, but for the assistant's; none where it is something else.

    Somebody in it is known to speak, or speaks twice, or is an assistant: a form, a list or a log has such lines too. What has no
    name goes on with what was said before it.
    """
    turns: list[tuple[str, str]] = []
    for line in (stripped for each in query.splitlines() if (stripped := each.strip())):
        if parted := _LINE.fullmatch(line):
            turns.append((parted[1].strip(), parted[2].strip('"“” ')))
        elif not turns:
            return []
        else:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]}\n{line}")
    names = [name for name, _ in turns]
    talks = any(name in speakers or names.count(name) > 1 or _ASSISTANT.match(name) for name in dict.fromkeys(names))
    return [(name, said) for name, said in turns if not _ASSISTANT.match(name)] if len(turns) > 1 and talks else []


def _newest(times: tuple[Span, ...], text: str, now: datetime | None) -> tuple[Span, ...]:
    """Give the times of the last line where it names one: what it leans on, "What did I say in May? And in June?", is over."""
    lines = text.splitlines()
    return (asked_times(lines[-1], now) if times and len(lines) > 1 else ()) or times


def _pieces(text: str) -> tuple[str, ...]:
    parts = [part.strip() for part in _SPLIT.split(text) if part and len(part.strip()) >= LEAST_PIECE_CHARS]
    return tuple(parts[-MOST_PIECES:]) or (text,)


def _names(text: str, name: str) -> bool:
    whole = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" if name.isascii() else re.escape(name)
    return re.search(whole, text, re.IGNORECASE) is not None
