"""Rows: the rules and frames of the guard as values, read from data that people can read too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, Protocol, TypeGuard, get_args

from memory.guard.literals import Needs, may_match, needs_of
from memory.kinds import Source
from memory.plain_yaml import read_yaml

Family = Literal[
    "override",
    "reveal",
    "jailbreak",
    "standing_rule",
    "authority",
    "answer_shaping",
    "code_inclusion",
    "exfiltration",
    "tool_abuse",
    "mimicry",
    "hidden_instruction",
    "planted_fact",
]
Script = Literal["latin", "han", "any"]

FILES: Mapping[str, Script] = {"en": "latin", "en_standing": "latin", "zh": "han", "zh_standing": "han", "marks": "any"}
OTHERS: tuple[Source, ...] = ("assistant", "tool", "web", "import", "distilled", "world")
EVERYBODY: tuple[Source, ...] = get_args(Source)

_PIECE = re.compile(r"\{([a-z_]+)\}")
_FIELDS = frozenset(("id", "family", "pattern", "from", "beside", "unless", "asked", "firm", "lines", "yes", "no"))


class GuardError(ValueError):
    """A rule of the guard cannot be used; the message says which, why, and what to write instead."""


class Found(Protocol):
    """Where a pattern was found."""

    def start(self) -> int:
        """Say where it begins."""

    def end(self) -> int:
        """Say where it ends."""

    def __getitem__(self, group: int, /) -> str:
        """Give the words, group 0."""


class Sought(Protocol):
    """A pattern that can be looked for."""

    def search(self, text: str, /) -> Found | None:
        """Give the first place where it stands."""

    def finditer(self, text: str, /) -> Iterator[Found]:
        """Give each place where it stands."""


def backtracking(pattern: str) -> Sought:
    """Compile a pattern of those that are shipped; a letter and a Chinese character have a border between them.

    It may take for ever, as patterns of Python do: the shipped ones are held against hostile texts by the tests. Whoever
    reads patterns of others gives `rule_of` something that cannot.
    """
    return re.compile(pattern, re.ASCII | re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One way to give a model orders.

    `sources`: whose texts it is looked for in. `beside`: what else must stand in the same sentence,
    before or after it. `unless`: what in the same sentence makes it harmless. `asked`: it is
    an attack as a question too ("what is your system prompt?"). `firm`: no frame excuses it. `lines`: it reads lines,
    where line breaks count. `compiles`: what makes its patterns something that can be looked for; a `ValueError` says why
    one is none.
    """

    id: str
    family: Family
    patterns: tuple[str, ...]
    script: Script
    sources: tuple[Source, ...]
    beside: tuple[str, ...] = ()
    unless: str = ""
    asked: bool = False
    firm: bool = False
    lines: bool = False
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    compiles: Callable[[str], Sought] = backtracking

    @property
    def is_shipped(self) -> bool:
        """Say whether its patterns are of the kind that is shipped; what others write is searched by their own means."""
        return self.compiles is backtracking

    @cached_property
    def needs(self) -> tuple[Needs, ...]:
        """What each pattern needs to stand in a text, so that it is worth trying; of another's syntax nothing is known."""
        if not self.is_shipped:
            return ((),) * len(self.patterns)
        shared = tuple(needs for pattern in self.beside for needs in needs_of(pattern))
        return tuple((*needs_of(pattern), *shared) for pattern in self.patterns)

    def found_in(self, text: str, standing: frozenset[str]) -> Iterator[Found]:
        """Give each place where one of the patterns matches.

        Args:
            text: What to look in.
            standing: Which of the pieces that the patterns need stand in it.
        """
        for pattern, needs in zip(self.patterns, self.needs, strict=True):
            if may_match(needs, standing):
                yield from _compiled(self.compiles, pattern).finditer(text)

    def is_meant(self, sentence: str) -> bool:
        """Say whether the sentence that a pattern was found in holds all that must, and nothing that must not, stand there."""
        if self.unless and _compiled(self.compiles, self.unless).search(sentence):
            return False
        return all(_compiled(self.compiles, pattern).search(sentence) is not None for pattern in self.beside)


