"""How well what is said anew takes the place of what was said before, and how much is kept of what should leave nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, assert_never

from jiyi.evals.changes_file import Pair
from jiyi.evals.changes_recall import Ranks
from jiyi.evals.changes_run import Course, Left
from jiyi.evals.facts_values import is_value
from memory.keys import default_keys
from memory.kinds import Fact

DIGITS = 4
Report = dict[str, Any]
Outcome = Literal["not learned", "updated", "missed", "lost"]


def outcome(course: Course) -> Outcome:
    """Say what became of the old value of a pair.

    It was learned where the first message left an active fact with it, under whatever key. Then it was updated where,
    under those keys or the labelled one, the new value is active and the old one no more (the new one is not asked for
    where only the old one ended), missed where the old one is still active, and lost where neither is. Values are the same
    as in `jiyi bench facts`.
    """
    pair = course.pair
    learned = [fact for fact in course.learned if _is(fact, pair.old)]
    if not learned:
        return "not learned"
    keys = {pair.key, *(fact.key for fact in learned)}
    held = [fact for fact in course.held if fact.key in keys]
    now = [fact for fact in held if pair.new and _is(fact, pair.new)]
    if any(_is(fact, pair.old) for fact in held if fact not in now):
        return "missed"
    return "updated" if now or not pair.new else "lost"


def waits(course: Course) -> bool:
    """Say whether old and new wait for a verdict."""
    keys = {course.pair.key, *(fact.key for fact in course.learned if _is(fact, course.pair.old))}
    return bool(course.waiting & keys)


def report(courses: Sequence[Course], ranks: Sequence[Ranks]) -> Report:
    """Put the figures of one file together.

    Returns:
        `pairs`: of all, and of those marked and not and of each language: how many `learned`, of those `updated`, `missed`,
        `lost`, the `share_missed` of the learned, and in how many the two values wait for a verdict (`to_review`).
        `collateral`: how many facts were known `beside`, in how many cases one was `changed` by a pair's second message, and
        how many of those stand under a key that holds one value and of which that message was taken to speak
        (`overwritten`): it states that too, or it was misread. `replay`: by how many facts the same chat kept again and
        again had `grown`, and how many `turned` in status. `recall`: for the learned and updated pairs (`updated`) and for
        `all`, the shares in which the newest statement ranks `first`, and `before_old`; and of what is shown to a model.
    """
    told = {one.pair.id: outcome(one) for one in courses}
    updated = [one for one in ranks if told[one.pair.id] == "updated"]
    return {
        "pairs": {
            name: _counted([one for one in courses if fits(one.pair)]) for name, fits in _groups(courses).items()
        },
        "collateral": {
            "beside": sum(one.beside for one in courses),
            "changed": sum(len(one.changed) for one in courses),
            "overwritten": sum(len(one.overwritten) for one in courses),
        },
        "replay": {"grown": sum(one.grown for one in courses), "turned": sum(one.turned for one in courses)},
        "recall": {name: _recalled(ones) for name, ones in (("updated", updated), ("all", ranks))},
        "outcomes": told,
    }


def _groups(courses: Iterable[Course]) -> Mapping[str, Callable[[Pair], bool]]:
    languages = sorted({one.pair.language for one in courses})
    return {
        "all": lambda pair: True,
        "marked": lambda pair: pair.marked,
        "unmarked": lambda pair: not pair.marked,
        **{language: _speaks(language) for language in languages},
    }


def _speaks(language: str) -> Callable[[Pair], bool]:
    return lambda pair: pair.language == language


def _counted(courses: Sequence[Course]) -> Report:
    counts = {"n": len(courses), "learned": 0, "updated": 0, "missed": 0, "lost": 0}
    for course in courses:
        what = outcome(course)
        match what:
            case "updated" | "missed" | "lost":
                counts["learned"] += 1
                counts[what] += 1
            case "not learned":
                continue
            case _:
                assert_never(what)
    return {
        **counts,
        "share_missed": _share(counts["missed"], counts["learned"]),
        "to_review": sum(waits(one) for one in courses),
    }


def _recalled(ranks: Sequence[Ranks]) -> Report:
    whole = len(ranks)
    return {
        "n": whole,
        "first": _share(sum(one.new == 1 for one in ranks), whole),
        "before_old": _share(sum(_is_before(one.new, one.old) for one in ranks), whole),
        "shown": _share(sum(one.new_shown is not None for one in ranks), whole),
        "shown_first": _share(sum(one.new_shown == 1 for one in ranks), whole),
        "shown_before_old": _share(sum(_is_before(one.new_shown, one.old_shown) for one in ranks), whole),
        "only_old_shown": _share(sum(one.new_shown is None and one.old_shown is not None for one in ranks), whole),
    }


def junk_report(left: Sequence[Left]) -> Report:
    """Put together what messages left that should have left nothing: how many messages, how many facts, by kind."""
    kinds = sorted({one.junk.kind for one in left})
    return {
        **_leaving(left),
        "kinds": {kind: _leaving([one for one in left if one.junk.kind == kind]) for kind in kinds},
        "messages": {one.junk.id: sorted(fact.key for fact in one.facts) for one in left if one.facts},
    }


def _leaving(left: Sequence[Left]) -> Report:
    leaving = sum(bool(one.facts) for one in left)
    return {
        "n": len(left),
        "leaving": leaving,
        "share_leaving": _share(leaving, len(left)),
        "facts": sum(len(one.facts) for one in left),
    }


def _is(fact: Fact, value: str) -> bool:
    """Say whether a fact has a value; where its words are ours, also said otherwise."""
    spec = default_keys().spec(fact.key)
    canonical = spec.canonical(value) if spec is not None else None
    return is_value(fact.value, value) or (canonical is not None and is_value(fact.value, canonical))


def _is_before(new: int | None, old: int | None) -> bool:
    return new is not None and (old is None or new < old)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, DIGITS) if whole else None
