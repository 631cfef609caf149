from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from store.checkpoint_turns import Mark, all_but_latest, ancestry, readable_with, superfluous

MESSAGES = frozenset({"messages"})


def mark(checkpoint_id: str, parent_id: str | None, turn: str, *, whole: bool = False) -> Mark:
    unfolded = frozenset[str]() if whole else MESSAGES
    return Mark(checkpoint_id=checkpoint_id, parent_id=parent_id, turn=turn, unfolded=unfolded)


def line(*whole: str) -> list[Mark]:
    """Six checkpoints in a row, of three turns, two each."""
    ids = "abcdef"
    return [
        mark(one, before, turn, whole=one in whole)
        for one, before, turn in zip(ids, [None, *ids], "112233", strict=False)
    ]


def test_the_last_turn_keeps_its_start_and_the_chain_back_to_a_whole_list() -> None:
    assert superfluous(line("b"), keep_turns=1) == {"a"}
    assert superfluous(line("d"), keep_turns=1) == {"a", "b", "c"}
    assert superfluous(line(), keep_turns=1) == set()


def test_the_latest_alone_keeps_its_chain_only_if_it_is_not_whole() -> None:
    assert all_but_latest(line("f")) == {"a", "b", "c", "d", "e"}
    assert all_but_latest(line("e")) == {"a", "b", "c", "d"}
    assert all_but_latest([]) == set()


def test_each_channel_is_followed_to_its_own_whole_value() -> None:
    both = frozenset({"messages", "notes"})
    marks = [
        Mark(checkpoint_id="a", parent_id=None, turn="1", unfolded=both),
        Mark(checkpoint_id="b", parent_id="a", turn="1", unfolded=frozenset({"notes"})),
        Mark(checkpoint_id="c", parent_id="b", turn="1", unfolded=both),
    ]
    assert readable_with(marks, {"c"}) == {"a", "b", "c"}
    assert readable_with(marks[1:], {"c"}) == {"b", "c"}


def test_a_branch_is_followed_by_its_parents_not_by_its_ids() -> None:
    marks = [mark("a", None, "1", whole=True), mark("b", "a", "2"), mark("c", "a", "3"), mark("d", "c", "4")]
    assert readable_with(marks, {"d"}) == {"a", "c", "d"}


def test_a_loop_of_parents_ends() -> None:
    assert readable_with([mark("a", "b", "1"), mark("b", "a", "1")], {"a"}) == {"a", "b"}


@st.composite
def forests(draw: st.DrawFn) -> list[Mark]:
    count = draw(st.integers(1, 25))
    marks: list[Mark] = []
    for place in range(count):
        parent = draw(st.one_of(st.none(), st.integers(0, place - 1))) if place else None
        parent_id = None if parent is None else f"{parent:03}"
        marks.append(mark(f"{place:03}", parent_id, draw(st.sampled_from("abcdefg")), whole=draw(st.booleans())))
    return marks


def chain(marks: list[Mark], start: Mark) -> set[str]:
    """Say plainly what reading a checkpoint walks over."""
    by_id = {one.checkpoint_id: one for one in marks}
    walked, at = {start.checkpoint_id}, start
    while at.unfolded and at.parent_id:
        at = by_id[at.parent_id]
        walked.add(at.checkpoint_id)
    return walked


@given(forests(), st.integers(1, 8))
def test_whatever_is_kept_can_be_read(marks: list[Mark], keep_turns: int) -> None:
    gone = superfluous(marks, keep_turns=keep_turns)
    turns = sorted({one.turn: one.checkpoint_id for one in marks}.items(), key=lambda item: item[1])
    last = {turn for turn, _ in turns[-keep_turns:]}
    for one in marks:
        if one.turn in last:
            assert not chain(marks, one) & gone


@given(forests(), st.integers(1, 8))
def test_pruning_again_finds_nothing_more(marks: list[Mark], keep_turns: int) -> None:
    gone = superfluous(marks, keep_turns=keep_turns)
    rest = [one for one in marks if one.checkpoint_id not in gone]
    assert superfluous(rest, keep_turns=keep_turns) == set()


def test_what_a_checkpoint_came_from_is_itself_and_its_parents_as_far_as_they_are_there() -> None:
    marks = [mark("a", None, "1"), mark("b", "a", "2"), mark("c", "a", "3"), mark("d", "c", "4"), mark("f", "e", "5")]
    assert ancestry(marks, "d") == {"a", "c", "d"}
    assert ancestry(marks, "f") == {"f"}
    assert ancestry(marks, "gone") == set()
