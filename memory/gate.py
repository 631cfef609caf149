"""The write gate: default is not to write; what passes is the user's own lasting statement."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memory.asked_for import AskedReason, objection_to
from memory.asking import tells_after_asking
from memory.diet_rules import beside_the_diet
from memory.forget_requests import is_forget_request
from memory.keys import ASKED_FOR, Keys, KeySpec
from memory.kinds import TAKES_AWAY, Draft
from memory.orders import grants_something, is_no_name, is_standing_order
from memory.pasted import own_words
from memory.powers import claims_office, claims_power, is_role, orders_answers, recasts_agent
from memory.quoting import Passage, find_passage, folded
from memory.reported import directs
from memory.rulings import is_record, spares_checks
from memory.signs import (
    asks_for_good,
    asks_to_be_called,
    begins_now,
    is_about_others,
    is_business_truth,
    is_for_once,
    is_hypothetical,
    is_joke,
    is_once_after_all,
    is_question,
    is_request,
)
from memory.standing import OWN_SOURCES
from memory.surrogates import unmasked, visible
from memory.taking_back import may_take_back
from memory.values import normalised

Reason = Literal[
    "unknown_key",
    "low_confidence",
    "too_little",
    "not_the_users_words",
    "secret",
    "permission_or_order",
    "question",
    "hypothetical",
    "joke",
    "one_off",
    "third_party_as_user",
    "business_truth",
    "not_in_vocabulary",
    "not_taken_back",
]

MIN_CONFIDENCE = 0.4
NAME_KEY = "user.name"
IDENTIFIERS = "ref."
STANDINGS = frozenset({"user.occupation", "user.employer"})
"""What lends the user's words a weight: a standing claimed in one breath with a rule is part of the rule."""
ABOUT_OTHERS_TOO = frozenset({"user.family", ASKED_FOR})

