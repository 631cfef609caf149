"""Drafting: what of a model's answer may be proposed; the model suggests, the user's own words decide.

A draft quotes this turn's message, its key is known, whoever it is about is named there, and its value stands in the quote.
What a model adds, negates, guesses or takes back by itself is dropped and counted. What remains goes the way of what
the rules proposed, through the gate (memory/gate.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from memory.clauses import Clause
from memory.confidence import EXPLICIT
from memory.drafting_fit import fits
from memory.drafting_heard import Heard, hear, says
from memory.drafting_signs import is_negated, puts_right
from memory.extraction_schema import Extraction, ProposedMemory
from memory.fence import unescaped
from memory.keys import ASKED_FOR, Keys, KeySpec
from memory.kinds import TAKES_AWAY, Act, Draft
from memory.pasted import own_words
from memory.powers import is_role
from memory.privacy import fold
from memory.same.identity import identity
from memory.surrogates import unmasked
from memory.taking_back import unmistakably_takes_back
from memory.times import beginning_of, resolve_dates
from memory.values import normalised

DropReason = Literal[
    "too_many",
    "not_the_users_words",
    "unknown_key",
    "nobody_named",
    "not_in_the_quote",
    "not_in_vocabulary",
    "permission_or_order",
    "not_what_the_key_means",
    "unreal",
    "negated",
    "not_taken_back",
]

MAX_DRAFTS = 20
CODE_CHARS = 2
"""So long are codes such as `it`, which are words in a sentence too."""
NAMED = ("person.", "pet.", "thing.")
DATED = frozenset({"user.plan", "user.todo", "user.goal", ASKED_FOR})


@dataclass(frozen=True, kw_only=True)
class Drafted:
    """What may be proposed, and why the rest was dropped."""

    drafts: tuple[Draft, ...] = ()
    dropped: tuple[DropReason, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Claim:
    """A proposed memory with what the user said of it."""

    proposed: ProposedMemory
    value: str
    spec: KeySpec
    heard: Heard
    quote: str
    telling: tuple[Clause, ...]

    @property
    def clauses(self) -> str:
        return " ".join(self.heard.said(each) for each in self.telling)

    @property
    def sentences(self) -> str:
        return " ".join(dict.fromkeys(self.heard.sentence(each) for each in self.telling))


def drafts_of(extraction: Extraction, text: str, *, keys: Keys, said_at: datetime | None, timezone: str) -> Drafted:
    """Make drafts of a model's answer.

    Args:
        extraction: What the model said of the message.
        text: The message, as the model saw it: redacted.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    heard = hear(own_words(text))
    return drafts_heard(extraction, heard, keys=keys, said_at=said_at, timezone=timezone)


def drafts_heard(
    extraction: Extraction,
    heard: Heard,
    *,
    keys: Keys,
    said_at: datetime | None,
    timezone: str,
    needs_signs: bool = True,
) -> Drafted:
    """Make drafts of proposals about a message that was heard already; see `drafts_of`.

    Args:
        extraction: What is said of the message.
        heard: The user's own words in it.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        needs_signs: Whether the words must show by a sign of ours that they mean the key.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    judged = [_judged(each, heard, keys, needs_signs) for each in extraction.memories[:MAX_DRAFTS]]
    claims = [each for each in judged if isinstance(each, _Claim)]
    surplus: list[DropReason] = ["too_many"] * (len(extraction.memories) - len(judged))
    return Drafted(
        drafts=tuple(_unrepeated(_draft(each, said_at, timezone) for each in claims)),
        dropped=(*(each for each in judged if not isinstance(each, _Claim)), *surplus),
    )


def merged(by_rules: Sequence[Draft], by_model: Iterable[Draft], *, keys: Keys) -> tuple[Draft, ...]:
    """Add a model's drafts to those of the rules, which have the last word on what they found themselves."""
    return (*by_rules, *(each for each in by_model if not any(_is_told(each, rule, keys) for rule in by_rules)))


def _is_told(draft: Draft, rule: Draft, keys: Keys) -> bool:
    """Say whether the rules told it: the same value, another of what can be but one, or more or less of its words."""
    spec = keys.spec(draft.key)
    if draft.key != rule.key or spec is None:
        return False
    if spec.single or _form(draft, spec) == _form(rule, spec):
        return True
    return not spec.always and (says(draft.value, rule.value) or says(rule.value, draft.value))


def _form(draft: Draft, spec: KeySpec) -> str:
    return identity(draft.value, key=draft.key, spec=spec)


