"""Privacy: replace what must not be kept (secrets, numbers that name a person) by typed placeholders.

Kept on purpose: names, cities (of an address too, which becomes 杭州市[street]), birthdays, order, ticket and tracking
numbers, prices, versions, dates. A number that is introduced as an order's, a ticket's or a parcel's stays, unless it is
exactly a mainland mobile number or a resident's id whose check digit is right: then privacy wins. Secrets are never kept,
whatever the policy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.detectors.canonical import canonical
from memory.detectors.detector import Detector, Found, PrivateKind
from memory.detectors.every import detectors
from memory.detectors.folding import digits_folded, fold
from memory.detectors.places import city_of
from memory.detectors.policy import (
    DEFAULT_POLICY,
    KINDS,
    Policy,
    PrivacyError,
    Treatment,
    default_policy,
    read_policy,
)
from memory.detectors.secrets import secret_rows
from memory.surrogates import visible

__all__ = [
    "DEFAULT_POLICY",
    "PLACEHOLDER",
    "Found",
    "Policy",
    "PrivacyError",
    "PrivateKind",
    "Redacted",
    "Tag",
    "Treatment",
    "default_policy",
    "fold",
    "read_policy",
    "redact",
    "secret_rows",
]

Tag = Callable[[PrivateKind, str], str]
"""Gives a short stable name of a number, 6 to 10 letters and digits, such as the start of a keyed hash."""

PLACEHOLDER = re.compile(r"\[(?:" + "|".join(KINDS) + r")(?::[0-9A-Za-z]{6,10})?\]")
REACH = 128
"""How far from a replacement something else can become recognisable by it."""
HIDDEN = "x"
GLUED = "+("

Area = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Redacted:
    """The text with placeholders, and what they stand for, in the order of the text."""

    text: str
    found: tuple[Found, ...]


def redact(text: str, *, policy: Policy = DEFAULT_POLICY, tag: Tag | None = None) -> Redacted:
    """Replace everything private by placeholders such as `[phone]`.

    What cannot be seen is removed first. It takes any string, and redacting twice changes nothing more. Of two findings
    that overlap the longer is taken. Its time grows with the length of the text, whatever stands there.

    Args:
        text: Anything that was said.
        policy: What becomes of each kind; what it keeps is not looked for.
        tag: Names what the policy hashes, from its kind and its canonical writing: `[phone:k3f9a2]`. Without it nothing
            is named.

    Raises:
        PrivacyError: `tag` gave something else than 6 to 10 letters and digits.
    """
    text = visible(text)
    found = _found(text, [each for each in detectors() if policy.get(each.kind) != "keep"])
    named = {kind: tag for kind in KINDS if policy.get(kind) == "hash" and tag}
    labels = [_placeholder(each.kind, text[each.start : each.end], named.get(each.kind)) for each in found]
    return Redacted(text=_rendered(text, found, labels), found=tuple(found))


def _placeholder(kind: PrivateKind, text: str, tag: Tag | None) -> str:
    if tag is None:
        return f"{city_of(text)}[{kind}]" if kind == "street" else f"[{kind}]"
    name = tag(kind, canonical(kind, text))
    made = f"[{kind}:{name}]"
    if not PLACEHOLDER.fullmatch(made):
        raise PrivacyError(f"Cannot name a {kind}: the tag is {name!r}. Give 6 to 10 letters and digits.")
    return made


def _rendered(text: str, found: Iterable[Found], labels: Iterable[str]) -> str:
    parts: list[str] = []
    done = 0
    for each, shown in zip(found, labels, strict=True):
        parts += [text[done : each.start], shown]
        done = each.end
    return "".join([*parts, text[done:]])


def _found(text: str, chosen: Iterable[Detector]) -> list[Found]:
    """Find until nothing more is found, looking again only near what was just replaced.

    What was found is covered by as many characters with the borders of a placeholder, so that what follows is recognised as
    it will be in the redacted text.
    """
    sheet = digits_folded(text)
    lowered = sheet.lower()
    able = [each for each in chosen if each.may_find(lowered)]
    taken = bytearray(len(sheet))
    for match in PLACEHOLDER.finditer(sheet):
        _mark(taken, match.start(), match.end())
    found: list[Found] = []
    areas = [(0, len(sheet))]
    while areas:
        fresh = _fresh(sheet, able, areas, taken)
        sheet = _covered(sheet, fresh)
        found += fresh
        areas = _around(fresh, len(sheet))
    return sorted(found, key=lambda each: each.start)


def _fresh(sheet: str, able: Sequence[Detector], areas: Iterable[Area], taken: bytearray) -> list[Found]:
    fresh: list[Found] = []
    candidates = (each for area in areas for detector in able for each in detector.found(sheet, *area))
    for each in sorted(candidates, key=lambda each: each.start - each.end):
        if each.start < each.end and taken.find(1, each.start, each.end) < 0:
            _mark(taken, each.start, each.end)
            fresh.append(each)
    fresh += [one for each in fresh for one in _glued(sheet, able, each.end, taken)]
    return sorted(fresh, key=lambda each: each.start)


def _glued(sheet: str, able: Sequence[Detector], start: int, taken: bytearray) -> Iterator[Found]:
    """Give what follows something found without a gap, one after the other, so that a chain needs no pass for each link."""
    while start < len(sheet) and (sheet[start].isalnum() or sheet[start] in GLUED) and not taken[start]:
        found = [one for each in able if (one := each.glued(sheet, start)) and taken.find(1, one.start, one.end) < 0]
        if not found:
            return
        longest = max(found, key=lambda each: each.end)
        _mark(taken, longest.start, longest.end)
        yield longest
        start = longest.end


def _mark(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\x01" * (end - start)


def _covered(sheet: str, fresh: Iterable[Found]) -> str:
    fresh = list(fresh)
    return _rendered(sheet, fresh, [f"[{HIDDEN * (each.end - each.start - 2)}]" for each in fresh])


def _around(fresh: Iterable[Found], length: int) -> list[Area]:
    """Give the areas near what was replaced, joined where they touch."""
    areas: list[Area] = []
    for each in fresh:
        start, end = max(0, each.start - REACH), min(length, each.end + REACH)
        if areas and start <= areas[-1][1]:
            areas[-1] = (areas[-1][0], end)
        else:
            areas.append((start, end))
    return areas
