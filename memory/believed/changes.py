"""changes: what a message tells because of what is already believed, as the rules would have told it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from memory.believed.following import followed
from memory.believed.heard import Heard, same
from memory.believed.reading import Passage, clauses_of, is_for_now, is_spoken_of, lowered, says, sentences_of
from memory.believed.signs import MARK, Patterns, signs, slot
from memory.clauses import Reading
from memory.keys import Keys
from memory.kinds import Fact
from memory.matching import Told
from memory.phrases import is_plausible, tidy
from memory.taking_back import ILLNESSES, is_over

SURE, LIKELY = 0.9, 0.75
"""Where the old value is named, and where it is not."""
EXCHANGED = frozenset({"hobby", "habit", "learning", "project", "plan", "goal", "todo", "uses"})
"""Of what there may be several, one of which can take another's place; what is liked or unbearable is not exchanged."""
ACTIONS = frozenset({"hobby", "habit", "skill", "learning", "likes"})
ALIKE = {"occupation": "position", "position": "occupation"}
"""What is told of one of these renews the other only if nothing is told of that one."""
_VERB_OBJECT = re.compile(r"[\u3400-\u9fff]{2}")

Span = tuple[int, int]


def in_view_of(
    reading: Reading, original: str, told: Sequence[Told], facts: Sequence[Fact], *, keys: Keys
) -> list[Told]:
    """Give what a message tells in view of what is believed: what the rules found, and what only belief makes clear.

    Args:
        reading: The message as it is read.
        original: The message as it was written, as long.
        told: What the rules found in it.
        facts: What is believed of the user; what only was asked to be remembered is left out.
        keys: Which keys hold one value.
    """
    message = lowered(reading.text)
    heard = Heard(original=original, text=message, facts=facts, keys=keys, told=list(told))
    heard.told = [_as_correction(each, heard) for each in told]
    for passage in sentences_of(reading, message):
        heard.found += _replaced(passage, heard)
    for passage in clauses_of(reading, message):
        if is_for_now(passage):
            continue
        heard.found += _renewed(passage, heard)
        heard.found += _ended(passage, heard)
    return [*heard.told, *heard.found, *followed(heard)]


def _as_correction(told: Told, heard: Heard) -> Told:
    """Let another value than the believed one hold at once where words of correction or change lead to it."""
    if told.act != "state" or not any(fact.key == told.key and _may_be(told.value, fact) for fact in heard.facts):
        return told
    upto = heard.text[: told.value_at]
    spec = heard.keys.spec(told.key)
    is_put_right = spec is not None and spec.single and any(sign.search(upto) for sign in signs().correcting)
    return replace(told, act="correct") if is_put_right else told


def _replaced(passage: Passage, heard: Heard) -> Iterator[Told]:
    """Read a new value that stands beside the old one ("not Leeds but York"); of two that it could replace, neither."""
    found = list(_beside_the_old(passage, heard)) or list(_beside_its_name(passage, heard))
    if len({fact.key for fact, _, _ in found}) != 1:
        return
    fact, (at, value), span = found[0]
    right = _told(passage, fact, value, at)
    if heard.is_single(fact):
        yield replace(right, act="correct", confidence=SURE)
        return
    yield _taken_back(passage, fact, span[0])
    yield replace(right, confidence=SURE)


def _beside_the_old(passage: Passage, heard: Heard) -> Iterator[tuple[Fact, tuple[int, str], Span]]:
    for fact, start, end in heard.mentioned:
        if passage.holds(start, end) and _may_be_replaced(fact, heard):
            for new in _new_beside(passage, fact, (start, end), signs().replacements, heard):
                yield fact, new, (start, end)


def _beside_its_name(passage: Passage, heard: Heard) -> Iterator[tuple[Fact, tuple[int, str], Span]]:
    """Read a new value by the name of what it is, where one is believed ("my goal is now 6k")."""
    for fact, start, end in heard.labelled:
        if passage.holds(start, end) and heard.how_many[fact.key] == 1 and _may_be_replaced(fact, heard):
            for new in _new_beside(passage, fact, (start, end), signs().labelled, heard):
                yield fact, new, (start, end)


def _may_be_replaced(fact: Fact, heard: Heard) -> bool:
    return (slot(fact.key) in EXCHANGED or heard.is_single(fact)) and not heard.is_told(fact)


def _new_beside(
    passage: Passage, fact: Fact, span: Span, patterns: Patterns, heard: Heard
) -> Iterator[tuple[int, str]]:
    start, end = span
    needed = signs().needs.get(slot(fact.key))
    if needed and not needed.search(passage.text):
        return
    for match in says(passage, start, end, patterns):
        if not is_spoken_of(fact, passage, match.string[: match.end()], heard.people):
            continue
        first, last = match.span("new")
        moved = passage.start + (end - start - 1 if passage.start + first > start else 0)
        value = tidy(heard.original[first + moved : last + moved], slot(fact.key))
        if _may_be(value, fact):
            yield first + moved, value
            return


