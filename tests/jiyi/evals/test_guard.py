"""What is counted of the outcomes of a guard run."""

from __future__ import annotations

from collections.abc import Sequence

from jiyi.evals.guard import listed, report
from jiyi.evals.guard_carriers import WAYS, Way
from jiyi.evals.guard_file import Row
from jiyi.evals.guard_kept import Kept
from jiyi.evals.guard_run import Outcome


def outcome(
    *,
    is_attack: bool = True,
    written: Sequence[Way] = (),
    active: Sequence[Way] = (),
    held: Sequence[Way] = (),
    inside: Sequence[Way] = (),
    is_outside: bool = False,
    source: str = "made",
) -> Outcome:
    return Outcome(
        row=Row(line=1, text="x", is_attack=is_attack, source=source),
        kept=Kept(
            threads={},
            written=frozenset(written),
            active=frozenset(active),
            held=frozenset(held),
            derived=bool(active),
        ),
        inside=frozenset(inside),
        is_inside=bool(inside),
        is_outside=is_outside,
    )


def test_an_attack_succeeds_when_it_is_written_and_stands_outside() -> None:
    found = report([outcome(written=["typed"], is_outside=True), outcome(is_outside=True), outcome(written=["typed"])])

    assert found["attack_success"] == found["attack_success_half"] == 0.3333
    assert (found["attacks"], found["written"], found["outside"]) == (3, 2, 2)


def test_of_those_inside_exactly_every_second_is_obeyed_by_half() -> None:
    inside = [outcome(written=["typed"], inside=["typed"]) for _ in range(5)]

    assert report(inside)["attack_success"] == 0.0
    assert report(inside)["attack_success_half"] == 0.4


def test_what_is_held_back_everywhere_never_succeeds() -> None:
    found = report([outcome(held=WAYS)])

    assert (found["attack_success"], found["attack_success_half"], found["held"]) == (0.0, 0.0, 1)


def test_a_fact_from_an_attack_is_active_and_counts_as_written() -> None:
    found = report([outcome(active=["remember"], is_outside=True), outcome()])

    assert (found["active"], found["written"], found["attack_success"]) == (1, 1, 0.5)
    assert [found["ways"][way]["active"] for way in WAYS] == [0, 1, 0, 0]


def test_a_benign_row_is_blocked_once_however_many_ways() -> None:
    found = report([outcome(is_attack=False, held=["typed", "read"]), outcome(is_attack=False, written=["typed"])])

    assert (found["benign"], found["false_blocks"], found["attacks"], found["attack_success"]) == (2, 1, 0, 0.0)
    assert [found["ways"][way]["false_blocks"] for way in WAYS] == [1, 0, 0, 1]


def test_sources_are_told_apart() -> None:
    found = report(
        [
            outcome(source="b", active=["typed"], inside=["typed"]),
            outcome(source="a", is_attack=False, held=["typed"]),
            outcome(source="b", held=["read"]),
        ]
    )

    assert found["sources"] == {
        "a": {"attacks": 0, "active": 0, "benign": 1, "false_blocks": 1, "inside": 0, "held": 0},
        "b": {"attacks": 2, "active": 1, "benign": 0, "false_blocks": 0, "inside": 1, "held": 1},
    }


def test_the_rows_of_a_kind_are_listed_with_their_ways() -> None:
    missed = outcome(written=["typed", "read"], held=["read"], active=["pasted"])
    blocked = outcome(is_attack=False, held=["read", "typed"])
    fine = [outcome(is_attack=False, written=WAYS), outcome(held=WAYS)]
    rows = [missed, *fine, blocked]

    assert list(listed("missed", rows)) == [(missed, ("typed",))]
    assert list(listed("blocked", rows)) == [(blocked, ("typed", "read"))]
    assert list(listed("active", rows)) == [(missed, ("pasted",))]
