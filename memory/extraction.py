"""Extraction without a model: propose memories from one message by rules that can be read (memory/rules/*.yaml).

A message is blanked and cut into clauses (memory/clauses.py); each clause is about somebody (the user, a person, a pet, a
thing); the first rule that reads the whole of it says what is told (memory/matching.py). What is asked, supposed, reported,
joked or wanted only this once gives nothing. The same arguments always give the same drafts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from memory.believed import in_view_of, names_in
from memory.blanking import FORGOTTEN
from memory.clauses import Clause, read_message
from memory.corrections import Span, denied_beside, denied_value, meant_value, put_right, settled
from memory.forget_requests import forget_requests
from memory.keys import ASKED_FOR, default_keys
from memory.kinds import TAKES_AWAY, Draft, Fact
from memory.matching import About, Found, Place, Told, first_found, identifiers, named_subject
from memory.one_name import by_name
from memory.phrases import is_plausible, tidy
from memory.rules import RuleBook, rule_books
from memory.times import beginning_of, resolve_dates
from memory.values import same_value

EXPLICIT, UNSURE = 0.9, 0.4
SHORTEST_REMEMBERED = 4


@dataclass(kw_only=True)
class _Talk:
    """What is carried from clause to clause while one message is read."""

    text: str
    original: str
    clauses: tuple[Clause, ...]
    topic: str = ""
    topic_sentence: int = -1
    about_user: bool = False
    known: list[str] = field(default_factory=list)
    explicit_until: int = -1
    read_until: int = -1
    told: list[Told] = field(default_factory=list)
    to_keep: list[Told] = field(default_factory=list)
    wrong: Told | None = None
    corrected: list[Span] = field(default_factory=list)


def propose(
    text: str, *, said_at: datetime | None, timezone: str = "UTC", believed: Sequence[Fact] = ()
) -> list[Draft]:
    """Propose what is worth remembering from one message of the user.

    Args:
        text: The message, already redacted; every draft's quote is a part of it.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        believed: What is believed of the user: they may say that it has ended or changed, and of whom they spoke before.

    Returns:
        The drafts in the order of the message, without repetition; [] when nothing is told.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    read = partial(_told, said_at=said_at, timezone=timezone, believed=believed)
    forgotten, left = forget_requests(text.replace(FORGOTTEN, " " * len(FORGOTTEN)), read)
    return [*forgotten, *(told for told in read(left) if not any(_takes(each, told) for each in forgotten))]


def _takes(asked: Draft, told: Draft) -> bool:
    """Say whether a message tells what it asks to forget besides."""
    return asked.key == told.key and (not asked.value or same_value(asked.value, told.value))


def _told(text: str, *, said_at: datetime | None, timezone: str, believed: Sequence[Fact]) -> list[Draft]:
    """Propose what a text tells, besides what it asks to forget."""
    books = tuple(book for book in rule_books() if book.may_read(text))
    reading = read_message(text, tuple(book.signs for book in books))
    talk = _Talk(text=reading.text, original=text, clauses=reading.clauses, known=list(names_in(believed)))
    for clause in reading.clauses:
        if not clause.unreal:
            _read(clause, talk, books)
    told = settled(by_name(_unrepeated([*talk.told, *_kept(talk)])), talk.corrected)
    told = in_view_of(reading, text, told, believed, keys=default_keys()) if believed else told
    return [_draft(each, text, said_at, timezone) for each in told]


def _read(clause: Clause, talk: _Talk, books: tuple[RuleBook, ...]) -> None:
    """Add what one clause tells: by the first language whose rules find something, and the identifiers in it."""
    for book in books:
        start = _opened(clause, talk, book)
        place = _place(clause, talk, start)
        if _corrects(place, clause, talk, book):
            break
        if max(start, talk.read_until) <= start < clause.end and (found := _found(place, clause, talk, book)):
            _take(found, clause, talk, book)
            _read_rest(found, clause, talk, book)
            break
    for book in books:
        _read_on(clause, talk, book)
    for book in books:
        place = _place(clause, talk, clause.start)
        talk.told += [_weighed(each, clause, talk, book) for each in identifiers(place, book, asked=clause.asked)]


def _read_rest(found: Found, clause: Clause, talk: _Talk, book: RuleBook) -> None:
    """Read by itself what a rule only saw of its own clause (在学吉他｜手指好痛)."""
    rest: Found | None = found
    while rest and rest.rest and talk.read_until < clause.end:
        start = _after(book, talk, talk.read_until, clause.end)
        rest = _found(_place(clause, talk, start), clause, talk, book) if start < clause.end else None
        if rest:
            _take(rest, clause, talk, book)


