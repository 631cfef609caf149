"""Marking: a tagger is asked, where there is one; where it fails the rules read alone, and the log says so."""

from __future__ import annotations

import logging

from memory.seams import Tagger, TaggingError
from memory.tagging.marks import Mark

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
