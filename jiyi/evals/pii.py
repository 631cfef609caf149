"""How well what is private is found: precision and recall by type, and how much else is replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jiyi.evals.pii_file import Labelled, Span
from memory.privacy import redact

TYPE_OF_KIND = {"street": "address"}
"""What the files call a kind where they do not call it as `memory.privacy` does."""
KEPT = frozenset({"person"})
"""Types that are labelled in some files and kept by Jiyi on purpose: replacing one is no hit."""

Report = dict[str, Any]
Finder = Callable[[str], Sequence[Span]]


def replaced_in(text: str) -> list[Span]:
    """Give what is replaced in a text that holds nothing unseen, by the files' types."""
    return [Span(one.start, one.end, TYPE_OF_KIND.get(one.kind, one.kind)) for one in redact(text).found]


def report(cases: Iterable[Labelled], find: Finder = replaced_in) -> Report:
    """Score what is found in labelled texts.

    A labelled span counts as found when each of its characters is replaced, by whatever kind and in however many pieces:
    what is left of a number would give it away. A replaced span counts as right for its own type when it shares a character
    with a labelled span of any type but those that are kept on purpose (`person`): an id that is called a card is replaced
    all the same. A person's name counts for nothing but its own recall.

    Returns:
        `types`: by type, `precision` (right of those replaced as this type, None where none was), `recall` (found of those
        labelled as it, None where none is) and `n` (labelled). `over_redaction`: the share of the characters outside each
        labelled span that were replaced, 0 where there are none.
    """
    seen = [(case, list(find(case.text))) for case in cases]
    outside, lost = _outside(seen)
    names = sorted({span.type for case, replaced in seen for span in (*case.spans, *replaced)})
    return {
        "types": {name: _of_type(name, seen) for name in names},
        "over_redaction": lost / outside if outside else 0.0,
    }


def misses(case: Labelled, find: Finder = replaced_in) -> tuple[list[Span], list[Span]]:
    """Give the labelled spans that were not found (without those kept on purpose), and the replaced ones that are not right."""
    replaced = list(find(case.text))
    missed = [span for span in case.spans if span.type not in KEPT and not _is_covered(span, replaced)]
    return missed, [span for span in replaced if not _is_right(span, case.spans)]


def _of_type(name: str, seen: Sequence[tuple[Labelled, list[Span]]]) -> Mapping[str, float | int | None]:
    hits = [_is_covered(span, replaced) for case, replaced in seen for span in case.spans if span.type == name]
    right = [_is_right(span, case.spans) for case, replaced in seen for span in replaced if span.type == name]
    return {"precision": _share(right), "recall": _share(hits), "n": len(hits)}


def _share(of: Sequence[bool]) -> float | None:
    return sum(of) / len(of) if of else None


def _is_covered(span: Span, replaced: Iterable[Span]) -> bool:
    return set(range(span.start, span.end)) <= _characters(replaced)


def _is_right(span: Span, labelled: Iterable[Span]) -> bool:
    return any(span.start < one.end and one.start < span.end for one in labelled if one.type not in KEPT)


def _outside(seen: Sequence[tuple[Labelled, list[Span]]]) -> tuple[int, int]:
    """Count the characters outside of what is labelled, and those of them that were replaced."""
    outside = lost = 0
    for case, replaced in seen:
        free = set(range(len(case.text))) - _characters(case.spans)
        outside += len(free)
        lost += len(free & _characters(replaced))
    return outside, lost


def _characters(spans: Iterable[Span]) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end)}
