"""Portrait: what is known of a user in a glance, in the language of their facts and in at most 200 characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from memory.decay import BELIEVED_FROM, effective_confidence
from memory.keys import Keys, KeySpec, Language
from memory.kinds import Fact
from memory.values import normalised
from memory.views import is_over
from memory.words import has_cjk

MAX_CHARS = 200
BOTH = " / "
Section = Literal["who", "likes", "talk"]

_PREFERENCES = "pref."
_PURSUITS = frozenset({"user.hobby", "user.habit", "user.learning"})
_NO_TRAITS = frozenset({"ref.*", "user.todo"})
"""An order number or an errand is remembered, but says nothing about who somebody is."""
_CODE_CHARS = 2


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How much is kept of a user; `past` are facts that are not believed now, `waiting` what waits for review."""

    episodes: int = 0
    facts: int = 0
    past: int = 0
    waiting: int = 0
    last_at: datetime | None = None

    @property
    def is_new(self) -> bool:
        """Say whether nothing is remembered of the user, nor ever was."""
        return not (self.episodes or self.facts or self.past)


@dataclass(frozen=True, kw_only=True)
class Portrait:
    """A portrait's text and the facts that stand in it, surest first."""

    text: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Trait:
    """A fact as it is written."""

    fact: Fact
    section: Section
    label: str
    value: str


@dataclass(frozen=True, kw_only=True)
class _Texts:
    headings: Mapping[Section, str]
    between_values: str
    between_facts: str
    new: str
    nothing_sure: str
    tally: str
    time_unknown: str


_TEXTS: Mapping[Language, _Texts] = {
    "zh": _Texts(
        headings={"who": "基本特征：", "likes": "兴趣偏好：", "talk": "交互模式："},
        between_values="、",
        between_facts="；",
        new="新用户，暂无历史",
        nothing_sure="还没有足够确定的了解",
        tally="对话 {episodes} 条，事实 {facts} 条，待确认 {waiting} 条；最近一次交互：{last}",
        time_unknown="时间不详",
    ),
    "en": _Texts(
        headings={"who": "Who they are: ", "likes": "What they like: ", "talk": "How to talk to them: "},
        between_values=", ",
        between_facts="; ",
        new="A new user: nothing is remembered yet.",
        nothing_sure="Nothing is known for sure yet.",
        tally="episodes: {episodes}, facts: {facts}, waiting for review: {waiting}; last interaction: {last}",
        time_unknown="time unknown",
    ),
}


def portrait_of(
    facts: Iterable[Fact],
    tally: Tally,
    *,
    keys: Keys,
    language: Language | None,
    now: datetime,
    sensitive: bool = False,
    max_chars: int = MAX_CHARS,
) -> Portrait:
    """Draw a user from what is believed of them, the surest first, whole facts only.

    A fact that does not fit gives way to a less sure one that does. Where there is nothing to draw, the text says so,
    and says whether the user is new.

    Args:
        facts: What is held; only what is active and still sure enough for a prompt is shown.
        tally: How much is kept.
        keys: The families, which say what a fact is called and whether it is sensitive.
        language: In which it is written; None: nothing tells, and what there is to say is said in both.
        now: As of when.
        sensitive: Sensitive facts are shown too.
        max_chars: How long the text of facts may be.
    """
    written = language or "en"
    sure = _sure(facts, keys=keys, now=now, sensitive=sensitive)
    shown = _fitting([_trait(fact, keys, written) for fact in sure], written, max_chars)
    if shown:
        return Portrait(text=_drawn(shown, written), facts=tuple(trait.fact for trait in shown))
    told = [_TEXTS[one] for one in _either(language)]
    return Portrait(text=BOTH.join(texts.new if tally.is_new else texts.nothing_sure for texts in told))


def tally_line(tally: Tally, language: Language | None) -> str:
    """Say in a line how much is kept and when the user was last heard, in UTC; in both languages where neither is known."""
    return BOTH.join(_tallied(tally, _TEXTS[one]) for one in _either(language))


