"""How many of the facts that messages state are remembered, and how much of what is remembered they state."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jiyi.evals.facts_file import Label, Line
from jiyi.evals.facts_names import Names, is_name, is_user, pair_told
from jiyi.evals.facts_run import Taken
from jiyi.evals.facts_values import is_value
from memory.kinds import Fact
from memory.privacy import redact

DIGITS = 4
Report = dict[str, Any]

_CONTACT = re.compile(r"\[(?:phone|email)(?::\w+)?\]")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What a message states and what was remembered of it, beside each other.

    Attributes:
        line: The message.
        missed: Labelled facts that were not remembered.
        found: Labelled facts that were.
        right: Remembered facts that are labelled.
        naming: Remembered facts that are not, and tell no more than who a labelled entity is to the user.
        wrong: All others that were remembered.
    """

    line: Line
    missed: tuple[Label, ...] = ()
    found: tuple[Label, ...] = ()
    right: tuple[Fact, ...] = ()
    naming: tuple[Fact, ...] = ()
    wrong: tuple[Fact, ...] = ()


def compared(taken: Iterable[Taken]) -> list[Compared]:
    """Tell for each message which labels were found and which facts are right.

    A remembered fact is a labelled one when both are about the same and their values are the same (`is_value`); what the
    label calls the attribute does not matter. Facts of the user are those under `user.` and `pref.`, identifiers (`ref.`)
    are anybody's, and any other fact is about the name in its key; a thing's name is compared as values are.

    A label may call a person by a word of kin (上司, "sister") where the key has the name, when a fact of the same message,
    or a label of the same message or user, says that they are the same person. A fact that only tells who somebody is to
    the user, or what an animal is (`person.Ada.relation: sister`), is a label that says so from either end, or of the user
    ("I", "sister", "Ada").

    Telephone numbers and e-mail addresses are left out on both sides: files do not label them.
    """
    ones = list(taken)
    of_user: dict[str, list[Line]] = defaultdict(list)
    for one in ones:
        if one.line.user:
            of_user[one.line.user].append(one.line)
    known = {user: Names.in_labels(lines) for user, lines in of_user.items()}
    return [_compared(one, known.get(one.line.user) or Names.in_labels([one.line])) for one in ones]


def report(taken: Sequence[Taken]) -> Report:
    """Score what was remembered of labelled messages.

    Returns:
        `precision`: the share of `proposed` (facts that are active) that is `right`; None where there are none.
        `precision_but_naming`: the same without what only tells who a labelled person is to the user or what a labelled
        animal is: some files leave it unlabelled that 王芳 is a colleague in "my colleague 王芳 is 33". `recall`: the share
        of `n` (labelled) that was `found`; one fact may be two labels. `f1`: of `precision` and `recall`. `lines`: messages.
        `refused`: how many drafts were refused, by reason.
    """
    ones = compared(taken)
    right, naming, wrong, found, missed = (
        sum(len(getattr(one, name)) for one in ones) for name in ("right", "naming", "wrong", "found", "missed")
    )
    precision, recall = _share(right, right + naming + wrong), _share(found, found + missed)
    return {
        "precision": precision,
        "precision_but_naming": _share(right, right + wrong),
        "recall": recall,
        "f1": _f1(precision, recall),
        "n": found + missed,
        "proposed": right + naming + wrong,
        "right": right,
        "found": found,
        "lines": len(ones),
        "refused": dict(sorted(Counter(reason for one in taken for reason in one.refused).items())),
    }


def _compared(taken: Taken, known: Names) -> Compared:
    names = known.with_told(taken.facts)
    labels = [one for one in taken.line.labels if not _is_contact(one.value)]
    facts = [one for one in taken.facts if not _is_contact(one.value)]
    right = [fact for fact in facts if any(_is_labelled(fact, label, names) for label in labels)]
    found = [label for label in labels if any(_is_labelled(fact, label, names) for fact in facts)]
    rest = [fact for fact in facts if fact not in right]
    naming = [fact for fact in rest if _names_one_of(fact, labels, names)]
    return Compared(
        line=taken.line,
        missed=tuple(label for label in labels if label not in found),
        found=tuple(found),
        right=tuple(right),
        naming=tuple(naming),
        wrong=tuple(fact for fact in rest if fact not in naming),
    )


def _is_labelled(fact: Fact, label: Label, names: Names) -> bool:
    if pair := pair_told(fact):
        return any(_is_told_by(one, other, label, names) for one, other in (pair, pair[::-1]))
    return names.is_owner(fact, label.entity) and is_value(fact.value, label.value)


def _is_told_by(one: str, other: str, label: Label, names: Names) -> bool:
    """Say whether a label tells that the one is the other."""
    if is_user(label.entity):
        return is_value(other, label.value)
    return names.is_same(one, label.entity) and (is_value(other, label.value) or is_name(other, label.value))


def _names_one_of(fact: Fact, labels: Iterable[Label], names: Names) -> bool:
    pair = pair_told(fact)
    return pair is not None and any(names.is_same(one, label.entity) for one in pair for label in labels)


def _is_contact(value: str) -> bool:
    return _CONTACT.fullmatch(redact(value).text.strip()) is not None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, DIGITS) if whole else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return round(2 * precision * recall / (precision + recall), DIGITS) if precision + recall else 0.0