def _read_on(clause: Clause, talk: _Talk, book: RuleBook) -> None:
    """Read what a clause tells after a linking word in it ("… and allergic to nuts", "… because I work nights")."""
    if book.linking is None or clause.asked:
        return
    for link in book.linking.finditer(talk.text, clause.start, clause.end):
        if link.end() < max(talk.read_until, clause.start + 1) or link.end() >= clause.end:
            continue
        place = _place(clause, talk, link.end())
        if found := _found(place, clause, talk, book, alone=link["same"] is None):
            _take(found, clause, talk, book)


def _corrects(place: Place, clause: Clause, talk: _Talk, book: RuleBook) -> bool:
    """Note that a clause puts something right; say whether that is all it does."""
    if clause.asked or clause.start < talk.read_until:
        return False
    if book.correcting.search(talk.text, clause.start, clause.end):
        talk.corrected.append((clause.sentence_start, _next_sentence_end(clause, talk)))
    if place.start >= place.end:
        return False
    return _put_right(place, clause, talk, book) or _denied(place, clause, talk, book)


def _next_sentence_end(clause: Clause, talk: _Talk) -> int:
    return next((one.sentence_end for one in talk.clauses if one.start >= clause.sentence_end), clause.sentence_end)


def _put_right(place: Place, clause: Clause, talk: _Talk, book: RuleBook) -> bool:
    """Read "I meant York" after "I live in Leeds"."""
    wrong = talk.wrong or (talk.told[-1] if talk.told and _is_corrected(clause, talk) else None)
    value, at = meant_value(place, book) if wrong else ("", 0)
    right = list(put_right(wrong, value, at, place)) if wrong and value and value != wrong.value else []
    if right and wrong in talk.told:
        talk.told.remove(wrong)
    talk.told += right
    talk.wrong = None
    return bool(right)


def _is_corrected(clause: Clause, talk: _Talk) -> bool:
    return any(start <= clause.start < end for start, end in talk.corrected)


def _denied(place: Place, clause: Clause, talk: _Talk, book: RuleBook) -> bool:
    """Read "not Leeds" beside "I live in York", or after "I live in Leeds" what it denies."""
    old = denied_value(place, book)
    if not old:
        return False
    talk.wrong = next((each for each in reversed(talk.told) if each.value == old and each.act not in TAKES_AWAY), None)
    beside = talk.told and talk.told[-1].start >= clause.sentence_start
    if beside and not talk.wrong:
        talk.told[-1:] = denied_beside(talk.told[-1], old, place)
    elif not talk.wrong and clause.start == clause.sentence_start:
        talk.corrected.append((clause.sentence_start, clause.sentence_end))
    return bool(beside or talk.wrong)


def _place(clause: Clause, talk: _Talk, start: int) -> Place:
    return Place(text=talk.text, original=talk.original, start=start, end=clause.end, sentence_end=clause.sentence_end)


def _opened(clause: Clause, talk: _Talk, book: RuleBook) -> int:
    """Skip what opens a clause ("by the way", 请记住), noting what it asks to remember."""
    start = _after(book, talk, clause.start, clause.end)
    found = None if clause.asked else book.explicit.match(talk.text, start, clause.sentence_end)
    if not found or not found.group().strip():
        return start
    talk.explicit_until = clause.sentence_end
    if found["keep"]:
        _note(clause, talk, book, found.end())
    return _after(book, talk, found.end(), clause.sentence_end)


def _after(book: RuleBook, talk: _Talk, start: int, end: int) -> int:
    found = book.opening.match(talk.text, start, end)
    return found.end() if found else start


def _note(clause: Clause, talk: _Talk, book: RuleBook, start: int) -> None:
    """Note words that are to be remembered as they are, should no rule find anything in them.

    "Remember it" asks to remember what the sentence said before.
    """
    first, last = start, clause.sentence_end
    value = tidy(talk.original[first:last], "remember")
    if book.empty.fullmatch(value):
        first, last = _said_before(clause, talk)
        value = tidy(talk.original[first:last], "remember")
    if len(value) < SHORTEST_REMEMBERED or book.empty.fullmatch(value) or not is_plausible(value, "remember"):
        return
    talk.to_keep.append(
        Told(
            start=min(first, clause.start),
            end=clause.sentence_end,
            value_at=first,
            key=ASKED_FOR,
            value=value,
            act="state",
            confidence=EXPLICIT,
        )
    )


