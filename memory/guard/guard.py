"""The guard: whether a text, should it ever be remembered and shown to a model, gives the model orders.

Whoever can have such a text remembered poisons every later conversation, so it is looked for before anything is kept
or recalled: in what was said, in drafts of facts, in summaries and in skills.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import Any, cast

from memory.guard.framing import REACH, Place, is_mere_talk
from memory.guard.literals import Index
from memory.guard.readings import MAX_CHARS, folded_readings
from memory.guard.rows import (
    Family,
    Frame,
    GuardError,
    Rule,
    Script,
    Sought,
    backtracking,
    packaged_frames,
    packaged_rules,
    rule_of,
)
from memory.kinds import Source
from memory.words import has_cjk

ORDINARY = ("I had tea with my sister on Monday.", "我星期一和妹妹喝了茶。")
MAX_WORDS = 200
MOST_KNOWN = 50_000
MOST_PLACES = 500
"""Where a row of a user's own file stands so often in a text, nothing beside it excuses it: to look at every place takes the
length of the text for each, and whoever repeats it so often means it."""
AROUND = 2 * REACH

_NEW = object()
_WISH = re.compile(
    r"\A\s*(?:(?:请|麻烦[你您]?)(?:帮我)?(?:记住|记得|记一下)[:：]\s*|please remember:\s*)", re.IGNORECASE
)
WISHES = {True: "请记住：", False: "Please remember: "}
_LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_LETTERS: Mapping[Script, re.Pattern[str]] = {
    "latin": re.compile("[a-z]"),
    "han": re.compile("[\u3400-\u9fff]"),
    "any": re.compile(""),
}


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What a text was found to attempt, and the words that say so, as they are read."""

    family: Family
    words: str


@dataclass(frozen=True, kw_only=True)
class Guard:
    """The rules that a text is held against."""

    rules: tuple[Rule, ...]
    frames: tuple[Frame, ...]

    def attack_in(self, text: str, *, source: Source = "user", for_good: bool = False) -> Attack | None:
        """Say what orders a text gives to a model, or None where it gives none.

        What was judged lately is known: a text is looked at when it is kept, and again each time it is read.

        Args:
            text: Any text; its length may be hostile.
            source: Who wrote it. A user may wish how they are answered and say who they are; a stranger's text that
                does so in their name is an attack.
            for_good: It is to be believed for good, as the user asks: that makes an order a standing one. Otherwise a
                user's "please remember:" before it says nothing of what it is.
        """
        if source == "user":
            text = _WISH.sub("", text)
        if for_good:
            text = WISHES[has_cjk(text)] + text
        named = (sha256(text.encode("utf-8", "surrogatepass")).digest(), source)
        known = self._known.get(named, _NEW)
        if known is not _NEW:
            return cast(Attack | None, known)
        pieces = (text[start : start + MAX_CHARS] for start in range(0, max(len(text), 1), MAX_CHARS - AROUND))
        found = next((attack for piece in pieces if (attack := self._judge(piece, source))), None)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[named] = found
        return found

    def withholds(self, text: str, *, cleared: bool) -> bool:
        """Say whether what is kept is not shown: it would give orders, and nobody let it through.

        Others wrote it into the store, or it was written before the guard knew it.
        """
        return not cleared and self.attack_in(text) is not None

    @cached_property
    def _known(self) -> dict[tuple[bytes, Source], object]:
        """Hold the verdicts by what the texts hash to: the texts themselves are not kept for it."""
        return {}

    def _judge(self, text: str, source: Source) -> Attack | None:
        plain, *others = folded_readings(text)
        for reading in (plain, *(_differing(other, plain) for other in others)):
            for rule, found in self._found(reading, source):
                return Attack(family=rule.family, words=found[:MAX_WORDS])
        return None

    @cached_property
    def _indexes(self) -> dict[Script, Index]:
        return {}

    def _index(self, script: Script) -> Index:
        """Give the pieces that the rules of one script need; a text without its letters has no use for them."""
        if script not in self._indexes:
            needs = (needs for rule in self.rules if rule.script == script for needs in rule.needs)
            self._indexes[script] = Index(piece for sets in needs for pieces in sets for piece in pieces)
        return self._indexes[script]

    def _found(self, reading: str, source: Source) -> Iterator[tuple[Rule, str]]:
        prose = _LINE_BREAK.sub(" ", reading)
        scripts = {name for name, letters in _LETTERS.items() if letters.search(reading)}
        standing = frozenset[str]().union(*(self._index(script).standing_in(prose) for script in scripts))
        for rule in self.rules:
            if source in rule.sources and rule.script in scripts:
                words = self._words(rule, reading if rule.lines else prose, standing, source)
                if words is not None:
                    yield rule, words

    def _words(self, rule: Rule, text: str, standing: frozenset[str], source: Source) -> str | None:
        for number, found in enumerate(rule.found_in(text, standing), 1):
            if number > MOST_PLACES and not rule.is_shipped:
                return found[0]
            place = Place(text=text, start=found.start(), end=found.end())
            if rule.is_meant(place.sentence) and (rule.firm or not self._is_talk(rule, place, source)):
                return found[0]
        return None

    def _is_talk(self, rule: Rule, place: Place, source: Source) -> bool:
        return is_mere_talk(place, self.frames, asks_too=rule.asked, may_quote=source == "user")


