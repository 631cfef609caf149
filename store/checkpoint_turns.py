"""Which checkpoints of a thread are kept: the last turns, what they start from, and what they are read with.

A `DeltaChannel` (the messages) keeps in a checkpoint only what was written since; its value is folded from
the writes of all checkpoints back to one that holds the whole list (a snapshot). Deleting one between them
would lose messages without an error, so a kept checkpoint keeps its chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

KEEP_TURNS = 50
SLACK_TURNS = 10


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What pruning needs to know of a checkpoint.

    `turn` is "" where it is not known. `unfolded` are the channels whose value is not in the checkpoint
    and is folded from its ancestors' writes.
    """

    checkpoint_id: str
    parent_id: str | None
    turn: str
    unfolded: frozenset[str] = frozenset()


def superfluous(marks: Sequence[Mark], *, keep_turns: int) -> set[str]:
    """Name the checkpoints that none of the last turns needs.

    Turns are the last by their newest checkpoint. Kept with them is the checkpoint each of theirs starts
    from, so that the oldest of them can be run anew too.

    Args:
        marks: All checkpoints of one thread and namespace.
        keep_turns: How many turns are kept, 1 or more.
    """
    turns = _last_turns(marks, keep_turns)
    wanted = {mark.checkpoint_id for mark in marks if mark.turn in turns}
    starts = {mark.parent_id for mark in marks if mark.checkpoint_id in wanted and mark.parent_id}
    return _all(marks) - readable_with(marks, wanted | starts)


def all_but_latest(marks: Sequence[Mark]) -> set[str]:
    """Name the checkpoints without which the newest one can still be read."""
    latest = max((mark.checkpoint_id for mark in marks), default=None)
    return _all(marks) - readable_with(marks, {latest} if latest else set())


def ancestry(marks: Sequence[Mark], checkpoint_id: str) -> set[str]:
    """Name a checkpoint and all those that are there of what it came from."""
    by_id = {mark.checkpoint_id: mark for mark in marks}
    found: set[str] = set()
    at = by_id.get(checkpoint_id)
    while at is not None and at.checkpoint_id not in found:
        found.add(at.checkpoint_id)
        at = by_id.get(at.parent_id or "")
    return found


def readable_with(marks: Sequence[Mark], wanted: Iterable[str]) -> set[str]:
    """Give the wanted checkpoints together with all that their values are folded from."""
    by_id = {mark.checkpoint_id: mark for mark in marks}
    starts = [by_id[checkpoint_id] for checkpoint_id in wanted if checkpoint_id in by_id]
    walked: dict[str, frozenset[str]] = {}
    for start in starts:
        _walk_back(by_id, start, walked)
    return {start.checkpoint_id for start in starts} | walked.keys()


def _walk_back(by_id: Mapping[str, Mark], start: Mark, walked: dict[str, frozenset[str]]) -> None:
    """Go from parent to parent until each unfolded channel is found whole; stop where one went before."""
    missing, parent = start.unfolded, by_id.get(start.parent_id or "")
    while missing and parent and not missing <= walked.get(parent.checkpoint_id, frozenset()):
        walked[parent.checkpoint_id] = walked.get(parent.checkpoint_id, frozenset()) | missing
        missing &= parent.unfolded
        parent = by_id.get(parent.parent_id or "")


def _last_turns(marks: Sequence[Mark], count: int) -> set[str]:
    newest: dict[str, str] = {}
    for mark in marks:
        newest[mark.turn] = max(newest.get(mark.turn, ""), mark.checkpoint_id)
    return set(sorted(newest, key=lambda turn: newest[turn], reverse=True)[:count])


def _all(marks: Iterable[Mark]) -> set[str]:
    return {mark.checkpoint_id for mark in marks}
