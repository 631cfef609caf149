"""Notes: a thread's working notes, kept up to date at the end of each turn, and archived when their task ends."""

from __future__ import annotations

from graph.run import Run
from graph.state import State, WorkingNotes
from memory.changes import ArchiveNotes
from memory.extraction_schema import TaskNotes
from memory.kinds import Session
from memory.notes import Notes, after_turn
from memory.turns import turns_by_id
from store.apply import apply
from store.redacting import redactor_of


def notes_in(state: State) -> Notes:
    """Give the notes that a thread has; blank ones where it has none."""
    kept = state.get("notes")
    if kept is None:
        return Notes()
    return Notes(
        task=kept["task"],
        constraints=tuple(kept["constraints"]),
        results=tuple(kept["results"]),
        since=kept["since"],
    )


async def notes_after(state: State, run: Run, told: TaskNotes | None = None) -> WorkingNotes:
    """Read the turn in progress, redacted and without what the guard finds; keep the notes of a task that it ended.

    What is no user's word (`run_kind` system) is not read; a run that may not write memory archives nothing.
    `told` is what a model that extracts memories read of the turn in the same call.
    """
    notes, turn_id = notes_in(state), state.get("turn_id", "")
    turn = turns_by_id(state.get("messages", []), run.thread_id).get(turn_id)
    if turn is None or run.context.run_kind == "system":
        return _as_channel(notes)
    redacted, guard = await redactor_of(run.store, run.owner), run.store.policies.guard
    said, *replies = ("" if guard.attack_in(text) else redacted(text) for text in (turn.text, *turn.replies))
    now, ended = after_turn(notes, said, replies, turn_id=turn_id, told=told)
    if ended and run.writes:
        await apply(run.store, run.owner, [ArchiveNotes(session=_session(ended, run))], index_now=False)
    return _as_channel(now)


def _as_channel(notes: Notes) -> WorkingNotes:
    return WorkingNotes(
        task=notes.task, constraints=list(notes.constraints), results=list(notes.results), since=notes.since
    )


def _session(notes: Notes, run: Run) -> Session:
    return Session(
        id=notes.since,
        thread_id=run.thread_id,
        task=notes.task,
        constraints=notes.constraints,
        results=notes.results,
        ended_at=run.now,
    )
