"""What a clause must show, in either language, for a model's reading of it to be believed.

The texts are folded in width and case before they come here.
"""

from __future__ import annotations

import re

from memory.signs import begins_now

_NEGATION = re.compile(
    r"(?<!差)不(?!错|过(?!敏)|仅|但|光|只|同|少|久|断|管|论|愧|得不)|(?<!有)没(?!错|准|事)|(?<!特)(?<!区)(?<!差)(?<!个)(?<!类)(?<!级)(?<!性)别(?!人|墅|名|的|处)"
    r"|[并而绝]非|未(?!来|婚|必)|(?<!从)无法|从无"
    r"|\b(?:not|no|never|none|neither|nor|cannot|without|hardly)\b|n't\b|\b(?:do|does|did|have|has|had|is|are|was|were|ca|wo|could|would|should|must)nt\b",
    re.IGNORECASE,
)
_AVOIDING = re.compile(
    r"不(?:能|可以|太?敢)?(?:再)?[吃喝碰沾]|[吃喝碰沾]不(?:了|得)|别给我[吃喝]"
    r"|\b(?:can'?t|cannot|can not|don'?t|do not|never|mustn'?t|must not|won't|will not|shouldn'?t|should not) (?:\w+ )?(?:eat|drink|touch)\b"
    r"|\b(?:can'?t|cannot|can not|mustn'?t|must not|shouldn'?t|should not|not allowed to) (?:\w+ )?(?:have|take)\b",
    re.IGNORECASE,
)
"""Not to eat or take something; who does *not have* something simply has none."""
_RULED_OUT = re.compile(
    r"排除|阴性|\b(?:ruled? out|(?:tested|test was|came back) negative|negative for|free (?:of|from)|clear of)\b"
)
_REASON = re.compile(r"因为|由于|\b(?:because|since|due to|as i|for my)\b")
HELD = "\0"
"""Stands for the value in a clause."""
ILL = frozenset({"health", "allergy"})
_CHANGING = re.compile(
    r"改(?:成|为|用|叫|到|喝|吃)|换(?:成|到|了)|\b(?:instead|switch(?:ed|ing)?|chang(?:ed|ing|e) (?:\w+ )?to|(?:lowered|raised|cut|dropped|bumped|pushed|moved) (?:it|that|them) (?:down |up |back )?to|rather)\b",
    re.IGNORECASE,
)
_ANOTHERS_ALLERGY = re.compile(
    r"(?:^|[,，。;；])(?!(?:[^,，。]{0,4})?(?:我|咱|俺|自己|本人|从小|天生|一直|从来|其实|本来|好像|可能|严重|轻[度微]|中度|重度|只|也|都|还|就|又|才|是|会|被|有点|现在|目前|最近|突然|特别|已经|不|没))[\u3400-\u9fff]{2,4}对[^,，。]{1,10}过敏"
)
_WISHING = re.compile(
    r"叫我|喊我|称呼我|回答|回复|用(?:中|英|法|日|德|俄|韩|西班牙)[文语]|\b(?:call|address) me\b|\brefer to me\b|\b(?:answer|reply|respond|write|speak)\b"
)
AVOIDED = frozenset({"allergy", "diet", "health", "habit"})
"""The last words of keys beside whose value it may be said what somebody does not eat or do."""


def is_negated(clause: str, value: str, *, about: str) -> bool:
    """Say whether a clause says the opposite: a "not" in it that belongs neither to the value nor to what it is about.

    Args:
        clause: The words that tell.
        value: What is told.
        about: The last word of the key; what is disliked is told by a "not".
    """
    if about == "dislikes":
        return False
    rest = clause.replace(value, HELD)
    if about in ILL and (_RULED_OUT.search(rest) or f"无{HELD}" in rest):
        return True
    if about in AVOIDED:
        rest = _AVOIDING.sub(lambda found: found[0] if _is_avoided(rest, found.end(), about) else " ", rest)
    return bool(_NEGATION.search(rest))


def _is_avoided(clause: str, at: int, about: str) -> bool:
    """Say whether the value itself is what is not eaten or taken, and no allergy: then there is a "not" to it."""
    between, found, _ = clause[at:].partition(HELD)
    return bool(found) and about != "allergy" and not _REASON.search(between)


def names_another(clause: str, about: str) -> bool:
    """Say whether a clause says of somebody whom it names that they cannot take something (年糕对鸡肉过敏)."""
    return about == "allergy" and _ANOTHERS_ALLERGY.search(clause) is not None


def puts_right(sentence: str) -> bool:
    """Say whether a sentence replaces one thing by another, or asks for it from now on."""
    if _CHANGING.search(sentence) or _NEGATION.search(sentence):
        return True
    return bool(_WISHING.search(sentence)) and begins_now(sentence)
