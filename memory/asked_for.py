"""What a user may ask to have remembered as it is ("remember: the spare key is under the pot").

It stands in prompts for good, so the default is no. Kept is what is about somebody's own life: the user, the people and
animals around them, the things of a household, a day or a place. Not kept is what would rule the agent or others' money: a
power, an assent, what a word means, what hangs on a word that is said, a rule in short hand, what is so for everyone.
Paperwork and money are of one's own life only in what the user has to do, in what falls due, in whom they pay by.

Judged is clause by clause and in every way to read a text. What is refused stays what it was: something once said.
"""

from __future__ import annotations

import re
from typing import Literal

from memory.asked_for_words import lexicon
from memory.guard.readings import folded_readings
from memory.surrogates import unmasked

AskedReason = Literal["permission_or_order", "business_truth"]

ENOUGH = 2
"""Signs of one's own life that a clause needs: whose it is, a thing, what is done or felt, a day, a place."""
HEAD_WORDS, HEAD_CHARS = 4, 6
LONGEST_AFTERTHOUGHT = 48
MOST_MARKS = 0.25

_CLAUSES = re.compile(r"[,;!?\n。—]+|:(?!\d)|\.(?=\s|$)")
_SHORT_HAND = re.compile(r"[→⇒⟹↔≡⇨➜➔]|(?<![<>!])=|[-~]+>|:=|\w\(\w*\)|\w_\w|\bw/o?\b|https?:|[{}<>|\\^]|\w@\w")
_ORDINARY = re.compile(r"[\w\s.,;:!?'\"()%&/#+。、…～~“”「」《》·€$£¥°-]")
_LEADING = re.compile(r"^(?:and|but|so|because|since|that|also|then|还有|而且|但是?|因为|所以|然后|\s)+")
_NAMED = re.compile(
    r"^[A-Z][a-z]{1,14}(?: [A-Z][a-z]{1,14})?(?:'s? \w| (?:is|was|has|got|goes|went|came|lent|and|can't|doesn't|won't|isn't|\w+ed|\w+s)\b)"
    r"|^[小老阿][\u3400-\u9fff](?![\u3400-\u9fff]人)|^([\u3400-\u9fff])\1|^[\u3400-\u9fff]{2,3}的(?:生日|家|孩子|车|电话|婚礼|病|手术|航班)"
    r"|^[\u3400-\u9fff]{2,3}(?:喜欢|爱吃|爱喝|不吃|不能吃|不喝|讨厌|怕|属|上周|下周|明天|昨天)|^[\w·]{1,20}\s?的第?\s?[\w一-十]{1,4}\s?件事$"
)
_LIES = re.compile(
    r"^(?:(?:the|my|our|his|her|a) |[a-z]+'s )?(?:\w+ ){1,5}(?:is|are|hangs?|stands?|lies|lie|sits?|lives?) (?:kept |parked |hidden |stored |still )?"
    r"(?:in|on|under|behind|beside|next to|near|opposite|above|below|inside|by|at) (?:the|my|our|a|an|\w+'s) [\w' ]{2,40}$"
    r"|^[^,。]{2,10}(?:放|停|存|藏|挂|搁|落|忘|锁)?在[^,。是]{1,12}(?:里|上|下|面|边|旁|楼|层|室|间|库|口|角|底|后|前)$"
)
_DENIED = re.compile(r"\b(?:no|not|never|without|nothing)\b|n't\b|不|没|无|免|别")
_RECEIVES = re.compile(r"\b(?:be|get|gets|receive|see|have access)\b|拿到|收到|得到|被|看")


def objection_to(value: str, *, lead: str) -> AskedReason | None:
    """Say what speaks against keeping a text for good because the user asked to; None for what is of their own life.

    Args:
        value: What is to be remembered, as it was written.
        lead: Its sentence up to its end, folded; what the value hangs on stands there.
    """
    ways = tuple(dict.fromkeys([*folded_readings(value), unmasked(value)]))
    if any(_rules(way) for way in ways) or _is_in_disguise(value) or _hangs_on(_before(value, lead)):
        return "permission_or_order"
    if any(_trades(clause) for way in ways for clause in _clauses_of(way)):
        return "business_truth"
    return None if _is_of_own_life(value) else "permission_or_order"


def _rules(text: str) -> bool:
    """Say whether a text, or a clause of it, would rule somebody or something."""
    words = lexicon()
    if _SHORT_HAND.search(text) or words.ruling.search(text) or words.triggers.search(text):
        return True
    kinds = (_holds_for_all, _binds, _praises, _spares_the_user)
    return any(rules(clause) for clause in _clauses_of(text) for rules in kinds)


def _is_in_disguise(text: str) -> bool:
    """Say whether so many marks stand between its letters that it is no plain sentence."""
    return len(_ORDINARY.sub("", text)) > MOST_MARKS * len(text)


def _before(value: str, lead: str) -> str:
    found = lead.find(value.casefold().strip())
    return lead[: max(found, 0)]


def _hangs_on(before: str) -> bool:
    """Say whether what stands before makes it hang on what somebody says, or is a rule in short hand."""
    return bool(lexicon().triggers.search(before) or _SHORT_HAND.search(before))


def _clauses_of(text: str) -> list[str]:
    clauses = (_LEADING.sub("", clause.strip()) for clause in _CLAUSES.split(text))
    return [clause for clause in clauses if clause]


