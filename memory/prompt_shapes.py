"""The lines of our own prompts, known by their shape when somebody pastes them without their tags.

The shapes are what the writers of prompts write for a blank, so that another wording there is another shape here. Texts are
folded as `memory.privacy.fold` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from memory.privacy import fold
from memory.prompt_lines import exchange_lines, fact_lines, skill_lines
from memory.prompt_parts import ShownExchange, ShownFact, ShownSkill
from memory.prompt_texts import TEXTS, PromptTexts
from memory.summary import LABELS

_ANY = "\ue000"
_LONGEST_INSIDE = 200
_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_FACT = ShownFact(key=_ANY, label=_ANY, value=_ANY)
_SKILL = ShownSkill(id=_ANY, description=_ANY, steps=(_ANY,), tools=(_ANY,), safety_checks=(_ANY,), body_in=_ANY)
_EXCHANGE = ShownExchange(id="", said_at=_SOME_TIME, lines=(("user", _ANY), ("assistant", _ANY)))
_BEGINS = r"^[^\S\n]*+"
_SPEAKER_SPEAKS = rf"{_BEGINS}- (?!\s)[^:\n]{{1,24}}:[^\S\n]?(?=(?:i|i'm|i've|my|we|our)\b|[我咱俺])[^\n]*"
_DATED_SPEAKER = rf"{_BEGINS}\[\d{{4}}-\d\d-\d\d[^\]\n]{{0,20}}\]\s?[^\s:][^:\n]{{0,23}}:[^\n]*"


def prompt_spans(text: str) -> Iterator[tuple[int, int]]:
    """Give where lines of our prompts stand in a folded text; what follows the rules we begin with is the rest of one."""
    begun = _beginning().search(text)
    end = begun.start() if begun else len(text)
    for found in _lines().finditer(text, 0, end):
        yield found.span()
    if begun:
        yield end, len(text)


def without_prompt(text: str, folded: str, blank: str) -> str:
    """Blank out lines of our prompts, character for character; the line breaks around them stay.

    Args:
        text: The text.
        folded: The same, folded, as long.
        blank: One character.
    """
    for start, end in prompt_spans(folded):
        text = text[:start] + blank * (end - start) + text[end:]
    return text


@cache
def _beginning() -> re.Pattern[str]:
    rules = (line for texts in TEXTS.values() for line in texts.rules.splitlines())
    return re.compile("|".join(re.escape(_folded(line)) for line in rules), re.IGNORECASE)


@cache
def _lines() -> re.Pattern[str]:
    every = dict.fromkeys(shape for texts in TEXTS.values() for shape in _shapes(texts))
    labels = dict.fromkeys(_shape(label + _ANY) for each in LABELS.values() for label in each.values() if label)
    whole = "|".join([*every, *labels])
    return re.compile(rf"{_BEGINS}(?:{whole})$|{_SPEAKER_SPEAKS}|{_DATED_SPEAKER}", re.IGNORECASE | re.MULTILINE)


def _shapes(texts: PromptTexts) -> Iterator[str]:
    """Give the shape of each line that is written in one language; an exchange and a skill are known by their first."""
    timed, *said = exchange_lines([_EXCHANGE], texts)
    untimed, *_ = exchange_lines([replace(_EXCHANGE, said_at=None)], texts)
    head, *listed = skill_lines([replace(_SKILL, body_cut=True)], texts)
    for first in (timed, untimed):
        yield rf"{_numbers(first)}(?:\n- [^\n]*)*"
    yield rf"{_shape(head)}(?=\n(?:{'|'.join(_shape(line) for line in listed)}))"
    fixed = (texts.default_persona, texts.preferences, *texts.styles.values(), *texts.answer_in.values())
    for line in (*said, *listed, *fact_lines([_FACT]), *fixed, texts.address_as.format(name=_ANY)):
        yield _shape(line)


def _folded(line: str) -> str:
    return fold(line).replace("’", "'")


def _shape(line: str) -> str:
    """Make a pattern of a line; a blank may be missing, as after a full-width colon, and its full stop too."""
    parts = [re.escape(part).replace(r"\ ", r"[^\S\n]?") for part in _folded(line).rstrip(".。").split(_ANY)]
    if len(parts) > 1 and not parts[-1]:
        return rf"[^\n]{{0,{_LONGEST_INSIDE}}}?".join(parts[:-1]) + r"[^\n]*+"
    return rf"[^\n]{{0,{_LONGEST_INSIDE}}}?".join(parts) + r"[.。]?"


def _numbers(line: str) -> str:
    return re.sub(r"\d+", r"\\d+", _shape(line))
