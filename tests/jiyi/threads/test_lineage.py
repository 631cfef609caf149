"""Which checkpoints a conversation came from, and where the ways end that were given up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jiyi.threads.lineage import Moment, ends_of, given_up, ranges, standing


def moment(name: str, parent: str | None, upto: str = "") -> Moment:
    return Moment(id=name, parent_id=parent, upto=upto)


REWOUND = (
    moment("1", None, "first"),
    moment("2", "1", "second"),
    moment("3", "2", "third"),
    moment("4", "1", "second"),
    moment("5", "4", "another"),
)
"""Three turns, taken back to the second (4 is a copy of 2), and another third."""

trees = st.lists(st.integers(0, 30), min_size=1, max_size=30).map(
    lambda parents: tuple(
        moment(f"{at:02}", f"{parent % at:02}" if at else None, str(at % 3)) for at, parent in enumerate(parents)
    )
)


def test_the_newest_stands_with_all_that_it_came_from() -> None:
    assert [one.id for one in standing(REWOUND)] == ["5", "4", "1"]
    assert standing(()) == ()


def test_a_way_that_was_given_up_is_known_by_its_end() -> None:
    assert [one.id for one in given_up(REWOUND)] == ["3"]
    assert given_up(REWOUND[:3]) == ()


def test_a_turn_ends_first_where_it_stands() -> None:
    assert [one.id for one in ends_of(REWOUND, "second")] == ["4", "2"]
    assert [one.id for one in ends_of(REWOUND, "third")] == ["3"]
    assert ends_of(REWOUND, "") == ()


def test_a_conversation_whose_beginning_is_no_longer_kept_stands_as_far_as_it_is() -> None:
    assert [one.id for one in standing(REWOUND[3:])] == ["5", "4"]


@given(trees)
def test_every_moment_stands_or_leads_to_an_end_that_was_given_up(moments: tuple[Moment, ...]) -> None:
    by_id = {one.id: one for one in moments}
    reached = {one.id for one in standing(moments)}
    ends = given_up(moments)
    assert not reached & {one.id for one in ends}
    for end in ends:
        at: Moment | None = end
        while at is not None:
            reached.add(at.id)
            at = by_id.get(at.parent_id or "")
    assert reached == set(by_id)


def test_numbers_are_told_in_runs() -> None:
    assert ranges([7, 5, 6, 3, 9]) == "3, 5 to 7, 9"
    assert ranges([]) == ""


@given(st.sets(st.integers(1, 60)))
def test_no_number_is_lost_in_its_run(numbers: set[int]) -> None:
    runs = [part.split(" to ") for part in ranges(numbers).split(", ") if part]
    assert {one for run in runs for one in range(int(run[0]), int(run[-1]) + 1)} == numbers
