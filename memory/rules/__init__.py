"""Rules: the readable data by which offline extraction understands Chinese and English.

A file holds, for one language: `words` (pieces that patterns name as `{piece}`; they may name earlier ones), `maps` (said →
kept), `signs` (how a clause is meant), `subjects` (who a clause is about) and `rules`. Every rule carries its own examples:
`yes` (a message → exactly the memories that it must give) and `no` (messages that must give none of the rule's keys).
`parts` names further files of the language, which hold more rules, by theme; they are tried in that order, after the file's own; those of `before` are tried first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Any, Literal

from memory.clauses import Signs
from memory.guard.literals import Index
from memory.kinds import Act
from memory.plain_yaml import read_yaml
from memory.rules.patterns import Pattern, Words, compiled, expanded, small
from memory.times import phrase_pattern

LANGUAGES = ("zh", "en")
Subject = Literal["user", "we", "kin", "person", "pet", "thing", "other", "none", "any"]
Reach = Literal["clause", "sentence", "anywhere"]

_LETTERS = {"zh": re.compile(r"[\u3400-\u9fff]"), "en": re.compile(r"[A-Za-zÀ-ɏ]")}
MANY_WORDS = 40
"""From so many on, a list of words is sorted by first letters, so that most places are passed at a glance."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One way to say something that is worth remembering.

    `of`: whom the clause must be about (`any`: matched from its start, whoever it is about; `none`: nobody is named).
    `reach`: the rule reads one clause, the rest of the sentence, or looks anywhere in the clause.
    `gives`: keys and values as templates over the pattern's groups, `{who}` and `{group|map}`; a group `rest` is only seen,
    and read by itself, from the next clause on, and a group `then` from where it begins. `denies`: likewise what the same words take back ("not allergic to nuts, only to eggs").
    `request`: it asks the agent for something lasting; it may be put as a polite question, and is void for "this time".
    `each`: the value is a list, every part of it is a memory. `topic`: what the clauses that follow are about.
    `needs`: words (lower case) one of which must stand in the sentence; without them the rule is not tried, which saves time.
    """

    id: str
    says: tuple[Pattern, ...]
    gives: Mapping[str, str]
    denies: Mapping[str, str]
    of: tuple[Subject, ...] = ("user",)
    reach: Reach = "clause"
    confidence: float = 0.75
    act: Act = "state"
    request: bool = False
    each: bool = False
    topic: str = ""
    needs: tuple[str, ...] = ()
    yes: Mapping[str, Mapping[str, Any]]
    no: tuple[str, ...] = ()

    @property
    def names_only(self) -> bool:
        """Say whether it gives nothing but identifiers, which a question names as well as a statement."""
        return all(key.startswith("ref.") for key in self.gives)


@dataclass(frozen=True, kw_only=True)
class SubjectForm:
    """A way to begin a clause by saying whom it is about.

    `who` is a template over the groups: `user`, `kin.{kin}`, `person.{name}`, `pet.{pet}`, `other`, or `topic` (the one
    spoken of just now). `gives` is what the naming itself tells.
    """

    who: str
    says: Pattern
    gives: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """All that one language's file says."""

    language: str
    signs: Signs
    opening: re.Pattern[str]
    leading: re.Pattern[str]
    unsure: re.Pattern[str]
    polite: re.Pattern[str]
    explicit: re.Pattern[str]
    once: re.Pattern[str]
    correcting: re.Pattern[str]
    denied: re.Pattern[str]
    meant: re.Pattern[str]
    empty: re.Pattern[str]
    listing: re.Pattern[str]
    subjects: tuple[SubjectForm, ...]
    maps: Mapping[str, Mapping[str, str]]
    rules: tuple[Rule, ...]
    linking: re.Pattern[str] | None = None
    third: re.Pattern[str] | None = None
    dropped: re.Pattern[str] | None = None
    pronouns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    def may_read(self, text: str) -> bool:
        """Say whether a text holds letters of the language; without them none of its rules finds anything."""
        return _LETTERS[self.language].search(text) is not None

    def standing_in(self, text: str) -> frozenset[str]:
        """Give which of the pieces that patterns of subjects and rules need stand in a text."""
        return self._index.standing_in(small(text))

    @cached_property
    def _index(self) -> Index:
        says = (*(form.says for form in self.subjects), *(pattern for rule in self.rules for pattern in rule.says))
        return Index(piece for pattern in says for pieces in pattern.needs for piece in pieces)

    @cached_property
    def tellings(self) -> tuple[Rule, ...]:
        """Give the rules that read a clause or a sentence from its start."""
        return tuple(rule for rule in self.rules if rule.reach != "anywhere")

    @cached_property
    def mentions(self) -> tuple[Rule, ...]:
        """Give the rules that look anywhere in a clause."""
        return tuple(rule for rule in self.rules if rule.reach == "anywhere")