def _differing(reading: str, plain: str) -> str:
    """Give the part of another reading that the plain one has not, with what stands around it."""
    start = _shared(reading, plain)
    end = _shared(reading[::-1], plain[::-1])
    return reading[max(0, start - AROUND) : max(start, len(reading) - end) + AROUND]


def _shared(one: str, other: str) -> int:
    """Give how many characters two texts have in common at their beginning."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[:middle] == other[:middle] else (least, middle - 1)
    return least


@cache
def default_guard() -> Guard:
    """Give the guard with the rules that are shipped."""
    return Guard(rules=packaged_rules(), frames=packaged_frames())


def guard_of(extra: Sequence[Mapping[str, Any]], *, compiles: Callable[[str], Sought] = backtracking) -> Guard:
    """Give the guard with the shipped rules and more of them.

    Args:
        extra: Rows with `family`, `pattern`, `yes` (texts that it must find) and `no` (texts that it must not), and
            what else a row of `memory/guard/rules` may have.
        compiles: What makes their patterns something that can be looked for. Rows that somebody else writes need one in
            which no pattern can take for ever.

    Raises:
        GuardError: A row cannot be used, or does not do what its samples say; nothing is guarded half.
    """
    rows = [
        _checked(row, at=f"Row {number} of the extra rules", compiles=compiles) for number, row in enumerate(extra, 1)
    ]
    return Guard(rules=(*rows, *packaged_rules()), frames=packaged_frames())


def attack_in(text: str, *, source: Source = "user") -> Attack | None:
    """Say what orders a text gives to a model by the shipped rules, or None; see `Guard.attack_in`."""
    return default_guard().attack_in(text, source=source)


def contradictions(rule: Rule) -> list[str]:
    """Say which of a rule's samples it does not treat as they are labelled."""
    alone = Guard(rules=(rule,), frames=packaged_frames())
    source = rule.sources[0]
    missed = [f"misses its `yes` sample {text!r}" for text in rule.yes if not alone.attack_in(text, source=source)]
    return missed + [f"finds its `no` sample {text!r}" for text in rule.no if alone.attack_in(text, source=source)]


def _checked(row: Mapping[str, Any], *, at: str, compiles: Callable[[str], Sought]) -> Rule:
    if not isinstance(row, Mapping):
        raise GuardError(f"{at} is {row!r}; write a mapping with family, pattern, yes and no.")
    rule = rule_of(row, at=at, compiles=compiles)
    if not rule.yes:
        raise GuardError(f"{at} has no `yes` sample; write at least one text that {rule.patterns!r} must find.")
    alone = Guard(rules=(rule,), frames=())
    ordinary = next((text for text in ORDINARY if alone.attack_in(text)), None)
    if ordinary is not None:
        raise GuardError(f"{at} finds {ordinary!r}, an ordinary sentence; make {rule.patterns!r} ask for more.")
    wrong = contradictions(rule)
    if wrong:
        raise GuardError(f"{at} {wrong[0]}; correct its pattern {rule.patterns!r} or the sample.")
    return rule