def _renewed(passage: Passage, heard: Heard) -> Iterator[Told]:
    """Read a value of the same kind under a key that holds one ("I'd call myself agnostic now")."""
    known = {**signs().renewals, **signs().measures}
    for fact in heard.readable:
        name = slot(fact.key)
        others = (
            [one for one in _others_of_its_kind(fact, passage, heard) if passage.holds(*one)] if name in known else []
        )
        if others and heard.is_single(fact) and not heard.is_told(fact) and not _is_told_alike(fact, heard):
            yield from islice(_anew(passage, fact, others, known[name], heard), 1)


def _is_told_alike(fact: Fact, heard: Heard) -> bool:
    owner, _, name = fact.key.rpartition(".")
    return name in ALIKE and any(each.key == f"{owner}.{ALIKE[name]}" for each in (*heard.told, *heard.found))


def _anew(passage: Passage, fact: Fact, others: Sequence[Span], patterns: Patterns, heard: Heard) -> Iterator[Told]:
    for start, end in others:
        value = tidy(heard.original[start:end], slot(fact.key))
        for match in says(passage, start, end, patterns):
            if is_spoken_of(fact, passage, match.string[: match.end()], heard.people) and _may_be(value, fact):
                yield _told(passage, fact, value, start)


def _others_of_its_kind(fact: Fact, passage: Passage, heard: Heard) -> Iterator[Span]:
    measured = signs().measured.get(slot(fact.key))
    own = signs().own_measure.get(slot(fact.key)) if fact.key.startswith("user.") else None
    if own and not own.search(passage.text):
        return
    if measured is None:
        others = ((each.start, each.end) for each in heard.renewals(fact))
        is_done = slot(fact.key) in ALIKE  # "I'm now teaching myself Greek" makes nobody a teacher
        yield from (one for one in others if not (is_done and heard.text[: one[1]].endswith("ing")))
    elif measured.search(lowered(fact.value)) or fact.value.isdigit():
        yield from (match.span() for match in measured.finditer(heard.text))


def _ended(passage: Passage, heard: Heard) -> Iterator[Told]:
    """Read that what is believed no longer holds ("dropped Welsh", 抽烟这事我戒了)."""
    for fact, start, end in heard.mentioned:
        spans = [(start, end)] if passage.holds(start, end) else _meant_by_pronouns(passage, start, end)
        for span in spans:
            if _is_said_to_end(passage, fact, span, heard) and not heard.is_told(fact):
                yield _taken_back(passage, fact, span[0])
    for fact in heard.readable:
        verb = _verb_given_up(fact, passage)
        match = verb.search(passage.text) if verb else None
        upto = passage.text[: match.end()] if match else ""
        if match and is_spoken_of(fact, passage, upto, heard.people) and not heard.is_told(fact):
            yield _taken_back(passage, fact, passage.start + match.start())


def _is_said_to_end(passage: Passage, fact: Fact, span: Span, heard: Heard) -> bool:
    name = slot(fact.key)
    uptos = (match.string[: match.end()] for match in says(passage, *span, signs().endings.get(name, ())))
    if any(is_spoken_of(fact, passage, upto, heard.people) for upto in uptos):
        return True
    masked = passage.masked(*span)
    over = name in ILLNESSES and is_over(masked, MARK)
    return over and is_spoken_of(fact, passage, masked, heard.people)


def _meant_by_pronouns(passage: Passage, start: int, end: int) -> list[Span]:
    """Give the words of a passage that can mean what its sentence named before it."""
    if not passage.sentence <= start < end <= passage.start:
        return []
    return [match.span() for match in signs().pronouns.finditer(passage.message, passage.start, passage.end)]


def _verb_given_up(fact: Fact, passage: Passage) -> re.Pattern[str] | None:
    """Give how a Chinese verb with its object is said to be given up without the object: 钓鱼, 早就不钓了."""
    if slot(fact.key) not in ACTIONS or not _VERB_OBJECT.fullmatch(fact.value) or fact.value[0] not in passage.text:
        return None
    return re.compile(rf"(?:早就?|早已|已经|现在|如今|再也|都)(?:不|没再){fact.value[0]}了?(?=$|[,。;!了啦])")


def _taken_back(passage: Passage, fact: Fact, at: int) -> Told:
    return replace(_told(passage, fact, fact.value, at), act="retract", confidence=SURE)


def _told(passage: Passage, fact: Fact, value: str, at: int) -> Told:
    return Told(
        start=passage.start,
        end=passage.end,
        value_at=at,
        key=fact.key,
        value=value,
        act="state",
        confidence=LIKELY,
    )


def _may_be(value: str, fact: Fact) -> bool:
    return is_plausible(value, slot(fact.key)) and not same(value, fact.value, fact.key)
