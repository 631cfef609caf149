"""Matching: what one clause tells, by the rules of one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memory.guard.literals import may_match
from memory.keys import default_keys
from memory.kin import is_kin
from memory.kinds import TAKES_AWAY, Act
from memory.phrases import is_plausible, parts_of, tidy
from memory.rules import Reach, Rule, RuleBook
from memory.rules.patterns import Pattern
from memory.same.meaning import known as meant_by
from memory.same.wording import plain

RENAMED = {"user.likes": "pref.likes", "user.dislikes": "pref.dislikes"}
PERSON, RELATION = "person.", ".relation"
WHAT_SOMEBODY_IS = ("beliefs", "occupations", "natures", "marital", "nationalities")
"""Tables of memory/same whose words are nobody's name."""
LONGEST_MENTION = 60
"""Characters before "who" in which the one that it means is looked for."""
LONGEST_REACH = 240
"""Characters before a pronoun in which the one that it means is looked for."""
NAMED = ("person.", "kin.", "pet.")
READ_WORDS = frozenset({"kin", "pet"})
"""Groups of words that rules list: they are kept as the rules write them, in simplified characters."""
_SLOT = re.compile(r"\{(\w+)(?:\|(\w+))?\}")


@dataclass(frozen=True, kw_only=True)
class About:
    """Whom a clause is about (`user`, `kin.女儿`, `person.小米`, `pet.豆豆`, `thing.车展`, `other`, `none`).

    `at` is where the telling begins; `gives` is what the naming itself tells (小李 is a colleague).
    """

    who: str
    at: int
    gives: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> str:
        """Say what sort of subject it is."""
        return self.who.partition(".")[0]

    @property
    def label(self) -> str:
        """Say by what word it is called; "" for the user."""
        return self.who.partition(".")[2]

    @property
    def key(self) -> str:
        """Give what keys about it begin with."""
        return f"person.{self.label}" if self.kind == "kin" else self.who if self.label else "user"


@dataclass(frozen=True, kw_only=True)
class Told:
    """One thing told: where it stands, what it says, and how (`asked_for`: as a request to the agent)."""

    start: int
    end: int
    value_at: int
    key: str
    value: str
    act: Act
    confidence: float
    when: str = ""
    asked_for: bool = False