def _judged(proposed: ProposedMemory, heard: Heard, keys: Keys, needs_signs: bool) -> _Claim | DropReason:
    key, value, quote = proposed.key.strip(), unescaped(proposed.value.strip()), unescaped(proposed.quote)
    spec = keys.spec(key)
    if spec is None:
        return "unknown_key"
    span = heard.words_of(quote) if proposed.source == "user" else None
    telling = heard.telling(span, value) if span else ()
    if span is None or not telling:
        return "not_the_users_words"
    canonical = spec.canonical(value) if value else ""
    if canonical is None:
        return "not_in_vocabulary"
    said = heard.text[span[0] : span[1]].strip()
    named = proposed.model_copy(update={"key": key})
    claim = _Claim(proposed=named, value=canonical, spec=spec, heard=heard, quote=said, telling=telling)
    return _objection(claim, keys, needs_signs) or claim


def _objection(claim: _Claim, keys: Keys, needs_signs: bool) -> DropReason | None:
    """Say what speaks against a claim, the first thing that does."""
    takes_back = claim.proposed.act in TAKES_AWAY
    about = claim.proposed.key.rpartition(".")[2]
    objections: tuple[tuple[DropReason, Callable[[], bool]], ...] = (
        ("unreal", lambda: any(each.unreal for each in claim.telling)),
        ("nobody_named", lambda: not _names_who(claim)),
        ("not_in_the_quote", lambda: not _is_said(claim)),
        ("permission_or_order", lambda: is_role(unmasked(claim.value))),
        ("not_taken_back", lambda: takes_back and not _is_taken_back(claim, keys)),
        ("negated", lambda: not takes_back and is_negated(claim.clauses, fold(claim.value).lower(), about=about)),
        ("not_what_the_key_means", lambda: needs_signs and not takes_back and not _fits(claim)),
    )
    return next((reason for reason, applies in objections if applies()), None)


def _names_who(claim: _Claim) -> bool:
    """Say whether the person, pet or thing of the key is named by the user in this message."""
    if not claim.proposed.key.startswith(NAMED):
        return True
    return says(claim.heard.text, claim.proposed.key.split(".")[1])


def _is_said(claim: _Claim) -> bool:
    """Say whether the value stands in the quote, or one of the ways to say it where its words are ours.

    Only what is taken back may be left unnamed: all that is held under its key.
    """
    if not claim.value:
        return claim.proposed.act in TAKES_AWAY
    if not claim.spec.values:
        return says(claim.quote, claim.value)
    ways = (claim.value, *claim.spec.values[claim.value])
    return any(says(claim.quote, way) for way in ways if len(way) > CODE_CHARS or not way.isascii())


def _fits(claim: _Claim) -> bool:
    """Say whether the quote says what the key means; what is asked to be remembered must have been asked for."""
    if claim.proposed.key == ASKED_FOR:
        return claim.heard.stated(claim.telling) == EXPLICIT
    value = fold(claim.value).lower()
    return any(fits(claim.proposed.key, claim.spec, value, claim.heard.lead(each)) for each in claim.telling)


def _is_taken_back(claim: _Claim, keys: Keys) -> bool:
    key = claim.proposed.key
    labels = (keys.label(key, "zh"), keys.label(key, "en"))
    said = (claim.heard.said(each) for each in claim.telling)
    return any(unmistakably_takes_back(each, key, claim.value, labels=labels, spec=claim.spec) for each in said)


def _draft(claim: _Claim, said_at: datetime | None, timezone: str) -> Draft:
    proposed = claim.proposed
    confidence = min(max(proposed.confidence, 0.0), 1.0)
    day = _day(claim, said_at, timezone)
    return Draft(
        key=proposed.key,
        value=f"{claim.value} ({day.isoformat()})" if day else claim.value,
        confidence=confidence if proposed.act in TAKES_AWAY else min(confidence, claim.heard.stated(claim.telling)),
        quote=claim.quote,
        act=_act(claim),
        said_at=said_at,
        happens_at=beginning_of(day, timezone) if day else None,
    )


def _act(claim: _Claim) -> Act:
    """Take a correction, which replaces at once, for a plain statement where nothing in its sentence puts anything right."""
    act = claim.proposed.act
    return "state" if act == "correct" and not puts_right(claim.sentences) else act


def _day(claim: _Claim, said_at: datetime | None, timezone: str) -> date | None:
    """Give the day that a plan's words name."""
    when = claim.proposed.when
    if claim.proposed.key not in DATED or claim.proposed.act in TAKES_AWAY:
        return None
    phrase = when if when and says(claim.sentences, when) else claim.value
    days = resolve_dates(phrase, said_at=said_at, timezone=timezone)
    return days[0][1] if days else None


def _unrepeated(drafts: Iterable[Draft]) -> list[Draft]:
    kept: dict[tuple[str, str], Draft] = {}
    for each in drafts:
        kept.setdefault((each.key, normalised(each.value)), each)
    return list(kept.values())
