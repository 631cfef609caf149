"""Drafting: what of a model's answer may be proposed; the model suggests, the user's own words decide.

A draft quotes this turn's message, its key is known, whoever it is about is named there, and its value stands in the quote.
What a model adds, negates, guesses or takes back by itself is dropped and counted. What remains goes the way of what
the rules proposed, through the gate (memory/gate.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from memory.believed.heard import same
from memory.believed.meant import is_alike, is_narrower, meant, replaced
from memory.clauses import Clause
from memory.confidence import EXPLICIT
from memory.drafting_fit import fits
from memory.drafting_heard import Heard, hear, says
from memory.drafting_signs import is_negated, names_another, puts_right
from memory.extraction_schema import Extraction, ProposedMemory
from memory.fence import unescaped
from memory.keys import ASKED_FOR, Keys, KeySpec
from memory.kin import words_for
from memory.kinds import TAKES_AWAY, Act, Draft, Fact
from memory.pasted import own_words
from memory.powers import is_role
from memory.privacy import fold
from memory.rules import rule_books
from memory.same.identity import identity
from memory.surrogates import unmasked
from memory.tagging.witness import Ask, Witness, knows_nothing
from memory.taking_back import is_harmful, unmistakably_takes_back
from memory.times import beginning_of, resolve_dates
from memory.values import normalised
from memory.words import CJK

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
    "somebody_elses",
    "not_taken_back",
]

MAX_DRAFTS = 20
_NAMING = re.compile(rf"[^\W\d_]{{4,}}|[{CJK}]{{2}}")
"""Words of the name of a thing by which it is known: what is called "flight to Oslo" may be said to be a flight, or Oslo."""
_SAYS = r"(?:(?: \w+)? (?:says?|said|tells|told|thinks?|thought|swears|claims|insists|announced)(?![a-z])|(?:今天|昨天|刚才|自己|跟我|和我|对我|总|老|又)*说)"
CODE_CHARS = 2
"""So long are codes such as `it`, which are words in a sentence too."""
NAMED = ("person.", "pet.", "thing.")
SIGNS_ALONE = frozenset({"user.name"})
"""Whoever is called by another's name hears it in every reply."""
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
    witness: Witness | None

    @property
    def clauses(self) -> str:
        return " ".join(self.heard.said(each) for each in self.telling)

    @property
    def sentences(self) -> str:
        return " ".join(dict.fromkeys(self.heard.sentence(each) for each in self.telling))