def _holds_for_all(clause: str) -> bool:
    """Say whether money, papers or a duty are said to be so for all of a kind."""
    words = lexicon()
    dealt_with = words.trade.search(_without_bills(clause)) or words.duty.search(clause)
    return bool(words.universal.search(words.time.sub(" ", clause)) and dealt_with)


def _binds(clause: str) -> bool:
    """Say whether it says what must be of something that is nobody's in the user's life."""
    return bool(lexicon().duty.search(clause)) and not _is_somebodys(clause)


def _praises(clause: str) -> bool:
    """Say whether it puts something above others that is not of the user's own life."""
    words = lexicon()
    return bool(words.praise.search(clause)) and not (_is_somebodys(clause) or words.everyday.search(clause))


def _spares_the_user(clause: str) -> bool:
    """Say whether somebody who is none of the user's own life leaves something undone to them ("the guard never asks me")."""
    words = lexicon()
    touched = words.first_person.search(clause) or words.touched.search(clause)
    return bool(touched and _DENIED.search(clause)) and not (_is_somebodys(_head(clause)) or _is_household(clause))


def _head(clause: str) -> str:
    """Give what a clause begins with, where its subject stands."""
    return clause[:HEAD_CHARS] if not clause.isascii() else " ".join(clause.split()[:HEAD_WORDS])


def _is_household(clause: str) -> bool:
    """Say whether a clause begins with a thing of a household or of a life."""
    return lexicon().everyday.search(_head(clause)) is not None


def _is_somebodys(clause: str) -> bool:
    """Say whether it is about the user, somebody around them or an animal."""
    words = lexicon()
    return any(sign.search(clause) for sign in (words.first_person, words.people, words.pets))


def _trades(clause: str) -> bool:
    """Say whether it is about money or papers other than as a matter of the user's own."""
    said = _without_bills(clause)
    if not lexicon().trade.search(said):
        return False
    mine = (_has_to(said), _falls_due(said), _pays_by(said), _is_done_by_people(said), _lies_there(said))
    return lexicon().conditions.search(said) is not None or not any(mine)


def _without_bills(clause: str) -> str:
    return lexicon().bills.sub(" ", clause)


def _has_to(clause: str) -> bool:
    """Say whether the user tells what they have to do or did ("I have to confirm the hotel", 周五要交退款报表)."""
    words = lexicon()
    rest = words.time.sub("", clause).strip(" 之前后以内的")
    begun = words.first_person.match(rest)
    dated = words.time.match(clause)
    said = rest[begun.end() :].lstrip(" 们还都也") if begun else rest
    acts = bool((begun or dated) and words.own_acts.match(said))
    return acts and not (_DENIED.search(said) or _RECEIVES.search(said))


def _falls_due(clause: str) -> bool:
    """Say whether a single thing comes or is due at a time ("the invoice is due on Friday")."""
    words = lexicon()
    single = words.first_person.search(clause) or clause.startswith(("the ", "a ")) or words.people.search(clause)
    dated = words.due.search(clause) and words.time.search(clause)
    return bool(single and dated) and not (_DENIED.search(clause) or _RECEIVES.search(clause))


def _lies_there(clause: str) -> bool:
    """Say whether it tells where a single thing of a household is ("the invoice is in the drawer")."""
    return bool(_LIES.match(clause)) and not _DENIED.search(clause)


def _pays_by(clause: str) -> bool:
    """Say whether it names by what the user pays ("my refund account is PayPal", 默认付款方式是微信)."""
    named = re.fullmatch(r"(?P<what>.{2,40}?)(?: is | are |是)(?P<name>\S+(?: \S+){0,2})", clause)
    return bool(named and lexicon().means.search(named["what"]) and not _weighs(named["name"]))


def _weighs(name: str) -> bool:
    words = lexicon()
    return any(sign.search(name) for sign in (words.trade, words.ruling, words.universal, _DENIED))


def _is_done_by_people(clause: str) -> bool:
    """Say whether somebody around the user does something with papers ("my boss approves my holidays")."""
    words = lexicon()
    left = words.trade.search(words.paperwork.sub(" ", clause))
    owned = words.first_person.match(clause)
    who = words.people.match(clause[owned.end() :].strip() if owned else clause)
    return bool(who) and not left


def _is_of_own_life(value: str) -> bool:
    """Say whether a clause shows it, and what else is said is short and shows something of it too."""
    said = [_LEADING.sub("", each.strip()) for each in _CLAUSES.split(value.replace("’", "'")) if each.strip()]
    shown = [_signs(clause) for clause in said]
    others = [clause for clause, signs in zip(said, shown, strict=True) if signs < ENOUGH]
    return (
        max(shown, default=0) >= ENOUGH and min(shown) > 0 and all(len(each) <= LONGEST_AFTERTHOUGHT for each in others)
    )


def _signs(clause: str) -> int:
    """Count what shows that a clause is about somebody's own life."""
    words = lexicon()
    plain = folded_readings(clause)[0]
    if _pays_by(plain) or _LIES.match(plain):
        return ENOUGH
    whose = (words.first_person, words.people, words.pets, words.bills, words.time, words.place, words.life)
    things = len({match[0] for match in words.everyday.finditer(plain)})
    seen = sum(bool(sign.search(plain)) for sign in whose)
    return things + seen + _is_household(plain) + bool(_NAMED.search(clause.strip()))