def _said_before(clause: Clause, talk: _Talk) -> Span:
    """Say where stands what was said just before: earlier in the sentence, else in the sentence before it."""
    earlier = [each for each in talk.clauses if each.end <= clause.start]
    said = [each for each in earlier if each.sentence_start == earlier[-1].sentence_start]
    if not said or any(each.asked or each.unreal for each in said):
        return clause.start, clause.start
    return said[0].start, said[-1].end


def _found(place: Place, clause: Clause, talk: _Talk, book: RuleBook, *, alone: bool = False) -> Found | None:
    """Give what a clause tells from a place on; `alone`: only of whom it names itself."""
    named = named_subject(place, book, topic=talk.topic, known=talk.known)
    understood = () if named or alone else _understood(place, clause, talk, book)
    abouts = [named] if named else [each for each in understood if not _is_odd(each, place, book)]
    if named and named.kind != "user":
        talk.topic, talk.topic_sentence = named.who, clause.sentence_start
    return first_found(place, book, abouts, asked=clause.asked)


def _is_odd(about: About, place: Place, book: RuleBook) -> bool:
    """Say whether the verb is of the third person, though the clause would be about the user."""
    of_user = about.kind != "none" and about.key == "user"
    return of_user and bool(book.third and book.third.match(place.text, place.start))


def _understood(place: Place, clause: Clause, talk: _Talk, book: RuleBook) -> Iterator[About]:
    """Say whom a clause without a subject is about: the topic of its sentence, else the user if they spoke of themselves.

    A clause that begins as one does whose "I" was left out ("been in Hull for years") is the user's without that.

    Beside somebody else as the topic, what only the user could mean ("nobody") is theirs.
    """
    if talk.topic and _same_sentence(clause, talk):
        yield About(who=talk.topic, at=place.start)
    elif talk.about_user or (book.dropped and book.dropped.match(place.text, place.start, place.end)):
        yield About(who="user", at=place.start)
    if not (_same_sentence(clause, talk) and talk.topic.startswith(("kin.", "person.", "pet."))):
        yield About(who="none", at=place.start)


def _same_sentence(clause: Clause, talk: _Talk) -> bool:
    return talk.topic_sentence == clause.sentence_start


def _take(found: Found, clause: Clause, talk: _Talk, book: RuleBook) -> None:
    talk.told += [_weighed(each, clause, talk, book) for each in found.told]
    talk.read_until = max(talk.read_until, found.end)
    if found.topic is None:
        return
    talk.topic, talk.topic_sentence = found.topic, clause.sentence_start
    talk.about_user = talk.about_user or found.topic == "user"
    if found.topic.startswith(("person.", "pet.")) and found.topic not in talk.known:
        talk.known.append(found.topic)


def _weighed(told: Told, clause: Clause, talk: _Talk, book: RuleBook) -> Told:
    """Set the confidence by how it was said: unsure, or to be remembered."""
    if book.unsure.search(talk.text, clause.start, told.value_at):
        return replace(told, confidence=UNSURE)
    return replace(told, confidence=EXPLICIT) if clause.start < talk.explicit_until else told


def _kept(talk: _Talk) -> list[Told]:
    return [note for note in talk.to_keep if not any(note.start <= each.start < note.end for each in talk.told)]


def _unrepeated(told: list[Told]) -> list[Told]:
    """Keep the first of what is told twice."""
    kept: dict[tuple[str, str, str], Told] = {}
    for each in sorted(told, key=lambda each: each.start):
        kept.setdefault((each.key, each.value, each.act), each)
    return list(kept.values())


def _draft(told: Told, text: str, said_at: datetime | None, timezone: str) -> Draft:
    value, day = told.value, None
    if told.when:
        days = resolve_dates(told.when, said_at=said_at, timezone=timezone)
        day = days[0][1] if days else None
        value = f"{value} ({day.isoformat()})" if day else _with_phrase(value, told.when)
    return Draft(
        key=told.key,
        value=value,
        confidence=told.confidence,
        quote=text[told.start : told.end].strip(),
        act=told.act,
        said_at=said_at,
        happens_at=beginning_of(day, timezone) if day else None,
    )


def _with_phrase(value: str, phrase: str) -> str:
    """Leave the day in the words it was said in, where they stand in that language."""
    return f"{value} {phrase}" if phrase.isascii() else f"{phrase}{value}"