@dataclass(frozen=True, kw_only=True)
class Found:
    """A rule that read a clause: what it tells, and what the clauses after it are about (None: no change).

    `rest`: it only saw what follows `end`.
    """

    about: About
    end: int
    told: tuple[Told, ...]
    topic: str | None
    rest: bool = False


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a message is read: the folded text and the original (equally long), and the bounds."""

    text: str
    original: str
    start: int
    end: int
    sentence_end: int


def named_subject(place: Place, book: RuleBook, *, topic: str, known: Iterable[str]) -> About | None:
    """Find whom the clause says it is about; None where it names nobody."""
    for label in known:
        name = label.partition(".")[2]
        if _begins(place, name):
            return About(who=label, at=_past_possessive(place, place.start + len(name)))
    standing = book.standing_in(place.text[place.start : place.sentence_end])
    for form in book.subjects:
        match = form.says.match(place.text, place.start, place.sentence_end) if form.says.may_match(standing) else None
        if match:
            who = _filled(form.who, match, place.original, {}, None)
            gives = tuple(
                (_filled(key, match, place.original, {}, None), _filled(value, match, place.original, {}, None))
                for key, value in form.gives.items()
            )
            if who == "antecedent":
                return _just_named(place, book, at=match.end())
            if who == "topic":
                meant = _meant(topic)
                who = _last_mentioned(place, book, match.group()) if meant == "other" else meant
            return About(who=who, at=match.end(), gives=gives)
    return None


def _begins(place: Place, name: str) -> bool:
    """Say whether the place begins with a name, and not with a longer word."""
    if not name or place.text[place.start : place.start + len(name)].casefold() != name.casefold():
        return False
    after = place.text[place.start + len(name) : place.end][:1]
    return not (name[-1:].isascii() and after.isascii() and after.isalnum())


def _just_named(place: Place, book: RuleBook, *, at: int) -> About:
    """Say whom "who" means: the one named just before it, else nobody that is known."""
    before = max(0, place.start - LONGEST_MENTION)
    for form in book.subjects:
        if not form.who.startswith(NAMED):
            continue
        for match in form.says.finditer(place.text, before, place.start):
            if not place.text[match.end() : place.start].strip(" ,") and not _inside_word(place.text, match.start()):
                who = _filled(form.who, match, place.original, {}, None)
                return About(who=who, at=at)
    return About(who="other", at=at)


def _last_mentioned(place: Place, book: RuleBook, pronoun: str) -> str:
    """Say whom a pronoun means that follows no topic: the last one that the message named before it, should they fit."""
    fits = book.pronouns.get(pronoun.strip().lower())
    if fits is None:
        return "other"
    before = max(0, place.start - LONGEST_REACH)
    named = [
        (match.start(), form, match)
        for form in book.subjects
        if form.who.startswith(NAMED)
        for match in form.says.finditer(place.text, before, place.start)
        if not _inside_word(place.text, match.start())
    ]
    if not named:
        return "other"
    _, form, match = max(named, key=lambda each: each[0])
    return _filled(form.who, match, place.original, {}, None) if fits.search(match.group()) else "other"


def _inside_word(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isalnum() and text[at : at + 1].isascii()


def _meant(topic: str) -> str:
    """Say whom a pronoun of the third person means: the topic, never the user."""
    return topic if topic and topic != "user" else "other"


def first_found(place: Place, book: RuleBook, abouts: list[About], *, asked: bool) -> Found | None:
    """Give what the first rule that reads the whole clause (or sentence) finds."""
    once = book.once.search(place.text, place.start, place.end) is not None
    polite = book.polite.search(place.text[place.start : place.end]) is not None
    kinds = {"any", *(about.kind for about in abouts), *("person" for about in abouts if about.kind == "kin")}
    said = place.text[place.start : place.sentence_end].lower()
    standing = book.standing_in(place.text[place.start : place.sentence_end])
    for rule in book.tellings:
        if kinds.isdisjoint(rule.of) or not _may_read(rule, said):
            continue
        if (asked and not (rule.request and polite)) or (rule.request and once):
            continue
        for found in _readings(rule, place, book, abouts, standing):
            return found
    return None


def identifiers(place: Place, book: RuleBook, *, asked: bool) -> Iterator[Told]:
    """Give what the clause only mentions: order, ticket, tracking, flight numbers, error codes, "my brother Tom".

    What is `asked` tells no more than identifiers.
    """
    about = About(who="none", at=place.start)
    said = place.text[place.start : place.sentence_end].lower()
    standing = book.standing_in(place.text[place.start : place.sentence_end])
    for rule in book.mentions:
        if (asked and not rule.names_only) or not _may_read(rule, said):
            continue
        for pattern in _worth_trying(rule, standing):
            for match in pattern.finditer(place.text, place.start, place.sentence_end):
                if match.start() < place.end:
                    yield from _told(rule, match, about, place, book)


def _may_read(rule: Rule, said: str) -> bool:
    return not rule.needs or any(word in said for word in rule.needs)


def _worth_trying(rule: Rule, standing: frozenset[str]) -> list[Pattern]:
    return [pattern for pattern in rule.says if may_match(pattern.needs, standing)]


def _readings(
    rule: Rule, place: Place, book: RuleBook, abouts: list[About], standing: frozenset[str]
) -> Iterator[Found]:
    patterns = _worth_trying(rule, standing)
    for about, start in _starts(rule, place, book, abouts) if patterns else ():
        for pattern in patterns:
            match = pattern.fullmatch(place.text, start, _end(rule.reach, place))
            told = tuple(_told(rule, match, about, place, book)) if match else ()
            if match and (told or not rule.gives):
                named = tuple(_named(about, place)) if told else ()
                end = _read_end(rule, match, place, book)
                topic, rest = _topic(rule, match, about, place), bool(match.groupdict().get("then"))
                yield Found(about=about, end=end, told=named + told, topic=topic, rest=rest)


def _starts(rule: Rule, place: Place, book: RuleBook, abouts: list[About]) -> Iterator[tuple[About, int]]:
    """Say about whom the rule could be, and where it would begin: with and without a word such as 一直 or "really"."""
    if "any" in rule.of:
        yield About(who="none", at=place.start), place.start
    for about in abouts:
        if about.kind in rule.of or (about.kind == "kin" and "person" in rule.of):
            spaced = _past_spaces(place, about.at)
            yield about, spaced
            skipped = book.leading.match(place.text, about.at, place.end)
            if skipped and skipped.end() > spaced:
                yield about, skipped.end()


def _past_spaces(place: Place, at: int) -> int:
    while at < place.end and place.text[at] == " ":
        at += 1
    return at


def _end(reach: Reach, place: Place) -> int:
    return place.sentence_end if reach == "sentence" else place.end


def _told(rule: Rule, match: re.Match[str], about: About, place: Place, book: RuleBook) -> Iterator[Told]:
    acts: tuple[tuple[Mapping[str, str], Act], ...] = ((rule.gives, rule.act), (rule.denies, "retract"))
    for templates, act in acts:
        yield from _values(rule, templates, act, match, about, place, book)


def _values(
    rule: Rule,
    templates: Mapping[str, str],
    act: Act,
    match: re.Match[str],
    about: About,
    place: Place,
    book: RuleBook,
) -> Iterator[Told]:
    for key_template, value_template in templates.items():
        key = _key(_filled(key_template, match, place.original, book.maps, about))
        if key.startswith(PERSON) and key.endswith(RELATION) and not _is_a_name(key.split(".")[1]):
            continue
        raw = _filled(value_template, match, place.original, book.maps, about)
        name = key.rpartition(".")[2]
        for part in parts_of(raw, book.listing) if rule.each else [raw]:
            value = tidy(part, name)
            if key and ".." not in key and (is_plausible(value, name) or (act in TAKES_AWAY and not raw)):
                yield replace(_one(rule, match, place, key, value), act=act)


def _is_a_name(word: str) -> bool:
    """Say whether a word can be somebody's name, and is not what they are (穆斯林, "a nurse")."""
    return is_kin(word) or (is_plausible(word, "name") and not meant_by(plain(word), WHAT_SOMEBODY_IS))


