"""What a clause must show, in either language, for a model's reading of it to be believed.

The texts are folded in width and case before they come here.
"""

from __future__ import annotations

import re

_NEGATION = re.compile(
    r"(?<!差)不(?!错|过(?!敏)|仅|但|光|只|同|少|久|断|管|论|愧|得不)|(?<!有)没(?!错|准|事)|(?<!特)(?<!区)(?<!差)(?<!个)(?<!类)(?<!级)(?<!性)别(?!人|墅|名|的|处)"
    r"|[并而绝]非|未(?!来|婚|必)|(?<!从)无法|从无"
    r"|\b(?:not|no|never|none|neither|nor|cannot|without|hardly)\b|n't\b",
    re.IGNORECASE,
)
_AVOIDING = re.compile(
    r"不(?:能|可以|太?敢)?(?:再)?[吃喝碰沾]|[吃喝碰沾]不(?:了|得)|别给我[吃喝]"
    r"|\b(?:can't|cannot|can not|don't|do not|never|mustn't|must not|won't|shouldn't) (?:\w+ )?(?:eat|drink|have|touch|take)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"改(?:成|为|用|叫|到|喝|吃)|换(?:成|到|了)|\b(?:instead|switch(?:ed|ing)?|chang(?:ed|ing|e) (?:\w+ )?to|rather)\b",
    re.IGNORECASE,
)
AVOIDED = frozenset({"allergy", "diet", "health", "habit"})
"""The last words of keys that hold what somebody does not eat or do."""


def is_negated(clause: str, value: str, *, about: str) -> bool:
    """Say whether a clause says the opposite: a "not" in it that belongs neither to the value nor to what it is about.

    Args:
        clause: The words that tell.
        value: What is told.
        about: The last word of the key; what is disliked is told by a "not".
    """
    if about == "dislikes":
        return False
    rest = clause.replace(value, " ")
    return bool(_NEGATION.search(_AVOIDING.sub(" ", rest) if about in AVOIDED else rest))


def puts_right(sentence: str) -> bool:
    """Say whether a sentence replaces one thing by another."""
    return bool(_CHANGING.search(sentence) or _NEGATION.search(sentence))