_HOLLOW = frozenset(
    [
        "我",
        "你",
        "您",
        "他",
        "她",
        "它",
        "我们",
        "你们",
        "他们",
        "她们",
        "自己",
        "这",
        "那",
        "这个",
        "那个",
        "这里",
        "那里",
        "这样",
        "那样",
        "什么",
        "谁",
        "哪里",
        "的",
        "了",
        "未知",
        "不详",
        "不知道",
        "没有",
        "无",
        "暂无",
        "i",
        "me",
        "my",
        "you",
        "he",
        "she",
        "it",
        "they",
        "them",
        "we",
        "us",
        "this",
        "that",
        "these",
        "those",
        "here",
        "there",
        "something",
        "someone",
        "what",
        "who",
        "which",
        "none",
        "null",
        "n/a",
        "na",
        "nil",
        "unknown",
        "undefined",
        "tbd",
    ]
)
_PLACEHOLDER = re.compile(
    r"(?:(?:\[[^\[\]]{1,40}\]|<[^<>]{1,40}>|【[^【】]{1,40}】|\{\{?[^{}]{1,40}\}?\}|⟨[^⟨⟩]{1,40}⟩|[*•█x]{3,}+|redacted)\s*+)++",
    re.IGNORECASE,
)
_SECRET_SHAPE = re.compile(
    r"\b(?:sk|pk|rk)[-_][\w-]{12,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w+|\bxox[abprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z\d]{16}"
    r"|\bAIza[\w-]{30,}|\beyJ[\w-]{10,2000}\.[\w-]{10,}|-----BEGIN|\bBearer\s+\S{16,}|\b[\w+.-]{1,20}://[^\s/:@]{1,200}:[^\s/@]{1,200}@"
)
_SECRET_SAID = re.compile(
    r"(?:密码(?!学)|口令|验证码|密钥|\bpasswords?|\bpasscode|\bpasswd|\bpwd|\bpin(?: code| number)|\bapi[ _-]?key|\bsecret(?: key)?|\baccess token)"
    r"\s*(?:是|为|叫|改成|改为|is|was|are|to|:|=)"
)
_NO_FUTURE = re.compile(r"(?<=了)以后")
_LONG_RANDOM = re.compile(r"\A(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z\d+/=_-]{24,}|\A[0-9a-fA-F]{32,}")


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A draft that is not kept, and why; reasons are counted."""

    reason: Reason
    draft: Draft


@dataclass(frozen=True, kw_only=True)
class _Case:
    draft: Draft
    spec: KeySpec
    passage: Passage

    @property
    def rendered(self) -> bool:
        """Say whether the value is put into words by us, so that it may rest on a wish to the agent."""
        return bool(self.spec.values) or self.draft.key == NAME_KEY

    @property
    def mentioned(self) -> bool:
        """Say whether it is an identifier, which a question or a request names as well as a statement."""
        return self.draft.key.startswith(IDENTIFIERS)


def judge(draft: Draft, *, keys: Keys, heard: Sequence[str]) -> Draft | Refused:
    """Let a draft through, its value trimmed and in its vocabulary's form, or refuse it.

    How the user wishes to be called from now on corrects what they were called before.
    A retraction only takes away, so for it only key, confidence, whose words it is and whether they take back are judged.

    Args:
        draft: What extraction proposed.
        keys: What may be kept.
        heard: The user's own messages of the thread, oldest first; the quote must stand in one.
    """
    draft = beside_the_diet(replace(draft, value=visible(draft.value), quote=visible(draft.quote)))
    if draft.act == "forget" and is_forget_request(draft.quote):
        return _forgotten(draft, heard)
    spec = keys.spec(draft.key)
    if spec is None or draft.key != visible(draft.key):
        return Refused(reason="unknown_key", draft=draft)
    if draft.confidence < MIN_CONFIDENCE:
        return Refused(reason="low_confidence", draft=draft)
    if draft.act not in TAKES_AWAY and _says_too_little(draft.value, spec):
        return Refused(reason="too_little", draft=draft)
    passage = _passage_of(draft, spec, heard)
    if passage is None:
        return Refused(reason="not_the_users_words", draft=draft)
    case = _Case(draft=draft, spec=spec, passage=passage)
    return _taken_back(case) if draft.act in TAKES_AWAY else _judged(case)


def _forgotten(draft: Draft, heard: Sequence[str]) -> Draft | Refused:
    """Let a request to forget what was said, or somebody, through where the user makes it in their own words."""
    own = [own_words(each) for each in heard]
    if draft.source in OWN_SOURCES and find_passage(draft.quote, "", own) is not None:
        return draft
    return Refused(reason="not_the_users_words", draft=draft)


def _taken_back(case: _Case) -> Draft | Refused:
    """Let a retraction through unless the user asks to keep it, or says nothing that ends what could do harm."""
    draft = case.draft
    if may_take_back(case.passage.clauses, draft.key, folded(draft.value), spec=case.spec):
        return draft
    return Refused(reason="not_taken_back", draft=draft)


def _judged(case: _Case) -> Draft | Refused:
    reason = next((reason for reason, applies in _OBJECTIONS if applies(case)), None) or _asked_for(case)
    if reason:
        return Refused(reason=reason, draft=case.draft)
    kept = case.spec.canonical(case.draft.value)
    if kept is None:
        return Refused(reason="not_in_vocabulary", draft=case.draft)
    return replace(case.draft, value=kept, act="correct" if _calls_anew(case) else case.draft.act)


def _calls_anew(case: _Case) -> bool:
    """Say whether the user states how to call them from now on, so that it takes the old name's place at once."""
    said = " ".join(case.passage.clauses)
    return case.draft.key == NAME_KEY and case.draft.act == "state" and asks_to_be_called(said) and begins_now(said)


def _says_too_little(value: str, spec: KeySpec) -> bool:
    plain = normalised(value)
    if len(value.strip()) > spec.max_chars or (plain in _HOLLOW and spec.canonical(value) not in spec.values):
        return True
    return not any(char.isalnum() or unicodedata.category(char) == "So" for char in plain)


def _passage_of(draft: Draft, spec: KeySpec, heard: Sequence[str]) -> Passage | None:
    """Find the draft's words; what must be verbatim (names, identifiers) must stand in the quote."""
    if draft.source not in OWN_SOURCES:
        return None
    if spec.verbatim and normalised(draft.value) not in normalised(draft.quote):
        return None
    own = heard if draft.key.startswith(IDENTIFIERS) else [own_words(each) for each in heard]
    return find_passage(draft.quote, draft.value, own)


