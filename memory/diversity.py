"""Diversity: what says nothing new stands behind what does, so that repetitions do not fill a prompt.

Strict on purpose: measured on dialogue, what is merely alike, or of one session, is often the other half of an answer, and
to put it back costs recall. A repetition has the same words in the same order, but for those that carry nothing (the, really,
很, 啊), for what English contracts, and for greetings and thanks around it; one word more ("not", "#8843", 不) is something new.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date

from memory.importance import is_small_talk
from memory.ranking.question import WHEN
from memory.ranking.signals.when import TIME_WORDS
from memory.ranking.terms import terms_of
from memory.recalled import Recalled
from memory.words import CJK, has_cjk

LEAST_WORDS = 2.0
"""What says less ("yes, I did", 我也是) means what was said before it, and repeats nothing."""
PAIR_OF_CHARACTERS = 0.5

_EACH_COUNTS = re.compile(
    rf"{WHEN.pattern}|\bhow (?:many times|often)\b|\b(?:first|last|every|each) time\b"
    r"|几次|几回|多少[次回]|第一次|上一?次|最后一次|每一?次",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"\.(?=\s|$)|[,;](?!\d)|[!。、~\n]+|(?<=\?)|\s[-–—]{1,2}\s|——")
_WORD = re.compile(rf"[{CJK}]+|\?|#?[^\W_{CJK}]+(?:[-./:@+'][^\W_{CJK}]+)*[+#%]*")
_WITHIN_CHINESE = re.compile(rf"(?<=[{CJK}]) (?=[{CJK}])")
_SPELLED_OUT = tuple(
    (re.compile(contracted), spelled_out)
    for contracted, spelled_out in (
        (r"[’‘`]", "'"),
        (r"\bcan't\b|\bcan not\b", "cannot"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"(?<=\bi)'m\b", " am"),
        (r"'re\b", " are"),
        (r"'ve\b", " have"),
        (r"'ll\b", " will"),
        (r"(?<=\bit)'s\b|(?<=\bthat)'s\b|(?<=\bhe)'s\b|(?<=\bshe)'s\b", " is"),
    )
)
_CARRIES_NOTHING = re.compile(
    r"\b(?:you know|i mean|by the way|(?:as|like) i (?:said|mentioned)|to be honest|in fact)\b"
    r"|\b(?:a|an|the|oh|ah|um|uh|hm+|well|btw|lol|haha|really|very|so|just|quite|actually|honestly|please|also|too)\b"
    r"|我?跟你(?:说过?|讲)|说实话|话说|其实|反正|真的|非常|[很啊呀哦噢嗯嘛啦哈嘿哎唉诶呃喔哇哟呐]"
)


def repeats_last(found: Sequence[Recalled], query: str) -> tuple[Recalled, ...]:
    """Put what repeats something better ranked behind all that does not; nothing is lost, nothing else moves.

    Only the same speaker repeats. What tells a time ("yesterday", 今天) is repeated on the same day only. Where the question
    asks when or how often, each time counts, and all stays as it is.

    Args:
        found: Best first; of equals the newest first.
        query: What is asked.
    """
    if _EACH_COUNTS.search(query):
        return tuple(found)
    told: set[_Told] = set()
    new: list[Recalled] = []
    again: list[Recalled] = []
    for one in found:
        says = _told(one)
        (again if says in told else new).append(one)
        if says is not None:
            told.add(says)
    return (*new, *again)


_Told = tuple[str, str, date | None]
"""Who said what, and on which day where that matters."""


def _told(one: Recalled) -> _Told | None:
    """Give that by which a repetition is known; None where nothing can repeat it."""
    clauses = _clauses(one.text)
    tells_a_time = TIME_WORDS.search(one.text) is not None
    if not clauses or not _stands_alone(one.text) or (tells_a_time and one.said_at is None):
        return None
    return one.speaker, clauses, one.said_at.date() if tells_a_time and one.said_at else None


def _stands_alone(text: str) -> bool:
    return sum(PAIR_OF_CHARACTERS if has_cjk(term) else 1.0 for term in terms_of(text)) >= LEAST_WORDS


def _clauses(text: str) -> str:
    """Give the words that carry the meaning, clause by clause."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    for contracted, spelled_out in _SPELLED_OUT:
        plain = contracted.sub(spelled_out, plain)
    return ",".join(_telling(_CLAUSE_END.split(plain)))


def _telling(clauses: Sequence[str]) -> Iterator[str]:
    for clause in clauses:
        words = " ".join(_WORD.findall(_CARRIES_NOTHING.sub(" ", clause)))
        if words and not is_small_talk(clause):
            yield _WITHIN_CHINESE.sub("", words)
