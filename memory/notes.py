"""Notes: what a thread is at work on, what it has to keep to, and what it has reached, read from each turn by rules.

They hold for one task: they are empty while there is none, and begin anew with the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.extraction_schema import TaskNotes
from memory.importance import is_small_talk, names_something
from memory.keys import Language
from memory.notes_signs import BEGINS, ENDS, NOT_YET, REACHED
from memory.summary_lines import SENTENCES, SEPARATORS, Item
from memory.summary_revoking import replaces, revokes, what_it_revokes
from memory.summary_signs import BINDS, QUESTION, rank

MAX_ITEMS = 6
MAX_ITEM_CHARS = 90
LABELS: dict[Language, tuple[str, str, str]] = {
    "zh": ("任务：", "要求：", "进展："),
    "en": ("Task: ", "To keep to: ", "Reached so far: "),
}


@dataclass(frozen=True, kw_only=True)
class Notes:
    """The working notes of one task; `since` is the turn in which it began. Blank where there is none."""

    task: str = ""
    constraints: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    since: str = ""


def after_turn(
    notes: Notes, said: str, replies: Sequence[str], *, turn_id: str, told: TaskNotes | None = None
) -> tuple[Notes, Notes | None]:
    """Read a turn.

    Args:
        notes: What was noted before it.
        said: What the user said, redacted.
        replies: What was answered, redacted; only results are read from it.
        turn_id: The turn.
        told: What a model read of it besides; only the user's own words are taken, and the rules come first.

    Returns:
        What is noted after it, and the notes of the task that it ended, if it did: because the user says so, or
        because another task begins.
    """
    ended: Notes | None = None
    for sentence in _sentences(said):
        if _begins(sentence) and not _is_same(notes.task, sentence):
            ended = notes if notes.task else ended
            notes = Notes(task=sentence.rstrip("?？"), since=turn_id)
        elif notes.task and ENDS.search(sentence) and not NOT_YET.search(sentence):
            ended, notes = notes, Notes()
        elif notes.task:
            notes = _with(notes, sentence)
    for reply in replies if notes.task else ():
        for sentence in _sentences(reply):
            if REACHED.search(sentence) and names_something(sentence):
                notes = replace(notes, results=_added(notes.results, sentence))
    return (notes, ended) if told is None else _with_told(notes, ended, told, said, turn_id)


def _with_told(
    notes: Notes, ended: Notes | None, told: TaskNotes, said: str, turn_id: str
) -> tuple[Notes, Notes | None]:
    task = next(iter(_quoted([told.task], said)), "")
    if ended is None and notes.since != turn_id and (told.done or task):
        ended = notes if notes.task else None
        notes = Notes(task=task, since=turn_id) if task else Notes()
    if notes.task:
        for text in _quoted(told.constraints, said):
            notes = replace(notes, constraints=_added(notes.constraints, text))
        for text in _quoted(told.results, said):
            notes = replace(notes, results=_added(notes.results, text))
    return notes, ended


def _quoted(texts: Sequence[str], said: str) -> list[str]:
    """Give what stands in the user's message word for word, as its sentences are noted."""
    found = (text for text in texts if _letters(text) and _letters(text) in _letters(said))
    return [sentence.rstrip("?？") for text in found for sentence in _sentences(text)]


def written(notes: Notes, language: Language) -> str:
    """Write notes as they stand in a prompt; "" where there are none."""
    separator = SEPARATORS[language]
    parts = (notes.task, separator.join(notes.constraints), separator.join(notes.results))
    return "\n".join(label + part for label, part in zip(LABELS[language], parts, strict=True) if part)


def _sentences(text: str) -> list[str]:
    found = (" ".join(match.group().split()).rstrip("。.；; ！!") for match in SENTENCES.finditer(text))
    return [one if len(one) <= MAX_ITEM_CHARS else one[: MAX_ITEM_CHARS - 1] + "…" for one in found if one]


def _begins(sentence: str) -> bool:
    asks = sentence.endswith(("?", "？")) and not re.match(r"(?i)(?:can|could|would|will) you|.*帮我", sentence)
    return BEGINS.search(sentence) is not None and not asks and not ENDS.search(sentence)


def _is_same(one: str, other: str) -> bool:
    return _letters(one) == _letters(other)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _with(notes: Notes, sentence: str) -> Notes:
    """Note what a sentence asks to keep to, takes back, or says is reached."""
    if is_small_talk(sentence) or QUESTION.search(sentence):
        return notes
    known = [Item(speaker="user", text=text, rank=BINDS, label="") for text in notes.constraints]
    which = what_it_revokes(sentence, known) if revokes(sentence) else None
    if which is not None:
        left = tuple(text for at, text in enumerate(notes.constraints) if at != which)
        return replace(notes, constraints=_added(left, sentence) if replaces(sentence, known[which]) else left)
    if REACHED.search(sentence):
        return replace(notes, results=_added(notes.results, sentence))
    if rank(sentence) >= BINDS:
        return replace(notes, constraints=_added(notes.constraints, sentence))
    return notes


def _added(items: tuple[str, ...], new: str) -> tuple[str, ...]:
    """Add at the end; what is said again stands once, and the oldest goes first."""
    return (*(item for item in items if not _is_same(item, new)), new)[-MAX_ITEMS:]