@cache
def rule_books() -> tuple[RuleBook, ...]:
    """Read the files of all languages, once."""
    return tuple(_read(language) for language in LANGUAGES)


def _read(language: str) -> RuleBook:
    raw = read_yaml("memory.rules", f"{language}.yaml")
    words = _words(raw["words"], raw["maps"])
    signs = {name: compiled(pattern, words) for name, pattern in raw["signs"].items()}
    names = {each.name for each in fields(Signs)}
    return RuleBook(
        language=language,
        signs=Signs(**{name: signs[name] for name in names if name in signs}),
        **{name: pattern for name, pattern in signs.items() if name not in names},
        subjects=tuple(_subject(row, words) for row in raw["subjects"]),
        maps={name: {str(k).lower(): str(v) for k, v in rows.items()} for name, rows in raw["maps"].items()},
        rules=tuple(_rule(row, words) for row in _rows(raw)),
        pronouns={said: compiled(pattern, words) for said, pattern in raw.get("pronouns", {}).items()},
    )


def _rows(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the rules of a language's file and of those that it names to be tried before and after its own."""
    before, after = (
        [row for name in raw.get(names, ()) for row in read_yaml("memory.rules", f"{name}.yaml")["rules"]]
        for names in ("before", "parts")
    )
    return [*before, *raw["rules"], *after]


def _subject(row: dict[str, Any], words: Words) -> SubjectForm:
    return SubjectForm(who=row["who"], says=Pattern(written=row["says"], words=words), gives=row.get("gives", {}))


def _words(raw: Mapping[str, Any], maps: Mapping[str, Mapping[str, str]]) -> Words:
    """Make each piece a pattern: a list of words matches the longest first; a map's keys are a piece too."""
    words = Words(when=phrase_pattern())
    for name, said in [*((name, list(rows)) for name, rows in maps.items()), *raw.items()]:
        words[name] = _either(said) if isinstance(said, list) else expanded(said, words)
    return words


def _either(said: list[Any]) -> str:
    longest_first = sorted((str(word) for word in said), key=len, reverse=True)
    if len(longest_first) < MANY_WORDS:
        return "(?:" + "|".join(re.escape(word) for word in longest_first) + ")"
    begun: dict[str, list[str]] = {}
    for word in longest_first:
        begun.setdefault(word[0], []).append(re.escape(word[1:]))
    return "(?:" + "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in begun.items()) + ")"


def _rule(row: dict[str, Any], words: Words) -> Rule:
    said = row["says"]
    forms = said if isinstance(said, list) else [said]
    of = row.get("of", ["user"])
    return Rule(
        **{name: row[name] for name in ("id", "reach", "confidence", "act", "request", "each", "topic") if name in row},
        says=tuple(Pattern(written=form, words=words) for form in forms),
        gives=row.get("gives", {}),
        denies=row.get("denies", {}),
        of=tuple(of if isinstance(of, list) else [of]),
        needs=tuple(str(word) for word in row.get("needs", ())),
        yes=row["yes"],
        no=tuple(row.get("no", ())),
    )