def _read_end(rule: Rule, match: re.Match[str], place: Place, book: RuleBook) -> int:
    """Say how far a rule has read; the `rest` or `then` that it only saw is read by itself."""
    for seen in ("then", "rest"):
        if match.groupdict().get(seen):
            return match.start(seen)
    return _list_end(match, place, book) if rule.each else match.end()


def _list_end(match: re.Match[str], place: Place, book: RuleBook) -> int:
    """Say where an enumeration ends; what is left of the sentence is read by itself."""
    said = match["value"]
    last = parts_of(said, book.listing)[-1]
    return match.end() if said.endswith(last) else match.start("value") + said.rindex(last) + len(last)


def _one(rule: Rule, match: re.Match[str], place: Place, key: str, value: str) -> Told:
    groups = match.re.groupindex
    return Told(
        start=place.start,
        end=max(min(match.end(), place.sentence_end), place.end),
        value_at=match.start("value") if "value" in groups else match.end(),
        key=key,
        value=value,
        act=rule.act,
        confidence=rule.confidence,
        when=match["when"] if "when" in groups else "",
        asked_for=rule.request,
    )


def _named(about: About, place: Place) -> Iterator[Told]:
    for key, value in about.gives:
        if not value:
            continue
        yield Told(
            start=place.start, end=place.end, value_at=about.at, key=key, value=value, act="state", confidence=0.75
        )


def _topic(rule: Rule, match: re.Match[str], about: About, place: Place) -> str | None:
    if rule.topic:
        return _filled(rule.topic, match, place.original, {}, about)
    return None if about.kind == "none" else about.who


def _key(key: str) -> str:
    """Give the key under which it is kept; "" for what is not kept about the user."""
    key = RENAMED.get(key, key)
    family = key.partition(".")[0]
    return "" if family == "user" and default_keys().spec(key) is None else key


def _filled(
    template: str,
    match: re.Match[str],
    original: str,
    maps: Mapping[str, Mapping[str, str]],
    about: About | None,
) -> str:
    """Put the groups' words into a template: `{who}`, `{label}`, `{group}` or `{group|map}`."""

    def word(slot: re.Match[str]) -> str:
        name, table = slot[1], slot[2]
        if about and name in ("who", "label"):
            return about.key if name == "who" else about.label
        read = match[name] or "" if name in match.re.groupindex else ""
        if name in READ_WORDS:
            return tidy(read, "label")
        said = original[match.start(name) : match.end(name)] if read else ""
        if table:
            said = read if read.lower() in maps[table] else said
            return maps[table].get(said.lower(), said)
        return said if template == slot[0] else tidy(said, "label").replace(".", "·")

    return _SLOT.sub(word, template)


def _past_possessive(place: Place, at: int) -> int:
    return at + 1 if place.text.startswith("的", at) else at
