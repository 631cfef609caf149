"""Corrections: what of a message takes back what was said before, in it or in another conversation.

"I live in York, not Leeds" corrects where the user lives; 不是杭州，是苏州 corrects what the message itself said just now.
Where only one value can be, the right one takes the wrong one's place at once; else the wrong one is taken back by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memory.keys import default_keys
from memory.matching import Place, Told
from memory.phrases import is_plausible, tidy
from memory.rules import RuleBook

Span = tuple[int, int]


def denied_value(place: Place, book: RuleBook) -> str:
    """Give what a clause says it is not ("not Leeds", 不是杭州); "" for any other clause."""
    found = book.denied.fullmatch(place.text, place.start, place.end)
    return tidy(place.original[found.start("old") : found.end("old")], "label") if found else ""


def meant_value(place: Place, book: RuleBook) -> tuple[str, int]:
    """Give what a clause says was meant ("I meant York", 是苏州), and where that stands; "" for any other clause."""
    found = book.meant.fullmatch(place.text, place.start, place.end)
    return (
        (tidy(place.original[found.start("value") : found.end("value")], "label"), found.start("value"))
        if found
        else ("", 0)
    )


def put_right(wrong: Told, value: str, at: int, place: Place) -> Iterator[Told]:
    """Give what is told when a thing told just now should have been another value."""
    if not is_plausible(value, wrong.key.rpartition(".")[2]):
        return
    spoken = replace(wrong, start=place.start, end=place.end, value_at=at, value=value)
    if is_single(wrong.key):
        yield replace(spoken, act="correct")
    else:
        yield replace(wrong, act="retract")
        yield replace(spoken, act="state")


def denied_beside(told: Told, old: str, place: Place) -> Iterator[Told]:
    """Give what is told when, beside what is, it is said what is not ("York, not Leeds")."""
    if is_single(told.key):
        yield replace(told, act="correct")
        return
    yield told
    if told.key.endswith(".allergy") and is_plausible(old, "allergy"):
        yield replace(told, start=place.start, end=place.end, value_at=place.start, value=old, act="retract")


def is_single(key: str) -> bool:
    """Tell whether a new value under the key takes the old one's place."""
    spec = default_keys().spec(key)
    return spec is not None and spec.single


def settled(told: list[Told], corrected: list[Span]) -> list[Told]:
    """Let corrections take effect, in the order of the message.

    Args:
        told: What was told.
        corrected: The stretches of the message in which the user puts something right.
    """
    told = [_as_correction(each, corrected) for each in _as_asked(told)]
    replaced = {each.key for each in told if each.act == "retract" and _new_values(each, told)}
    told = [replace(each, act="correct") if each.key in replaced and _states(each) else each for each in told]
    return [each for each in told if not _is_overtaken(each, told, replaced)]


def _as_asked(told: list[Told]) -> list[Told]:
    """Prefer what the user asks for (call me Dana) to what they state of the same (my name is Dana Ruiz)."""
    asked = {each.key for each in told if each.asked_for and _states(each) and is_single(each.key)}
    return [each for each in told if each.asked_for or each.key not in asked or not _states(each)]


def _as_correction(told: Told, corrected: list[Span]) -> Told:
    is_right = told.act == "state" and is_single(told.key)
    return replace(told, act="correct") if is_right and any(a <= told.start < b for a, b in corrected) else told


def _states(told: Told) -> bool:
    return told.act in ("state", "correct")


def _new_values(taken_back: Told, told: list[Told]) -> bool:
    """Say whether the message gives another value for one that it takes back."""
    others = (each for each in told if each.key == taken_back.key and _states(each))
    return is_single(taken_back.key) and any(each.value != taken_back.value for each in others)


def _is_overtaken(each: Told, told: list[Told], replaced: set[str]) -> bool:
    """Say whether a correction in the same message makes this void."""
    if each.act == "retract":
        return each.key in replaced
    later = [
        other for other in told if other.key == each.key and other.act == "correct" and other.value_at > each.value_at
    ]
    return bool(later) and is_single(each.key)
