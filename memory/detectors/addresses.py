"""Addresses in Latin and Greek letters: a house in a street, with the flat and, where a post code ends it, the town."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.detectors.detector import DIGITS, Detector
from memory.detectors.street_words import (
    CODE,
    COMPOUND,
    DIRECTION,
    EDGE,
    END,
    GAP,
    HOUSE,
    KIND_FIRST,
    NAMES,
    NUMBER,
    ORDINAL,
    PARTICLE,
    REST,
    SEPARATED,
    STREET,
    SUFFIX,
    TOWN,
    TOWN_WORD,
    UNIT,
    WORD,
)

_COUNTED = re.compile(
    r"(?:^[0-9]{1,6} (?=(?:WORDS)(?!\w))|(?<!\w)(?:WORDS) [0-9])".replace(
        "WORDS",
        "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|"
        "oct|nov|dec|monday|tuesday|wednesday|thursday|friday|saturday|sunday|am|pm|a\\.m|p\\.m|o'clock|gate|terminal|level|"
        "platform|room|floor|team|group|zone|area|district|hall|block|season|episode|grade|class|phase|"
        "chapter|chapters|page|pages|section|sections|step|steps|version|pier|exit|stage|table|seat|row|line|bus|day|days|week|weeks|"
        "kbps|mbps|gbps|mbit|gbit|hz|khz|mhz|ghz|tb|gib|mib|dpi|fps|rpm|watts?|percent|tokens|users|items|files|"
        "figure|windows|android|ios|python|office|number|usd|eur|kg|km|mb|gb|euros|dollars|people|hours|minutes|years|months|points",
    ),
    re.IGNORECASE,
)
"""Words that are counted or numbered: 12 March, Gate 5."""
_LIVING = (
    r"(?i:(?<![a-z])(?:address(?:es)?(?: for [a-z ]{1,20})?(?: is| are| to| with|:)|address(?:es)?[^\w\n]{1,3}(?:it is)?|"
    r"address(?:es)?[^.:\n]{1,24}:|"
    r"(?:resid(?:es|ed|e|ing)|liv(?:es|ed|e|ing)|stay(?:s|ed|ing)?|dwell(?:s|ing)?|based|located|home is|house is|apartment is|"
    r"office is|offices are|restaurant is|bar is|shop is|station is)(?: now| currently)? (?:at|on|near)|"
    r"(?:deliver(?:ed|y)?|ship(?:ped)?|sent?|mail(?:ed)?|move(?:d)?|taxi|parcel|package)(?: it| them| this| that)? to|"
    r"drops? you off at|(?:arriv(?:ed|es)|meet(?:ing)?(?: me| you| us)?|stop(?:s)?) at|"
    r"side of|enter on|return to|it's (?:in|at|on)|refers to)"
    r"[ \n:]{1,8}(?:the corner of )?)"
)
_LETTERS = tuple("aeiouyáéíóúàèöüαειου")
_FLATS = ("apt", "apartment", "suite", "ste", "unit", "room", "flat", "floor", "fl", "bldg", "building")
_SUPPOSED = ("address", " at", " on", " near", " to", " of", "it's")


def addresses() -> Iterator[Detector]:
    """Give what finds them."""
    yield from _american()
    yield from _by_the_kind_of_street()
    yield from _with_flats()
    yield from _introduced()
    yield from _boxes()


def _american() -> Iterator[Detector]:
    between = rf"(?: (?:{WORD}|{ORDINAL})){{1,4}}?"
    dot = r"(?:\.(?=,| [A-Za-z]{2,5}\.? ?#?[0-9]))?"
    lead = rf"(?:{UNIT},? )?{NUMBER}(?: [0-9]{{1,5}})?(?: {PARTICLE})?"
    yield _street(rf"{lead}{between} {STREET}{END}{dot}{DIRECTION}", *_LETTERS)
    yield _street(rf"{NUMBER}{between} {SUFFIX}{END}{DIRECTION}", *_LETTERS, holds=_has_long_number)


def _by_the_kind_of_street() -> Iterator[Detector]:
    lead = rf"(?:{UNIT},? )?(?:{NUMBER} )?(?:[0-9]{{1,5}} )?"
    name = rf"(?:{PARTICLE} ){{0,2}}(?:[a-zß-öø-ÿ]{{3,14}} )?{NAMES}"
    first = rf"(?i:{KIND_FIRST})\.? {name}"
    yield _street(rf"{lead}{EDGE}{first} {HOUSE}", *_LETTERS)
    yield _street(rf"{NUMBER} (?:[0-9]{{1,5}} )?{first}", *_LETTERS, holds=_has_long_number)
    kinds = ("rue", "calle", "rua", "avenida", "avenue de", "chemin", "ulica")  # codespell:ignore calle
    yield _street(rf"{NUMBER} (?:[0-9]{{1,5}} )?(?i:{'|'.join(kinds)}) {name}", *kinds)
    yield _street(rf"{lead}{EDGE}{COMPOUND} {HOUSE}", *_LETTERS)
    yield _street(rf"{lead}{EDGE}{SEPARATED} {HOUSE}", *_LETTERS)


def _with_flats() -> Iterator[Detector]:
    """Give what finds any name and number with a flat or a post code beside it, and the code below it."""
    yield _street(rf"{NUMBER} (?:[0-9]{{1,5}} )?{NAMES} {HOUSE}{TOWN}", *_LETTERS)
    yield _street(rf"{NUMBER} (?:[0-9]{{1,5}} )?{NAMES}(?: {HOUSE})?(?: {NAMES})?(?={GAP}{UNIT})", *_FLATS)
    yield _street(rf"{EDGE}{NAMES} {HOUSE}(?: {NAMES})?(?={GAP}{UNIT})", *_FLATS)
    line = rf"{GAP}{TOWN_WORD}(?: {TOWN_WORD}){{0,4}}"
    yield _street(rf"{UNIT}(?:{line}){{1,3}}?{GAP}(?P<hit>{CODE})", *_FLATS)


def _introduced() -> Iterator[Detector]:
    """Give what finds any name with a number where the sentence says that somebody lives or something is there."""
    yield _street(
        rf"{_LIVING}(?P<hit>(?:[0-9]{{2,6}} (?:[0-9]{{1,5}} )?|[0-9] (?={WORD} {WORD})){NAMES}(?: {HOUSE})?){END}",
        *_SUPPOSED,
    )
    after = rf"(?: {NAMES}(?={GAP}{UNIT}))?"
    yield _street(rf"{_LIVING}(?P<hit>{NAMES} (?!(?:19|20)[0-9]{{2}}(?![0-9])){HOUSE}{after}){END}", *_SUPPOSED)


def _boxes() -> Iterator[Detector]:
    yield _street(
        r"(?i:(?<![a-z])(?:(?:psc|unit|cmr) [0-9]{1,5},? box [0-9]{1,5}|us(?:s|ns|nv|cgc) [^\W\d_]{2,24})"
        r"[\s,]{1,4}[afd]po,? a[aep] [0-9]{5})(?![0-9])",
        "po",
    )
    yield _street(rf"(?:{NUMBER} )?(?i:p\.? ?o\.? ?box) [0-9]{{1,6}}(?: {NAMES}(?={GAP}{UNIT}))?", "box")


def _street(pattern: str, *needs: str, holds: Callable[[str], bool] = bool) -> Detector:
    return Detector(
        kind="street",
        pattern=pattern,
        holds=lambda hit: holds(hit) and not _COUNTED.search(hit),
        needs=(DIGITS, needs),
        tail=REST,
    )


def _has_long_number(hit: str) -> bool:
    """Tell whether it begins with a house number of three digits or more that is no year."""
    return re.match(r"(?!(?:19|20)[0-9]{2} )[0-9]{3,6}[A-Za-z]? ", hit) is not None