def _is_secret(case: _Case) -> bool:
    value = case.draft.value.strip()
    if _PLACEHOLDER.fullmatch(value) or _SECRET_SHAPE.search(value):
        return True
    if not case.mentioned and _LONG_RANDOM.fullmatch(value):
        return True
    return any(_SECRET_SAID.search(text) for text in (folded(value), *case.passage.clauses))


def _orders_the_agent(case: _Case) -> bool:
    if _names_nobody(case.draft) or (case.draft.key == ASKED_FOR and directs(_NO_FUTURE.sub("之后", case.draft.value))):
        return True
    value, key = folded(case.draft.value), folded(case.draft.key)
    plain = (value, key, f"{key} {value}".replace(".", " "), case.passage.lead)
    said = {text: None for each in plain for text in (each, unmasked(each))}
    if any(grants_something(text) or claims_power(text) for text in said) or is_role(value) or is_role(unmasked(value)):
        return True
    if _lends_weight(case) or _is_cast(case):
        return True
    return not case.rendered and any(is_standing_order(text) or orders_answers(text) for text in said)


def _lends_weight(case: _Case) -> bool:
    """Say whether the user claims a standing in the agent's house, or one that is to carry a rule in the same message."""
    if case.draft.key not in STANDINGS:
        return False
    said = " ".join((case.passage.lead, *case.passage.clauses))
    following = _following(case.passage)
    return claims_office(said) or grants_something(following) or claims_power(following) or spares_checks(following)


def _is_cast(case: _Case) -> bool:
    """Say whether somebody is named as whom the agent is to be, or a number as that of a record about the user."""
    if case.mentioned:
        return is_record(case.passage.lead) or is_record(case.passage.rest)
    return not case.rendered and recasts_agent(case.passage.lead)


def _names_nobody(draft: Draft) -> bool:
    """Say whether what is kept as a name is a role in the system or an order."""
    first, *segments = draft.key.split(".")
    names = [draft.value] if draft.key == NAME_KEY or segments[-1:] in (["name"], ["nickname"]) else []
    return any(is_no_name(unmasked(name).strip()) for name in [*names, *segments[: first == "person"]])


def _is_asked(case: _Case) -> bool:
    lead = case.passage.lead
    wished = asks_to_be_called(lead) if case.draft.key == NAME_KEY else asks_for_good(lead)
    if case.mentioned or (case.rendered and wished):
        return False
    return is_question(case.passage.clauses) and not tells_after_asking(lead)


def _is_one_off(case: _Case) -> bool:
    lead, clauses = case.passage.lead, case.passage.clauses
    if is_for_once(lead) or is_once_after_all(_following(case.passage)):
        return True
    return not case.mentioned and is_request(lead, clauses)


def _following(passage: Passage) -> str:
    """Give what was said after the clauses, in their message."""
    at = 0
    for clause in passage.clauses:
        at = passage.rest.index(clause, at) + len(clause)
    return passage.rest[at:]


def _is_about_others(case: _Case) -> bool:
    if not case.draft.key.startswith(("user.", "pref.")) or case.draft.key in ABOUT_OTHERS_TOO:
        return False
    before, _, _ = case.passage.lead.partition(folded(case.draft.value))
    return is_about_others(before)


def _is_business_truth(case: _Case) -> bool:
    key = " ".join(case.draft.key.split(".")[1:])
    return any(is_business_truth(folded(text)) for text in (case.draft.value, key))


def _asked_for(case: _Case) -> AskedReason | None:
    """Say what speaks against what the user only asked to have remembered."""
    if case.draft.key != ASKED_FOR:
        return None
    return objection_to(case.draft.value, lead=case.passage.lead)


_OBJECTIONS: tuple[tuple[Reason, Callable[[_Case], bool]], ...] = (
    ("secret", _is_secret),
    ("permission_or_order", _orders_the_agent),
    ("question", _is_asked),
    ("hypothetical", lambda case: is_hypothetical(case.passage.lead)),
    ("joke", lambda case: is_joke(case.passage.rest, case.passage.after)),
    ("one_off", _is_one_off),
    ("third_party_as_user", _is_about_others),
    ("business_truth", _is_business_truth),
)
