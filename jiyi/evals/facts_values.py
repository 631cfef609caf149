"""When a proposed value is the labelled one, though it was cut from the message otherwise."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from memory.times import phrase_pattern
from memory.values import same_value

LEAST_SHARE = 0.5
UNITS = {
    "cm": ("厘米", "公分", "centimetres?", "centimeters?"),
    "kg": ("公斤", "千克", "kilos?", "kilograms?"),
    "km": ("公里", "千米", "kilometres?", "kilometers?"),
}
"""How files write a unit, and how people say it."""
ARTICLES = frozenset(["a", "an", "the"])

OF_AGES = re.compile(r"(?<=[\w]) years?(?:[- ]old)?$|(?<=\w)-years?-old$")
"""What follows a number of years and adds nothing to it."""

_DAY_SAID = re.compile(rf"\s*\b(?:(?:on|at|for|by) )?{phrase_pattern()}\s*$", re.IGNORECASE)
_DAY_ADDED = re.compile(r"\s*\(\d{4}-\d{2}-\d{2}\)$")
_UNITS = tuple((re.compile(rf"(?<=\d)\s*(?:{'|'.join(said)})(?![a-z])"), short) for short, said in UNITS.items())
_NUMBER, _HAN = r"\d+(?:[.,:/-]\d+)*|[零〇一二两三四五六七八九十百千万亿]+", r"[\u3400-\u9fff]"
_WORD = re.compile(rf"{_NUMBER}|{_HAN}|(?:(?!{_HAN})[^\W\d_])+(?:['’][^\W\d_]+)*[+#]*")
_DENIED_BEFORE = re.compile(r"[不没無无非未别勿]|not?|non|never|without|cannot|.*n['’]t")
_DENIED_AFTER = re.compile(r"[不没]|not?|never|free|.*n['’]t")

Words = Sequence[str]


def is_value(proposed: str, labelled: str) -> bool:
    """Say whether two wordings are one value.

    They are when they are equal in the form in which memories are compared (width, case, space and punctuation aside) or in
    their words, or when the words of one stand side by side in the other and have at least half of its characters. A word
    is a run of letters, a number, or a Chinese character, so that "Ann" is not "Anna" and 3岁 is not 33岁; articles do not
    count, and units are written short; "nine" is "nine years old". The rest may hold no negation: "meat" is not "no meat".
    The day that is worked out for a plan, "demo (2026-03-02)", counts for nothing, nor then do the words for it in the label
    ("demo on 2 March").
    """
    if same_value(proposed, labelled):
        return True
    if _DAY_ADDED.search(proposed):
        labelled = _DAY_SAID.sub("", labelled) or labelled
    shorter, longer = sorted((_words(proposed), _words(labelled)), key=_length)
    if not shorter or _length(shorter) < LEAST_SHARE * _length(longer):
        return False
    return any(not _is_denied(before, after) for before, after in _around(shorter, longer))


def _words(value: str) -> Words:
    plain = OF_AGES.sub("", unicodedata.normalize("NFKC", _DAY_ADDED.sub("", value)).casefold())
    for unit, short in _UNITS:
        plain = unit.sub(short, plain)
    return [word for word in _WORD.findall(plain) if word not in ARTICLES]


def _length(words: Words) -> int:
    return sum(map(len, words))


def _around(part: Words, whole: Words) -> Iterator[tuple[Words, Words]]:
    """Give what stands before and after a part, at each place where it stands in the whole."""
    for at in range(len(whole) - len(part) + 1):
        if whole[at : at + len(part)] == part:
            yield whole[:at], whole[at + len(part) :]


def _is_denied(before: Words, after: Words) -> bool:
    return any(map(_DENIED_BEFORE.fullmatch, before)) or any(map(_DENIED_AFTER.fullmatch, after))
