"""Marking: a tagger is asked, where there is one; where it fails the rules read alone, and the log says so."""

from __future__ import annotations

import logging

from memory.seams import Tagger, TaggingError
from memory.tagging.marks import Mark
from memory.tagging.witness import Ask, Witness, knows_nothing

log = logging.getLogger(__name__)


def marks_in(text: str, tagger: Tagger | None) -> tuple[Mark, ...]:
    """Give what a tagger marks in a message; () where there is none, and where it cannot be loaded."""
    if tagger is None:
        return ()
    try:
        return tagger.tag(text)
    except TaggingError as error:
        log.warning("The rules read alone, without the tagger: %s", error)
        return ()


def witness_in(text: str, tagger: Tagger | None) -> Ask:
    """Give whom to ask what words of a message say: a tagger, where there is one and it can be loaded."""
    if tagger is None:
        return knows_nothing

    def ask(start: int, end: int) -> Witness | None:
        try:
            return tagger.witness(text, start, end)
        except TaggingError as error:
            log.warning("A model's proposals are judged by signs alone, without the tagger: %s", error)
            return None

    return ask