def drafts_of(
    extraction: Extraction,
    text: str,
    *,
    keys: Keys,
    said_at: datetime | None,
    timezone: str,
    believed: Sequence[Fact] = (),
    witness: Ask = knows_nothing,
) -> Drafted:
    """Make drafts of a model's answer.

    Args:
        extraction: What the model said of the message.
        text: The message, as the model saw it: redacted.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        believed: What is believed of the user: of that something may have ended, named in other words.
        witness: Is asked what the words say on which a proposal rests.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    heard = hear(own_words(text))
    made = drafts_heard(extraction, heard, keys=keys, said_at=said_at, timezone=timezone, witness=witness)
    return replace(made, drafts=tuple(each for draft in made.drafts for each in _in_view_of(draft, believed)))


def _in_view_of(draft: Draft, believed: Sequence[Fact]) -> Iterator[Draft]:
    """Take back what is believed and meant, where it is not kept in the words in which it is said to have ended.

    A correction takes back the one value beside it that is much like the new one (50 books, 24 books).
    """
    held = any(fact.key == draft.key and same(fact.value, draft.value, fact.key) for fact in believed)
    held = held and not draft.key.endswith(".health")  # of 贫血 and 中度贫血 both are over
    named = () if draft.act != "retract" or not draft.value or held else meant(draft.value, draft.key, believed)
    others = [replace(draft, key=fact.key, value=fact.value) for fact in named]
    yield from others or [draft]
    if draft.act == "correct" and not held:
        yield from (
            replace(draft, act="retract", value=one.value) for one in replaced(draft.value, draft.key, believed)
        )


def drafts_heard(
    extraction: Extraction,
    heard: Heard,
    *,
    keys: Keys,
    said_at: datetime | None,
    timezone: str,
    needs_signs: bool = True,
    witness: Ask = knows_nothing,
) -> Drafted:
    """Make drafts of proposals about a message that was heard already; see `drafts_of`.

    Args:
        extraction: What is said of the message.
        heard: The user's own words in it.
        keys: What may be kept.
        said_at: When it was said; None leaves plans without their date.
        timezone: Where the user is; it decides what day "明天" is.
        needs_signs: Whether the words must show by a sign of ours, or by what the witness says, that they mean the key.
        witness: Is asked what the words say on which a proposal rests.

    Raises:
        TimezoneError: A plan must be dated and the time zone is not known.
    """
    judged = [_judged(each, heard, keys, needs_signs, witness) for each in extraction.memories[:MAX_DRAFTS]]
    claims = [each for each in judged if isinstance(each, _Claim)]
    surplus: list[DropReason] = ["too_many"] * (len(extraction.memories) - len(judged))
    return Drafted(
        drafts=tuple(_unrepeated(_draft(each, said_at, timezone) for each in claims)),
        dropped=(*(each for each in judged if not isinstance(each, _Claim)), *surplus),
    )


def merged(by_rules: Sequence[Draft], by_model: Iterable[Draft], *, keys: Keys) -> tuple[Draft, ...]:
    """Add a model's drafts to those of the rules.

    The rules have the last word on what they found themselves, but for how many words are the value, and for the key among
    those of one kind: a model knows that a Corolla is a car, and what is somebody's rank.
    """
    told, added = list(by_rules), []
    for each in by_model:
        at = next((at for at, rule in enumerate(told) if _is_told(each, rule, keys)), None)
        if at is None:
            added.append(each)
        elif _is_told_better(each, told[at]):
            told[at] = replace(told[at], key=each.key, value=each.value, quote=each.quote)
    return (*told, *added)


def _is_told(draft: Draft, rule: Draft, keys: Keys) -> bool:
    """Say whether the rules told it: the same value, another of what can be but one, or more or less of its words."""
    spec = keys.spec(draft.key)
    if spec is None or not is_alike(draft.key, rule.key):
        return False
    if (draft.act in TAKES_AWAY) != (rule.act in TAKES_AWAY):
        return draft.act in TAKES_AWAY and draft.key == rule.key and spec.single
    if draft.act in TAKES_AWAY or _form(draft, spec) == _form(rule, spec):
        return _form(draft, spec) == _form(rule, spec)
    if draft.key == rule.key and spec.single:
        return True
    if draft.key != rule.key and rule.happens_at is not None:
        return False
    return not spec.always and _overlap(draft, rule)


def _is_told_better(draft: Draft, rule: Draft) -> bool:
    """Say whether a model tells more or fewer of the same words, under the same key or one of its kind."""
    if draft.act in TAKES_AWAY or rule.happens_at is not None:
        return False
    if draft.key == rule.key:
        return draft.value != rule.value and _overlap(draft, rule)
    return not is_narrower(rule.key, draft.key) and _overlap(draft, rule)


def _overlap(draft: Draft, rule: Draft) -> bool:
    return says(rule.value, draft.value) or says(draft.value, rule.value)


def _form(draft: Draft, spec: KeySpec) -> str:
    return identity(draft.value, key=draft.key, spec=spec)


def _judged(proposed: ProposedMemory, heard: Heard, keys: Keys, needs_signs: bool, witness: Ask) -> _Claim | DropReason:
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
    place = next((at for way in _ways(value, canonical, spec) if (at := heard.place_of(way, span))), None)
    claim = _Claim(
        proposed=named,
        value=canonical,
        spec=spec,
        heard=heard,
        quote=said,
        telling=telling,
        witness=witness(*place) if place else None,
    )
    return _objection(claim, keys, needs_signs) or claim


def _objection(claim: _Claim, keys: Keys, needs_signs: bool) -> DropReason | None:
    """Say what speaks against a claim, the first thing that does."""
    takes_back = claim.proposed.act in TAKES_AWAY
    about = claim.proposed.key.rpartition(".")[2]
    objections: tuple[tuple[DropReason, Callable[[], bool]], ...] = (
        ("unreal", lambda: any(each.unreal for each in claim.telling) and not _is_their_word(claim)),
        ("nobody_named", lambda: not _names_who(claim)),
        ("not_in_the_quote", lambda: not _is_said(claim)),
        ("permission_or_order", lambda: is_role(unmasked(claim.value))),
        ("somebody_elses", lambda: _is_somebody_elses(claim, about)),
        ("not_taken_back", lambda: takes_back and not _is_taken_back(claim, keys)),
        ("negated", lambda: not takes_back and _is_denied(claim, about)),
        ("not_what_the_key_means", lambda: needs_signs and not takes_back and not _fits(claim)),
    )
    return next((reason for reason, applies in objections if applies()), None)


def _is_their_word(claim: _Claim) -> bool:
    """Say whether the words are reported, and of the one who said them (Lena says that she quit)."""
    kind, _, rest = claim.proposed.key.partition(".")
    said = claim.sentences
    if kind != "person" or any(
        book.signs.supposed.search(said) or book.signs.joke.search(said) for book in rule_books()
    ):
        return False
    name = rest.split(".")[0]
    ways = "|".join(re.escape(way.casefold()) for way in (name, name.replace("_", " "), *words_for(name)))
    return re.search(rf"(?:{ways}){_SAYS}", said) is not None


def _names_who(claim: _Claim) -> bool:
    """Say whether the person, pet or thing of the key is named by the user in this message."""
    if not claim.proposed.key.startswith(NAMED):
        return True
    kind, name = claim.proposed.key.split(".")[:2]
    ways = (name, name.replace("_", " "), *words_for(name))
    if any(says(claim.heard.text, way) for way in ways):
        return True
    return kind == "thing" and any(says(claim.heard.text, part) for part in _NAMING.findall(name))


def _ways(value: str, canonical: str, spec: KeySpec) -> tuple[str, ...]:
    """Give how a value may stand in what was said: as it was proposed, or one of the ways to say it."""
    return (value, canonical, *spec.values.get(canonical, ()))


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
    key, value = claim.proposed.key, fold(claim.value).lower()
    if claim.witness is not None and key not in SIGNS_ALONE and claim.witness.bears_out(key):
        return True
    return any(fits(key, claim.spec, value, claim.heard.lead(each)) for each in claim.telling)


def _is_somebody_elses(claim: _Claim, about: str) -> bool:
    """Say whether the words speak of somebody else than the key does."""
    key = claim.proposed.key
    if key.startswith("user.") and names_another(claim.clauses, about):
        return True
    ended = claim.proposed.act in TAKES_AWAY
    return claim.witness is not None and claim.witness.is_anothers(key, ended=ended)


def _is_denied(claim: _Claim, about: str) -> bool:
    """Say whether the words say the opposite, or that it holds no more."""
    if claim.witness is not None and claim.witness.has_ended:
        return True
    if not is_negated(claim.clauses, fold(claim.value).lower(), about=about):
        return False
    return claim.witness is None or not claim.witness.bears_out(claim.proposed.key, beside_a_not=True)


def _is_taken_back(claim: _Claim, keys: Keys) -> bool:
    key = claim.proposed.key
    if claim.witness is not None and claim.witness.takes_back(key, surely=is_harmful(key, claim.spec)):
        return True
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