def told_in(facts: Iterable[Fact], words: Iterable[str], *, keys: Keys) -> Language | None:
    """Say in which language a user is told about: Chinese where any value is; None where nothing tells.

    Args:
        facts: What is believed; values of a closed vocabulary are ours and tell nothing.
        words: What the user said, which decides where no fact does.
        keys: The families.
    """
    specs = [(fact.value, keys.spec(fact.key)) for fact in facts]
    values = [value for value, spec in specs if spec is None or not spec.values]
    telling = values or [text for text in words if text.strip()]
    if not telling:
        return None
    return "zh" if any(map(has_cjk, telling)) else "en"


def _sure(facts: Iterable[Fact], *, keys: Keys, now: datetime, sensitive: bool) -> list[Fact]:
    """Give what may be shown, each once; what is equally sure in the order in which the families are listed."""
    places = {spec.pattern: place for place, spec in enumerate(keys.specs)}
    ranked: list[tuple[float, int, str, str, Fact]] = []
    for fact in facts:
        spec = keys.spec(fact.key)
        if spec is None or fact.status != "active" or is_over(fact, spec, now):
            continue
        if not _may_show(fact, spec, sensitive=sensitive):
            continue
        confidence = effective_confidence(fact, spec=spec, now=now)
        if confidence >= BELIEVED_FROM:
            ranked.append((-round(confidence, 2), places[spec.pattern], fact.key, fact.value, fact))
    once: dict[tuple[str, str], Fact] = {}
    for *_, fact in sorted(ranked, key=lambda one: one[:-1]):
        once.setdefault((fact.key, normalised(fact.value)), fact)
    return list(once.values())


def _may_show(fact: Fact, spec: KeySpec, *, sensitive: bool) -> bool:
    return spec.pattern not in _NO_TRAITS and (sensitive or "sensitive" not in (fact.sensitivity, spec.sensitivity))


def _trait(fact: Fact, keys: Keys, language: Language) -> _Trait:
    spec = keys.spec(fact.key)
    return _Trait(
        fact=fact,
        section=_section_of(fact.key, spec),
        label=keys.label(fact.key, language),
        value=_shown(fact.value, spec, language),
    )


def _fitting(traits: Iterable[_Trait], language: Language, max_chars: int) -> list[_Trait]:
    shown: list[_Trait] = []
    for trait in traits:
        if len(_drawn([*shown, trait], language)) <= max_chars:
            shown.append(trait)
    return shown


def _drawn(traits: Sequence[_Trait], language: Language) -> str:
    """Write a line for each section that has traits, the values of one label together."""
    texts = _TEXTS[language]
    sections = {section: [trait for trait in traits if trait.section == section] for section in texts.headings}
    return "\n".join(texts.headings[section] + _listed(ours, texts) for section, ours in sections.items() if ours)


def _listed(traits: Iterable[_Trait], texts: _Texts) -> str:
    labelled: dict[str, list[str]] = {}
    for trait in traits:
        labelled.setdefault(trait.label, []).append(trait.value)
    return texts.between_facts.join(
        f"{label} {texts.between_values.join(values)}" for label, values in labelled.items()
    )


def _section_of(key: str, spec: KeySpec | None) -> Section:
    """Say where a fact belongs; a preference that stands in every prompt is about the answers themselves."""
    if key.startswith(_PREFERENCES):
        return "talk" if spec is not None and spec.always else "likes"
    return "likes" if key in _PURSUITS else "who"


def _shown(value: str, spec: KeySpec | None, language: Language) -> str:
    """Give a value on one line; one of a closed vocabulary as it is said in the language, where that is known."""
    others = spec.values.get(value, ()) if spec is not None else ()
    ways = (value, *others) if others else ()
    return " ".join(next((way for way in ways if _is_word_of(way, language)), value).split())


def _is_word_of(text: str, language: Language) -> bool:
    """Tell whether somebody who reads the language reads this; a code such as `de` is no word."""
    return has_cjk(text) if language == "zh" else not has_cjk(text) and len(text) > _CODE_CHARS


def _either(language: Language | None) -> tuple[Language, ...]:
    return (language,) if language else ("zh", "en")


def _tallied(tally: Tally, texts: _Texts) -> str:
    last = texts.time_unknown if tally.last_at is None else f"{tally.last_at.astimezone(UTC):%Y-%m-%d %H:%M}"
    return texts.tally.format(episodes=tally.episodes, facts=tally.facts, waiting=tally.waiting, last=last)
