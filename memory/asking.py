"""Asking: where an English question begins in a sentence without stops, and what is told after one in the same breath."""

from __future__ import annotations

import re

_ASIDE = r"(?:i|we|you|u|ya|my|our|the|a|an|it|there|they|he|she|this|that|one|people|ppl|someone|somebody|anyone)"
_AUXILIARY = r"(?:is|are|do|does|did|can|could|should|would|will|shall|might)"
_WORD = r"(?:what(?:'?s)?|how(?:'?s)?|which|where(?:'?s)?|when|why|who(?:'?s)?)"
BEGINS = (
    rf"(?<![,\w])(?=(?:{_WORD}(?: [a-z]+){{0,3}}? {_AUXILIARY} {_ASIDE}|(?:what'?s|where'?s|how'?s) (?:the|a|an|my|your|best|good)"
    r"|(?:can|could|would|will|cud) (?:you|u|ya|i|we|someone|somebody|anyone)|(?:should|shall|do|does|am|is|are) (?:i|we|you|u|it|there|they)|(?:would|should|could|will|does) (?:a|an|the|my|our|this|that|he|she)"
    r"|(?:what|which|how|why)(?: (?!what |which |how |why )[^\s?.!,;:]{1,24}){2,24}\?"
    r"|any (?:good |cheap |other |quick |easy |nice |more )*(?:ideas?|tips|advice|recs|recommendations|suggestions|recipes?|books?|apps?)"
    r"|(?<!you )(?<!u )(?<!to )(?<!please )(?<!pls )(?<!me )(?<!also )(?<!kindly )(?<!and )(?:gimme|give me|suggest|recommend|tips (?:for|on|please|pls))"
    r")(?![a-z]))"
)
"""Where, after a space, a question or a request begins ("im a nurse in leeds can you …")."""
_OPENS = re.compile(
    rf"(?:(?:hi|hey|hello|ok|okay|so|and|but|also|quick question)[, ]+)*(?:{_WORD}|any|can|could|would|will|should|do|does|did|is|are|got any)(?![a-z])",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"(?:and |but |so |since |because |cause |cos )?(?:i'?m|i am|i have|i'?ve|i live|i work|i like|i love|i hate|i use|he'?s|she'?s|he is|she is|he has|she has"
    r"|he (?:likes|loves|hates)|she (?:likes|loves|hates)|we'?ve|we're|we are|we have|we live"
    r"|(?:my|our) [a-z]+(?:'s| is| has| loves| hates| likes| lives| works| can't))(?![a-z])",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;]\s+| - ")


def opens_asking(clause: str) -> bool:
    """Say whether a clause begins as a question does."""
    return bool(_OPENS.match(clause.strip()))


def tells(clause: str) -> bool:
    """Say whether a clause begins as a statement about the user or somebody of theirs does."""
    return bool(_TELLS.match(clause.strip()))


def tells_after_asking(sentence: str) -> bool:
    """Say whether a sentence asks first and then tells: "any ideas for my dad, he's 70 and loves fishing?"."""
    first, *others = _PARTS.split(sentence.strip())
    return bool(others) and opens_asking(first) and tells(others[-1])
