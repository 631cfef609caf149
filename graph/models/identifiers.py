"""Identifiers: order numbers, tracking numbers and the like, as they are typed in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ANY_THING = ""
"""The thing an identifier names when nothing says what it is."""

THINGS: Mapping[str, re.Pattern[str]] = {
    "tracking": re.compile(r"运单|快递单|物流单|包裹|tracking|shipment|parcel|waybill|delivery", re.IGNORECASE),
    "ticket": re.compile(r"工单|ticket|\bcase\b|\bissue\b", re.IGNORECASE),
    "error": re.compile(r"报错|错误|故障码|\berr(?:or)?\b|\bbug\b", re.IGNORECASE),
    "flight": re.compile(r"航班|\bflight\b", re.IGNORECASE),
    "invoice": re.compile(r"发票|invoice", re.IGNORECASE),
    "order": re.compile(r"订单|单号|\border|(?<![a-z])order", re.IGNORECASE),
}
_MARKED = r"#(?=[A-Za-z-]*\d)[A-Za-z0-9][A-Za-z0-9-]*"
_LETTERED = r"(?=[A-Za-z-]*\d[A-Za-z0-9-]*\d{2})[A-Za-z]{1,6}-?[A-Za-z0-9-]*\d"
_LONG = r"(?!1[3-9]\d{9}(?!\d))\d{5,}(?!\s*(?:元|块|%|％|\.\d))"
_IDENTIFIER = re.compile(rf"(?<![A-Za-z0-9#.-])(?:{_MARKED}|{_LETTERED}|{_LONG})(?![A-Za-z0-9])")
_NAMED = re.compile(
    r"(?:单号|编号|订单号?|工单号?|(?:order|ticket|tracking|invoice)(?:\s+(?:number|no\.?|id))?)"
    r"\s*(?:是|为|is|:|：)?\s*(?P<number>\d{3,})(?!\d)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:不是|并非|别用|不要用|\bnot|\bisn't|\bwasn't)\s*(?:订单号?|单号|(?:the )?order|number)?\s*$", re.IGNORECASE
)
_NEAR_CHARS = 24


@dataclass(frozen=True, kw_only=True)
class Identifier:
    """An identifier as it was typed, and the thing it names: a key of THINGS, another word, or ANY_THING."""

    text: str
    thing: str = ANY_THING


def identifiers_in(text: str) -> list[Identifier]:
    """Find the identifiers in a text, in the order they stand, each once; not those that it denies ("不是 #1")."""
    spans = [match.span() for match in _IDENTIFIER.finditer(text)]
    spans += [match.span("number") for match in _NAMED.finditer(text)]
    spans = [(start, end) for start, end in spans if not _DENIED.search(text[:start])]
    found = {text[start:end]: thing_before(text, end) for start, end in sorted(spans)}
    return [Identifier(text=typed, thing=thing) for typed, thing in found.items()]


def thing_before(text: str, end: int) -> str:
    """Say what the words up to a place speak of, the nearest first."""
    near = text[max(0, end - _NEAR_CHARS) : end]
    places = {thing: [match.end() for match in pattern.finditer(near)] for thing, pattern in THINGS.items()}
    spoken_of = [(max(ends), thing) for thing, ends in places.items() if ends]
    return max(spoken_of)[1] if spoken_of else ANY_THING


def thing_of(words: str) -> str:
    """Say which thing a few words (an argument's name, a fact's key and label) speak of."""
    return next((thing for thing, pattern in THINGS.items() if pattern.search(words)), ANY_THING)


def first_fitting(identifiers: Iterable[Identifier], thing: str) -> Identifier | None:
    """Give the first that names this thing, else the first that names nothing in particular."""
    known = list(identifiers)
    if thing == ANY_THING:
        return known[0] if known else None
    exact = (one for one in known if one.thing == thing)
    unsaid = (one for one in known if one.thing == ANY_THING)
    return next(exact, None) or next(unsaid, None)
