"""Proposing: drafts of what a tagger has marked; the user's own words decide, as for what a model says.

A mark becomes a key and a value: of the user, or of the person, pet or thing that is named nearest before it (else after it).
What is marked in what was pasted, supposed, asked or denied is dropped where a model's proposal would be. What ended is taken
back where a value that is believed is named by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from memory.believed.meant import meant
from memory.drafting import SIGNS_ALONE, drafts_heard
from memory.drafting_heard import Heard, hear, says
from memory.extraction_schema import Extraction, ProposedMemory
from memory.keys import Keys
from memory.kin import canonical_key
from memory.kinds import Draft, Fact
from memory.pasted import own_words
from memory.phrases import is_plausible, tidy
from memory.privacy import fold
from memory.signs import speaks_of_user
from memory.tagging.marks import NAMES, Mark
from memory.tagging.witness import OUR_NAMES

LEAST = 0.75
"""Below this a mark is not believed: of what was held out, two thirds are right from here on."""
SURER, CLAIMED = 0.9, frozenset({"employer", "occupation", "position"})
"""What somebody claims to be gives a false instruction its weight; of that a mark must be surer, and the message speak of them."""
STATED, TAKEN_BACK = 0.75, 0.9
_DAY = re.compile(r" \(\d{4}-\d{2}-\d{2}\)$")
_NO_SEGMENT = re.compile(r"[.\s]+")


def tagged(
    text: str,
    marks: Sequence[Mark],
    by_rules: Sequence[Draft],
    *,
    keys: Keys,
    said_at: datetime | None,
    timezone: str,
    believed: Sequence[Fact] = (),
) -> tuple[Draft, ...]:
    """Propose what is marked in one message of the user.

    Args:
        text: The message, already redacted.
        marks: What a tagger marked in it, in its order.
        by_rules: What the rules found; of words that they read they have the last word.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        believed: What is believed of the user: of that something may have ended.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    sure = [mark for mark in marks if _is_sure(mark, text)]
    open_ = [mark for mark in sure if not _is_read(text[mark.start : mark.end], by_rules, keys)]
    if not open_:
        return ()
    heard = hear(own_words(text))
    claims = [claim for mark in open_ if not mark.ended and (claim := _claim(mark, sure, heard))]
    told = drafts_heard(
        Extraction(memories=claims), heard, keys=keys, said_at=said_at, timezone=timezone, needs_signs=False
    ).drafts
    return (*told, *_ended(open_, sure, heard, [*by_rules, *told], believed))


def _is_sure(mark: Mark, text: str) -> bool:
    if mark.attribute not in CLAIMED:
        return mark.confidence >= LEAST
    return mark.confidence >= SURER and (mark.owner != "user" or speaks_of_user(fold(text).lower()))


def _claim(mark: Mark, marks: Sequence[Mark], heard: Heard) -> ProposedMemory | None:
    text = heard.text
    key = key_of(text, mark, marks)
    value = tidy(text[mark.start : mark.end], mark.attribute)
    if not key or key in SIGNS_ALONE or mark.attribute == NAMES or not is_plausible(value, mark.attribute):
        return None
    return ProposedMemory(key=key, value=value, quote=_clauses(mark, heard), confidence=STATED)


def key_of(text: str, mark: Mark, marks: Sequence[Mark]) -> str:
    """Give the key of a mark; "" where nobody is named whom it could be about."""
    if mark.owner == "user":
        return OUR_NAMES.get(mark.attribute, f"user.{mark.attribute}")
    names = [each for each in marks if each.owner == mark.owner and each.attribute == NAMES and not each.ended]
    before = [each for each in names if each.start <= mark.start]
    named = before[-1:] or names[:1]
    if not named:
        return ""
    who = _NO_SEGMENT.sub("_", text[named[0].start : named[0].end].strip())
    return canonical_key(f"{mark.owner}.{who}.{mark.attribute}")


def _clauses(mark: Mark, heard: Heard) -> str:
    """Give the clauses that a mark touches."""
    touched = [each for each in heard.reading.clauses if each.start < mark.end and each.end > mark.start]
    start, end = (touched[0].start, touched[-1].end) if touched else (mark.start, mark.end)
    return heard.text[min(start, mark.start) : max(end, mark.end)].strip()


def _is_read(words: str, by_rules: Sequence[Draft], keys: Keys) -> bool:
    """Say whether the rules read words: they made a value of them, or one of the few that a key may have."""
    return any(_is_made_of(draft, words, keys) for draft in by_rules if draft.value)


def _is_made_of(draft: Draft, words: str, keys: Keys) -> bool:
    spec = keys.spec(draft.key)
    if spec is not None and spec.values:
        return says(draft.quote, words)
    value = _DAY.sub("", draft.value)
    return says(value, words) or says(words, value)


def _ended(
    open_: Sequence[Mark], marks: Sequence[Mark], heard: Heard, told: Sequence[Draft], believed: Sequence[Fact]
) -> Iterator[Draft]:
    """Take back what is believed and named by a mark of what ended, under its key or one of that kind."""
    for mark in open_:
        words = heard.text[mark.start : mark.end]
        if mark.ended and mark.attribute != NAMES and _is_meant(words, heard):
            key = key_of(heard.text, mark, marks)
            for fact in meant(words, key, believed):
                if not any(each.key == fact.key for each in told):
                    yield _taken_back(fact, mark, heard)


def _is_meant(words: str, heard: Heard) -> bool:
    """Say whether words are the user's own, and neither supposed nor asked."""
    span = heard.words_of(words)
    return span is not None and not any(one.unreal or one.asked for one in heard.telling(span, words))


def _taken_back(fact: Fact, mark: Mark, heard: Heard) -> Draft:
    return Draft(key=fact.key, value=fact.value, confidence=TAKEN_BACK, quote=_clauses(mark, heard), act="retract")
