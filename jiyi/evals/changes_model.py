"""As labelled: what a model that reads both messages of a pair rightly would propose, so that what is lost then is lost by us."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from jiyi.evals.changes_file import Pair
from memory.extraction_schema import Extraction, ProposedAct, ProposedMemory
from memory.keys import default_keys
from memory.words import has_cjk

CONFIDENCE = 0.75
"""What the prompt asks for where something is said plainly."""
LEAST_CHARS, LEAST_LETTERS = 2, 4
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?\n]*")


def as_labelled(pair: Pair) -> Mapping[str, Extraction]:
    """Give what is proposed of each message of a pair.

    Of the first the old value, of the second the new one, as a correction where it is marked as one. What ended is taken back
    where nothing else took its place, or a key holds several values and the second message names the old one, in whole or in part.
    """
    spec = default_keys().spec(pair.key)
    named = _named(pair.old, pair.second)
    told = [_proposed(pair.key, pair.new, pair.second, "correct" if pair.marked else "state")] if pair.new else []
    ends = not pair.new or (named and spec is not None and not spec.single)
    ended = [_proposed(pair.key, named, pair.second, "retract")] if ends else []
    return {
        pair.first: Extraction(memories=[_proposed(pair.key, pair.old, pair.first, "state")]),
        pair.second: Extraction(memories=[*told, *ended]),
    }


def _proposed(key: str, value: str, text: str, act: ProposedAct) -> ProposedMemory:
    return ProposedMemory(key=key, value=value, quote=sentence_with(value, text), confidence=CONFIDENCE, act=act)


def sentence_with(value: str, text: str) -> str:
    """Give the sentence that a value stands in; the whole text where none has it."""
    return next((found[0].strip() for found in _SENTENCE.finditer(text) if value and value in found[0]), text)


def _named(value: str, text: str) -> str:
    """Give the longest part of a value that a text names: characters, or whole words; "" where there is none."""
    if value.casefold() in text.casefold():
        return value
    ones, others = (list(value), list(text)) if has_cjk(value) else (value.split(), re.findall(r"[\w'-]+", text))
    found = SequenceMatcher(None, ones, others, autojunk=False).find_longest_match()
    part = ("" if has_cjk(value) else " ").join(ones[found.a : found.a + found.size])
    return part if len(part) >= (LEAST_CHARS if has_cjk(value) else LEAST_LETTERS) else ""