@cache
def _compiled(compiles: Callable[[str], Sought], pattern: str) -> Sought:
    """Compile a pattern when it is first tried."""
    return compiles(pattern)


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What makes the words of an order mere talk about it, in one language.

    `negated` and `others` end where the order begins ("do not …", "attackers make a model …"), `anew` too, where an
    order begins after all (", and then …"). `asked` begins a sentence that asks or explains. `about` says that what
    stands between quotation marks is being talked about.
    """

    negated: re.Pattern[str]
    others: re.Pattern[str]
    asked: re.Pattern[str]
    anew: re.Pattern[str]
    about: re.Pattern[str]


@cache
def packaged_rules() -> tuple[Rule, ...]:
    """Give the rules that are shipped, in the order of their files."""
    return tuple(rule for name, script in FILES.items() for rule in _rules_of(name, script))


@cache
def packaged_frames() -> tuple[Frame, ...]:
    """Give the frames of each language that has some."""
    return tuple(_frame_of(name) for name in FILES if "frames" in _file(name))


def rule_of(
    row: Mapping[str, Any],
    *,
    at: str,
    script: Script = "any",
    compiled: bool = True,
    compiles: Callable[[str], Sought] = backtracking,
) -> Rule:
    """Read one row.

    Args:
        row: As it stands in the data.
        at: What to call it in a complaint.
        script: Which letters a text must have for the rule to be tried.
        compiled: Whether to try its patterns now; what is shipped is tried by the tests, and compiled when first needed.
        compiles: What makes its patterns something that can be looked for.

    Raises:
        GuardError: A field is unknown, missing or wrong, or the pattern is no regular expression.
    """
    unknown = sorted(set(row) - _FIELDS)
    if unknown:
        raise GuardError(f"{at} has the unknown field {unknown[0]!r}; write only {', '.join(sorted(_FIELDS))}.")
    rule = Rule(
        id=str(row.get("id", at)),
        family=_family(row.get("family"), at),
        patterns=tuple(_regex(each, at, "pattern") for each in _as_list(row.get("pattern"))),
        script=script,
        sources=_sources(row.get("from", "all"), at),
        beside=tuple(_regex(each, at, "beside") for each in _as_list(row["beside"])) if "beside" in row else (),
        unless=_regex(row["unless"], at, "unless") if "unless" in row else "",
        asked=_flag(row, "asked", at),
        firm=_flag(row, "firm", at),
        lines=_flag(row, "lines", at),
        yes=_samples(row, "yes", at),
        no=_samples(row, "no", at),
        compiles=compiles,
    )
    if compiled:
        _try_patterns(rule, at)
    return rule


def _try_patterns(rule: Rule, at: str) -> None:
    for pattern in (*rule.patterns, *rule.beside, *filter(None, [rule.unless])):
        try:
            found = _compiled(rule.compiles, pattern).search("")
        except (ValueError, re.error) as error:
            raise GuardError(f"{pattern!r} of {at} is no pattern that can be used: {error}; correct it.") from error
        if found:
            raise GuardError(f"{pattern!r} of {at} finds an empty text, so it finds every text; make it ask for words.")


def _as_list(said: object) -> list[object]:
    return said if isinstance(said, list) and said else [said]


def _family(said: object, at: str) -> Family:
    if _is_family(said):
        return said
    raise GuardError(f"{at} has the family {said!r}; write one of {', '.join(get_args(Family))}.")


def _is_family(said: object) -> TypeGuard[Family]:
    return said in get_args(Family)


def _regex(said: object, at: str, field: str) -> str:
    if not isinstance(said, str) or not said:
        raise GuardError(f"{at} has {said!r} as its {field}; write a regular expression in quotation marks.")
    return said


def _sources(said: object, at: str) -> tuple[Source, ...]:
    if said == "all":
        return EVERYBODY
    if said == "others":
        return OTHERS
    names = [said] if isinstance(said, str) else said
    if not isinstance(names, list) or not names or not set(names) <= set(EVERYBODY):
        raise GuardError(f"{at} is from {said!r}; write all, others, or a list of {', '.join(EVERYBODY)}.")
    return tuple(source for source in EVERYBODY if source in names)


def _flag(row: Mapping[str, Any], field: str, at: str) -> bool:
    said = row.get(field, False)
    if not isinstance(said, bool):
        raise GuardError(f"{at} has {said!r} as {field!r}; write true or false.")
    return said


def _samples(row: Mapping[str, Any], field: str, at: str) -> tuple[str, ...]:
    said = row.get(field, [])
    if isinstance(said, str) or not isinstance(said, Sequence) or not all(isinstance(each, str) for each in said):
        raise GuardError(f"{at} has {said!r} as {field!r} samples; write a list of texts.")
    return tuple(said)


def _rules_of(name: str, script: Script) -> list[Rule]:
    words = _words_of(name)
    rows = [{key: _spelt(key, value, words) for key, value in row.items()} for row in _file(name)["rules"]]
    return [rule_of(row, at=f"{name}.yaml: {row.get('id')}", script=script, compiled=False) for row in rows]


def _spelt(key: str, value: Any, words: Mapping[str, str]) -> Any:
    if key in ("pattern", "beside"):
        return [_put_in(each, words) for each in _as_list(value)]
    return _put_in(value, words) if key == "unless" else value


def _frame_of(name: str) -> Frame:
    words, rows = _words_of(name), _file(name)["frames"]
    return Frame(**{field: re.compile(_put_in(pattern, words), re.ASCII) for field, pattern in rows.items()})


def _words_of(name: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for piece, pattern in _file(name).get("words", {}).items():
        words[piece] = f"(?:{_put_in(pattern, words)})"
    return words


def _put_in(pattern: Any, words: Mapping[str, str]) -> str:
    """Give a pattern with its pieces in their places."""
    return _PIECE.sub(lambda found: words[found[1]], pattern)


@cache
def _file(name: str) -> Mapping[str, Any]:
    read: Mapping[str, Any] = read_yaml("memory.guard.rules", f"{name}.yaml")
    return read
